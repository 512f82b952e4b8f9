"""Fields extracted from documents: which are right, missing, wrong, or not asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from misread.metrics.precision_recall import precision_recall_f1
from misread.metrics.record import Record


@dataclass(frozen=True, slots=True)
class FieldScores(Record):
    """Scores of the fields of one document; names are sorted."""

    field_precision: float
    field_recall: float
    field_f1: float
    correct_fields: list[str]
    missing_fields: list[str]
    incorrect_fields: list[str]
    extra_fields: list[str]


def field_extraction_f1(reference_fields: Mapping[str, object], hypothesis_fields: Mapping[str, object]) -> FieldScores:
    """Precision, recall and F1 of extracted fields.

    A field is right when both name and value agree; values are compared as text, without white space at their ends
    and without case.

    Parameters
    ----------
    reference_fields, hypothesis_fields : mapping of str to object
        Values by field name.

    Returns
    -------
    FieldScores
        Fractions; a score without a denominator is 0.

    References
    ----------
    seeds/002, section 2.1 (which puts the hypothesis first).

    Examples
    --------
    >>> scores = field_extraction_f1({"date": "2024-03-15", "total": "$150.00"}, {"date": "2024-03-15 ", "sum": "1"})
    >>> scores.field_f1, scores.missing_fields, scores.extra_fields
    (0.5, ['total'], ['sum'])
    """
    shared = reference_fields.keys() & hypothesis_fields.keys()
    correct = {name for name in shared if _plain(reference_fields[name]) == _plain(hypothesis_fields[name])}
    scores = precision_recall_f1(
        len(correct), len(hypothesis_fields) - len(correct), len(reference_fields) - len(correct)
    )
    return FieldScores(
        *scores,
        sorted(correct),
        sorted(reference_fields.keys() - hypothesis_fields.keys()),
        sorted(shared - correct),
        sorted(hypothesis_fields.keys() - reference_fields.keys()),
    )


def _plain(value: object) -> str:
    return str(value).strip().lower()
