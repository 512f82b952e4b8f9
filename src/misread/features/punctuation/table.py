"""Table of punctuation marks."""

from __future__ import annotations

from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np

from misread.features.punctuation.metric import count_marks
from misread.metrics.base import ScoredText
from misread.metrics.precision_recall import precision_recall_f1
from misread.tables import Column, Table, in_files
from misread.tables.view import View, ViewInput
from misread.text.display import file_stem


def lay_out_punctuation(source: ViewInput) -> Table | None:
    """Precision, recall and F1 of every punctuation mark, the most frequent one first."""
    dataset, settings, rates = source.dataset, source.settings, source.settings.rates
    rows = [row for system, scored in source.scored.items() for row in _count_marks(system, scored.normalized)]
    if not rows:
        return None

    def score_column(title: str, name: str) -> Column:
        return Column(f"{title}{rates.sign}", attrgetter(name), rates.rate, kind="decimal", name=name)

    return Table(
        stem=file_stem(dataset, "punctuation"),
        caption=f"Punctuation marks on {settings.name(dataset)}, at words aligned without punctuation and case.",
        columns=[
            in_files("dataset", dataset),
            Column("system", lambda row: row.system, settings.name, kind="name", name="system"),
            Column("mark", lambda row: row.mark, kind="sign", name="mark"),
            Column("in references", lambda row: row.expected, name="reference"),
            Column("in hypotheses", lambda row: row.got, name="hypothesis"),
            in_files("matches", lambda row: row.matches),
            score_column("precision", "precision"),
            score_column("recall", "recall"),
            score_column("F1", "f1"),
        ],
        rows=rows,
        notes=["A mark is right if the word that it stands at, or after, has it in both texts."],
    )


class _MarkRow(NamedTuple):
    """One punctuation mark by one system: how often it is expected, was written, and is right."""

    system: str
    mark: str
    expected: int
    got: int
    matches: int
    precision: float
    recall: float
    f1: float


def _count_marks(system: str, texts: ScoredText) -> list[_MarkRow]:
    marks = count_marks(texts)
    codes = np.unique(marks.codes)
    sums = {chr(code): marks.counts[marks.codes == code].sum(axis=0).tolist() for code in codes.tolist()}
    return [
        _MarkRow(system, mark, expected, got, matches, *precision_recall_f1(matches, got - matches, expected - matches))
        for mark, (matches, expected, got) in sorted(sums.items(), key=lambda item: (-item[1][1], item[0]))
    ]


PUNCTUATION: Final = View(lay_out_punctuation)
