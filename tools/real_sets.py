"""Real readings with their references: entries of directories, and calls cut into lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from misread import resegment
from misread.data import read_segment_files
from misread.text.words import join_words

_SPEECH: Final = {
    "amazon": "output/amazon",
    "google": "output/google",
    "kaldi": "output/kaldi_org/librispeech/nlp",
    "espnet": "output/rev/espnet/nlp",
}
_WORDS_OF_A_LINE: Final = 15
_LINES_OF_A_PIECE: Final = 20


class RealSet(NamedTuple):
    """References, texts by system, and the page or the piece of a call that each is of."""

    references: list[str]
    systems: Mapping[str, list[str]]
    documents: list[str]


def read_directories(folder: Path) -> RealSet:
    """Entries of nine directories by three OCR systems; documents are `BOOK/PAGE`."""
    lines = (folder / "das22_directories/entries.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
    rows = [json.loads(line) for line in lines]
    return RealSet(
        [join_words(row["ref"]) for row in rows],
        {name: [join_words(row[name] or "") for row in rows] for name in ("pero", "tesseract4", "kraken")},
        [f"{row['book']}/{row['page']}" for row in rows],
    )


def read_calls(folder: Path, names: Sequence[str]) -> RealSet:
    """Calls by speech systems, in lower case and lines of 15 words; documents are pieces of 300 words."""
    root = folder / "earnings21_eval10"
    outputs = {name: root / _SPEECH[name] for name in names}
    calls = RealSet([], {name: [] for name in names}, [])
    for path in sorted((root / "transcripts/nlp_references").glob("*.nlp")):
        table = read_segment_files(path, {name: output / path.name for name, output in outputs.items()}, "nlp")
        words = table.references[0].lower().split()
        lines = [" ".join(words[start : start + _WORDS_OF_A_LINE]) for start in range(0, len(words), _WORDS_OF_A_LINE)]
        calls.references.extend(lines)
        calls.documents.extend(f"{path.stem}/{line // _LINES_OF_A_PIECE}" for line in range(len(lines)))
        for name in names:
            calls.systems[name].extend(resegment(lines, (table.hypotheses[name][0] or "").lower()))
    return calls
