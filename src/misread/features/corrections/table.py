"""Tables of what a correction has made better and worse, and of punctuation marks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from misread.metrics.precision_recall import precision_recall_f1
from misread.tables import Cell, Column, ReportSettings, Table
from misread.tally import ScoredSystem
from misread.text.display import file_stem

_CORRECTIONS = (
    *("improved", "worsened", "same", "errors_before", "errors_after"),
    *("corrected", "left_wrong", "damaged", "kept", "inserted_before", "inserted_after"),
)


def lay_out_corrections(dataset: str, scored: Mapping[str, ScoredSystem], settings: ReportSettings) -> Table | None:
    """Segments, characters and words before and after a correction."""
    rows, records = [], []
    for system, of in scored.items():
        counts = dict(zip(_CORRECTIONS, of.corrections.sum(axis=0).tolist(), strict=True))
        shown = [
            "/".join(f"{counts[name]:,}" for name in names)
            for names in (
                ("improved", "worsened", "same"),
                ("errors_before", "errors_after"),
                ("corrected", "left_wrong"),
                ("damaged", "kept"),
                ("inserted_before", "inserted_after"),
            )
        ]
        rows.append([Cell(settings.name(system)), *map(Cell, shown)])
        records.append((dataset, system, *counts.values()))
    return Table(
        stem=file_stem(dataset, "corrections"),
        caption=f"What each system made of the recognized text on {settings.name(dataset)}.",
        columns=[
            Column("system", kind="name"),
            Column("segments better/worse/same"),
            Column("character errors before/after"),
            Column("wrong words corrected/left"),
            Column("right words damaged/kept"),
            Column("words inserted before/after"),
        ],
        rows=rows,
        notes=[
            "A word of the reference is right if it is a hit of the alignment of words.",
            "error_reduction, corrected_words, damaged_words, improved_segments and worsened_segments have intervals.",
        ],
        record_names=("dataset", "system", *_CORRECTIONS),
        records=records,
    )


def lay_out_punctuation(dataset: str, scored: Mapping[str, ScoredSystem], settings: ReportSettings) -> Table | None:
    """Precision, recall and F1 of every punctuation mark, the most frequent one first."""
    rates = settings.rates
    rows, records = [], []
    for system, of in scored.items():
        codes = np.unique(of.marks.codes)
        sums = {chr(code): of.marks.counts[of.marks.codes == code].sum(axis=0).tolist() for code in codes.tolist()}
        for mark, (matches, expected, got) in sorted(sums.items(), key=lambda item: (-item[1][1], item[0])):
            scores = precision_recall_f1(matches, got - matches, expected - matches)
            cells = [rates.rate(score) for score in scores]
            rows.append(
                [Cell(settings.name(system)), Cell(mark), Cell(f"{expected:,}"), Cell(f"{got:,}"), *map(Cell, cells)]
            )
            records.append((dataset, system, mark, expected, got, matches, *scores))
    if not rows:
        return None
    return Table(
        stem=file_stem(dataset, "punctuation"),
        caption=f"Punctuation marks on {settings.name(dataset)}, at words aligned without punctuation and case.",
        columns=[
            Column("system", kind="name"),
            Column("mark", kind="sign"),
            Column("in references"),
            Column("in hypotheses"),
            *(Column(f"{name}{rates.sign}", kind="decimal") for name in ("precision", "recall", "F1")),
        ],
        rows=rows,
        notes=["A mark is right if the word that it stands at, or after, has it in both texts."],
        record_names=("dataset", "system", "mark", "reference", "hypothesis", "matches", "precision", "recall", "f1"),
        records=records,
    )
