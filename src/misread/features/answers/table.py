"""Table of the fields of answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from misread.features.answers.fields import FieldMatch
from misread.metrics.precision_recall import precision_recall_f1
from misread.tables import Column, ReportSettings, SystemView, ViewInput, in_files, rate_column
from misread.tally import ScoredSystem


class FieldRow(NamedTuple):
    """Values of one field by one system."""

    field: str
    expected: int
    extracted: int
    correct: int
    precision: float
    recall: float
    f1: float


class CountedFields(NamedTuple):
    """Fields of one system, in the order in which references have them, and answers without any that can be read."""

    rows: Sequence[FieldRow]
    answers: int
    unreadable: int


@dataclass(frozen=True)
class Fields(SystemView):
    """Precision, recall and F1 of every field, by the rules of the first field metric, else of all nested fields."""

    def caption(self, dataset: str) -> str:
        """Data set whose fields are counted."""
        return f"Fields of answers on {dataset}."

    def count(self, system: ScoredSystem) -> Sequence[FieldRow]:
        """One row per field."""
        return system.once(_count).rows

    def columns(self, settings: ReportSettings) -> Sequence[Column]:
        """The field, its values on both sides, and its scores."""
        return [
            Column("field", lambda row: row.field, kind="name", name="field"),
            Column("in references", lambda row: row.expected, name="reference"),
            Column("in answers", lambda row: row.extracted, name="hypothesis"),
            Column("right", lambda row: row.correct, name="correct"),
            in_files("missing", lambda row: max(0, row.expected - row.extracted)),
            rate_column("precision", lambda row: row.precision, settings.rates),
            rate_column("recall", lambda row: row.recall, settings.rates),
            rate_column("F1", lambda row: row.f1, settings.rates, name="f1"),
        ]

    def notes(self, source: ViewInput) -> Sequence[str]:
        """Answers of every system that are no JSON object, whose fields are all missing."""
        counted = {source.settings.name(system): scored.once(_count) for system, scored in source.scored.items()}
        return [
            f"{name}: {fields.unreadable:,} of {fields.answers:,} answers are no JSON object; their fields are missing."
            for name, fields in counted.items()
            if fields.unreadable
        ]


def _count(system: ScoredSystem) -> CountedFields:
    metric = next(
        (metric for metric in system.metrics if isinstance(metric, FieldMatch)), FieldMatch("fields", records=True)
    )
    sums: dict[str, list[int]] = {}
    answers, unreadable = 0, 0
    for part in system.parts():
        texts = part.normalized
        for reference, hypothesis in zip(texts.references, texts.hypotheses, strict=True):
            counts = metric.count_by_field(reference, hypothesis)
            if counts is None:
                continue
            answers += 1
            unreadable += not metric.is_parsed(hypothesis)
            for name, (correct, expected, extracted) in counts.items():
                row = sums.setdefault(name, [0, 0, 0])
                row[0], row[1], row[2] = row[0] + correct, row[1] + expected, row[2] + extracted
    rows = [
        FieldRow(
            name, expected, extracted, correct, *precision_recall_f1(correct, extracted - correct, expected - correct)
        )
        for name, (correct, expected, extracted) in sums.items()
        if expected or extracted
    ]
    # Fields that no reference has come last.
    return CountedFields(sorted(rows, key=lambda row: not row.expected), answers, unreadable)
