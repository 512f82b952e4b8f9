"""Fields extracted from documents: which are right, missing, wrong, or not asked for."""

from collections.abc import Mapping
from dataclasses import dataclass

from misread.features.answers.field_counts import AS_SPECIFIED, count_fields
from misread.features.answers.field_rules import FieldRule
from misread.metrics.precision_recall import precision_recall_f1
from misread.named_result import Record


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


def field_extraction_f1(
    *,
    reference: Mapping[str, object],
    hypothesis: Mapping[str, object],
    rules: Mapping[str, FieldRule] = AS_SPECIFIED,
    segment_id: str = "",
) -> FieldScores:
    """Precision, recall and F1 of extracted fields.

    A field is right when both name and value agree. Without rules values are compared as text, without white space at
    their ends and without case.

    Parameters
    ----------
    reference, hypothesis : mapping of str to object
        Values by field name; by keyword only, as the specification has the hypothesis first and other functions the
        reference.
    rules : mapping of field name to FieldRule
        Fields that count, and how their values are compared; "*" stands for every other field.
    segment_id : str
        Of the document, for messages.

    Returns
    -------
    FieldScores
        Fractions of values (one per field, unless its rule takes the items of a list one by one); a score without a
        denominator is 0. A field of several values is correct when all of them are, and none is too many.

    Raises
    ------
    InputTypeError
        If a side is not a mapping; names the segment.
    AnswerError
        If a reference value is not what its rule compares; names segment and field.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 2.1 (`ground_truth_fields` and `extracted_fields`).

    Examples
    --------
    >>> truth, found = {"date": "2024-03-15", "total": "$150.00"}, {"date": "2024-03-15 ", "sum": "1"}
    >>> scores = field_extraction_f1(reference=truth, hypothesis=found)
    >>> scores.field_f1, scores.missing_fields, scores.extra_fields
    (0.5, ['total'], ['sum'])
    >>> as_number = {"*": FieldRule(compare="number")}
    >>> field_extraction_f1(reference={"total": "$150.00"}, hypothesis={"total": 150}, rules=as_number).field_f1
    1.0
    """
    counts = count_fields(reference, hypothesis, rules, segment_id=segment_id)
    correct, asked, given = (sum(of[position] for of in counts.values()) for position in range(3))
    scores = precision_recall_f1(correct, given - correct, asked - correct)
    right = [name for name, of in counts.items() if of.correct == of.reference == of.hypothesis > 0]
    missing = [name for name, of in counts.items() if of.reference and not of.hypothesis]
    extra = [name for name, of in counts.items() if of.hypothesis and not of.reference]
    wrong = [name for name, of in counts.items() if of.reference and of.hypothesis and name not in right]
    return FieldScores(*scores, right, missing, wrong, extra)
