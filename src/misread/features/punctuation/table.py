"""Table of punctuation marks."""

from __future__ import annotations

from typing import Final

import numpy as np

from misread.features.punctuation.metric import count_marks
from misread.metrics.precision_recall import precision_recall_f1
from misread.tables import Cell, Column, Table
from misread.tables.view import View, ViewInput
from misread.text.display import file_stem


def lay_out_punctuation(source: ViewInput) -> Table | None:
    """Precision, recall and F1 of every punctuation mark, the most frequent one first."""
    dataset, settings, rates = source.dataset, source.settings, source.settings.rates
    rows, records = [], []
    for system, scored in source.scored.items():
        marks = count_marks(scored.normalized)
        codes = np.unique(marks.codes)
        sums = {chr(code): marks.counts[marks.codes == code].sum(axis=0).tolist() for code in codes.tolist()}
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


PUNCTUATION: Final = View(lay_out_punctuation)
