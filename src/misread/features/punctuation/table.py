"""Table of punctuation marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from misread.features.punctuation.metric import count_marks
from misread.metrics.precision_recall import precision_recall_f1
from misread.tables import Column, ReportSettings, SystemView, ViewInput, in_files, rate_column
from misread.tally import ScoredSystem


class MarkRow(NamedTuple):
    """One punctuation mark by one system: how often it is expected, was written, and is right."""

    mark: str
    expected: int
    written: int
    matches: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class Punctuation(SystemView):
    """Precision, recall and F1 of every punctuation mark, the most frequent one first."""

    def caption(self, dataset: str) -> str:
        """Marks that are counted."""
        return f"Punctuation marks on {dataset}, at words aligned without punctuation and case."

    def count(self, system: ScoredSystem) -> Sequence[MarkRow]:
        """One row per mark."""
        marks = count_marks(system.normalized)
        codes = np.unique(marks.codes)
        sums = {chr(code): marks.counts[marks.codes == code].sum(axis=0).tolist() for code in codes.tolist()}
        rows = []
        for mark, (matches, expected, written) in sorted(sums.items(), key=lambda item: (-item[1][1], item[0])):
            scores = precision_recall_f1(matches, written - matches, expected - matches)
            rows.append(MarkRow(mark, expected, written, matches, *scores))
        return rows

    def columns(self, settings: ReportSettings) -> Sequence[Column]:
        """The mark, how often it is in either text, and its scores."""
        return [
            Column("mark", lambda row: row.mark, kind="sign", name="mark"),
            Column("in references", lambda row: row.expected, name="reference"),
            Column("in hypotheses", lambda row: row.written, name="hypothesis"),
            in_files("matches", lambda row: row.matches),
            rate_column("precision", lambda row: row.precision, settings.rates),
            rate_column("recall", lambda row: row.recall, settings.rates),
            rate_column("F1", lambda row: row.f1, settings.rates, name="f1"),
        ]

    def notes(self, source: ViewInput) -> Sequence[str]:  # noqa: ARG002 - all data sets have the same
        """When a mark is right."""
        return ["A mark is right if the word that it follows, or is part of, has it in both texts."]
