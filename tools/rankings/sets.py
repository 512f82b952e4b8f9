"""Public sets with all outputs: what was published of them, under which regimes they are counted, how they are read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from misread.data import from_columns, read_segment_files
from misread.data.segment_table import SegmentTable

Columns = Mapping[str, Sequence[str]]
"""Texts of systems, in the order of the references."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Ids, clusters, references and outputs of a set; without `table` it is made of these."""

    ids: Sequence[str]
    clusters: Sequence[str]
    references: Sequence[str]
    systems: Columns
    table: SegmentTable | None = None
    biasing: Sequence[Any] = ()

    def with_system(self, name: str, path: Path) -> Texts:
        """Add the outputs of one more system, a CSV file with the columns id and text."""
        with path.open(encoding="utf-8", newline="") as file:
            rows = {row["id"]: row["text"] for row in csv.DictReader(file)}
        missing = [key for key in self.ids if key not in rows]
        if missing:
            raise SystemExit(f"{path} lacks {len(missing)} of {len(self.ids)} ids: {', '.join(missing[:5])} ...")
        texts = [rows[key] for key in self.ids]
        table = self.table
        if table is not None:
            table = replace(table, hypotheses={**table.hypotheses, name: texts})
        return replace(self, systems={**self.systems, name: texts}, table=table)

    def as_table(self, name: str) -> SegmentTable:
        """The texts as misread scores them."""
        if self.table is not None:
            return self.table
        return from_columns(self.references, self.systems, ids=self.ids, clusters=self.clusters, name=name)


@dataclass(frozen=True, slots=True)
class Ranking:
    """One set.

    `published` has the rates in per cent, with the digits that were printed. `like` is the regime, the rate and the
    average that the publication comes nearest to. `read` takes the folder of all sets, and whether references that read
    in several ways keep them.
    """

    title: str
    source: str
    cluster: str
    labels: Mapping[str, str]
    published: Mapping[str, str]
    like: tuple[str, str, str]
    regimes: Sequence[str]
    read: Callable[[Path, bool], Texts]


def _das22(folder: Path, _: bool) -> Texts:
    lines = (folder / "das22_directories/entries.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
    rows = [json.loads(line) for line in lines]
    systems = {name: [row[name] or "" for row in rows] for name in ("pero", "tesseract4", "kraken")}
    ids = [f"{row['book']}/{row['page']}/{row['id']}" for row in rows]
    return Texts(ids, [row["book"] for row in rows], [row["ref"] for row in rows], systems)


def _earnings21(folder: Path, readings: bool) -> Texts:
    root = folder / "earnings21_eval10"
    outputs = {
        "google": "output/google",
        "amazon": "output/amazon",
        "rev_espnet": "output/rev/espnet/nlp",
        "kaldi_librispeech": "output/kaldi_org/librispeech/nlp",
    }
    table = read_segment_files(
        root / "transcripts/nlp_references",
        {name: root / path for name, path in outputs.items()},
        "nlp",
        alternatives=root / "transcripts/normalizations" if readings else None,
    )
    ids = [*table.keys.segment_id]
    return Texts(ids, ids, table.references, {}, table=table)


def _repeated_runs(folder: Path, _: bool) -> Texts:
    lines = (folder / "repeated_runs/lines.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
    rows = [json.loads(line) for line in lines]
    systems = {name: [row[name] for row in rows] for name in ("ocr", "run1", "run2", "run3", "run4", "run5")}
    ids = [f"{row['page']}/{row['line']}" for row in rows]
    return Texts(ids, [row["page"] for row in rows], [row["ref"] for row in rows], systems)


def _rare_words(folder: Path, _: bool) -> Texts:
    root = folder / "rare_words"
    rows = [line.split("\t") for line in (root / "test-clean.ref.tsv").read_text(encoding="utf-8").splitlines()]
    systems = {}
    for name, file in (
        ("b1", "b1.rnnt_baseline"),
        ("s1", "s1.b1+db-rnnt.biasing_100"),
        ("s5", "s5.s3+db-nnlm.biasing_100"),
    ):
        lines = (root / f"test-clean.{file}.tsv").read_text(encoding="utf-8").splitlines()
        texts = dict([*line.split("\t"), ""][:2] for line in lines)
        systems[name] = [texts[row[0]] for row in rows]
    speakers = [row[0].split("-")[0] for row in rows]
    biasing = [json.loads(row[2]) for row in rows]
    return Texts([row[0] for row in rows], speakers, [row[1] for row in rows], systems, biasing=biasing)


RANKINGS: Final = {
    "das22": Ranking(
        "Paris directories",
        "Abadie et al. (2022), figure 4: 8,765 entries, of which 4,668 have all outputs",
        "book",
        {"pero": "PERO", "tesseract4": "Tesseract 4", "kraken": "Kraken"},
        {"pero": "3.78", "tesseract4": "6.56", "kraken": "15.72"},
        ("isri", "cer", "micro"),
        ("misread", "jiwer", "dinglehopper", "isri", "ocr_benchmark"),
        _das22,
    ),
    "earnings21": Ranking(
        "Earnings calls",
        "Del Rio et al. (2021), Eval-10, with fstalign",
        "call",
        {"google": "Google", "amazon": "Amazon", "rev_espnet": "Rev ESPnet", "kaldi_librispeech": "Kaldi LibriSpeech"},
        {"google": "18.5", "amazon": "18.0", "rev_espnet": "12.7", "kaldi_librispeech": "52.2"},
        ("sclite", "wer", "micro"),
        ("misread", "sclite", "jiwer", "whisper_english", "open_asr"),
        _earnings21,
    ),
    "repeated_runs": Ranking(
        "Newspaper lines corrected by one model, five times",
        "cinoc, campaign 2026-08-14",
        "page",
        {"ocr": "before", **{f"run{run}": f"run {run}" for run in range(1, 6)}},
        {"ocr": "10.38", "run1": "3.57", "run2": "3.49", "run3": "3.38", "run4": "3.43", "run5": "3.53"},
        ("misread", "cer", "micro"),
        ("misread", "jiwer", "dinglehopper", "isri", "ocr_benchmark"),
        _repeated_runs,
    ),
    "rare_words": Ranking(
        "LibriSpeech test-clean with biasing lists",
        "Le et al. (2021), fbai-speech",
        "speaker",
        {"b1": "b1, baseline", "s1": "s1, biased", "s5": "s5, biased"},
        {"b1": "3.6538", "s1": "3.1060", "s5": "1.9819"},
        ("sclite", "wer", "micro"),
        ("misread", "sclite", "jiwer", "whisper_english"),
        _rare_words,
    ),
}
