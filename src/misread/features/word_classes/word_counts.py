"""How often words occur in training data, from a file."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from misread.errors import InputFileError
from misread.io.text import read_text, split_lines

# No corpus has more words than 18 digits can count, and Python refuses numbers of thousands of digits.
_NUMBER: Final = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class WordCounts:
    """Occurrences of words; a word that is not among them never occurs."""

    counts: Mapping[str, int] = field(repr=False)
    digest: str  # of the file

    def __getitem__(self, word: str) -> int:
        return self.counts.get(word, 0)


def read_word_counts(path: str | os.PathLike[str]) -> WordCounts:
    """Read lines of a word, a tab and its occurrences; errors name file and line.

    Words are those of normalized texts: a file in capitals knows none of a text in small letters.
    """
    file = Path(path)
    return _read(file, file.stat().st_mtime_ns if file.is_file() else 0)


@cache
def _read(path: Path, _time: int) -> WordCounts:
    text = read_text(path)
    counts: dict[str, int] = {}
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        word, tab, occurrences = line.rpartition("\t")
        occurrences = occurrences.strip()
        if not (tab and word.strip() and _NUMBER.fullmatch(occurrences)):
            raise InputFileError(
                f"{path}, line {number}: expected a word, a tab and its occurrences, such as the\t570817."
            )
        if word in counts:
            raise InputFileError(f"{path}, line {number}: {word!r} occurs twice; add its occurrences up.")
        counts[word] = int(occurrences)
    if not counts:
        raise InputFileError(f"{path} has no word, expected lines of a word, a tab and its occurrences.")
    return WordCounts(counts, hashlib.sha256(text.encode()).hexdigest()[:8])
