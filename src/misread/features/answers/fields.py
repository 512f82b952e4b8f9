"""Fields extracted from a document or a corpus: right, missing, wrong and extra ones."""

import hashlib
import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, NamedTuple

import numpy as np
import scipy

from misread.errors import AnswerError, ConfigurationError, InputTypeError
from misread.features.answers.field_rules import FieldRule
from misread.features.answers.json_validity import parse_fields
from misread.io.yaml_files import read_yaml
from misread.metrics.base import InputKind, Metric, ScoredText
from misread.metrics.precision_recall import MatchScore, match_score, precision_recall_f1
from misread.named_result import Record
from misread.types import BoolArray, FloatArray, IntArray

OTHER_FIELDS: Final = "*"
"""Key of the rule for all fields without their own."""

AS_SPECIFIED: Final[Mapping[str, FieldRule]] = {OTHER_FIELDS: FieldRule()}
"""Every field counts, and is compared as text."""


class FieldCounts(NamedTuple):
    """Values of one field."""

    correct: int
    reference: int
    hypothesis: int


def count_fields(
    reference: object, hypothesis: object, rules: Mapping[str, FieldRule] = AS_SPECIFIED, *, segment_id: str = ""
) -> dict[str, FieldCounts]:
    """Counts of values by field of one document, sorted by name, without fields that neither side has.

    `rules` defines which fields count, and how; "*" stands for all other fields. Errors name the segment and the field.
    Hopcroft & Karp (1973), An n^5/2 algorithm for maximum matchings in bipartite graphs.
    """
    expected, extracted = (
        require_fields(reference, "reference", segment_id),
        require_fields(hypothesis, "hypothesis", segment_id),
    )
    if not isinstance(rules, Mapping):
        raise InputTypeError(f"rules is of type {type(rules).__name__}, expected a FieldRule by the name of its field.")
    counts = {}
    for name in sorted(expected.keys() | extracted.keys()):
        rule = rules.get(name, rules.get(OTHER_FIELDS))
        if rule is None:
            continue
        if not isinstance(rule, FieldRule):
            raise InputTypeError(f"the rule of field {name!r} is of type {type(rule).__name__}, expected a FieldRule.")
        try:
            asked = rule.reference_values(expected[name]) if name in expected else []
            accepted = [rule.accepted(value) for value in asked]
            wanted = frozenset[Hashable]().union(*accepted)
            values = rule.hypothesis_values(extracted[name], wanted) if name in extracted else []
            counts[name] = _count(accepted, [rule.key(value) for value in values], rule)
        except AnswerError as error:
            raise AnswerError(f"{name_segment(segment_id)}field {name!r} of the reference is {error}.") from None
    return counts


def flatten_fields(document: Mapping[str, object]) -> dict[str, object]:
    """Name the fields of nested objects by their path, joined by points; lists stay unchanged."""
    flat: dict[str, object] = {}
    for name, value in document.items():
        if isinstance(value, Mapping) and value:
            flat.update({f"{name}.{inner}": inner_value for inner, inner_value in flatten_fields(value).items()})
        else:
            flat[name] = value
    return flat


def require_fields(side: object, name: str, segment_id: str = "") -> Mapping[str, object]:
    """Return a side if it is a mapping; otherwise raise InputTypeError with segment, side and type."""
    if not isinstance(side, Mapping):
        raise InputTypeError(
            f"{name_segment(segment_id)}the {name} is of type {type(side).__name__}, expected fields by name."
        )
    return side


def _count(accepted: list[frozenset[Hashable]], extracted: list[Hashable], rule: FieldRule) -> FieldCounts:
    if rule.items == "set":
        accepted, extracted = list(dict.fromkeys(accepted)), list(dict.fromkeys(extracted))
    fits = np.array([[key in keys for key in extracted] for keys in accepted], dtype=bool)
    if not fits.size:
        return FieldCounts(0, len(accepted), len(extracted))
    # A name may match two persons: the assignment with the most matches does not depend on the order.
    correct = int(
        (scipy.sparse.csgraph.maximum_bipartite_matching(scipy.sparse.csr_array(fits), perm_type="column") >= 0).sum()
    )
    # In a set, a second name of a matched value is neither right nor wrong.
    asked = correct + int((~fits.any(axis=0)).sum()) if rule.items == "set" else len(extracted)
    return FieldCounts(correct, len(accepted), asked)


def name_segment(segment_id: str) -> str:
    """Start of a message about a document; empty without an id."""
    return f"segment {segment_id!r}: " if segment_id else ""


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

    A field is right if both name and value agree. By default, values are compared as text, without surrounding white
    space and without case.

    Parameters
    ----------
    reference, hypothesis : mapping of str to object
        Values by field name; keyword-only, because the specification has the hypothesis first and other functions the
        reference.
    rules : mapping of field name to FieldRule
        Fields that count, and how their values are compared; "*" stands for all other fields.
    segment_id : str
        Id of the document, for messages.

    Returns
    -------
    FieldScores
        Fractions of values (one per field, unless its rule counts the items of a list); a score without a denominator
        is 0. A field of several values is correct if all expected values are given and no others.

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
    correct, asked, extracted = (
        sum(field_counts[position] for field_counts in counts.values()) for position in range(3)
    )
    scores = precision_recall_f1(correct, extracted - correct, asked - correct)
    right = [
        name
        for name, field_counts in counts.items()
        if field_counts.correct == field_counts.reference == field_counts.hypothesis > 0
    ]
    missing = [name for name, field_counts in counts.items() if field_counts.reference and not field_counts.hypothesis]
    extra = [name for name, field_counts in counts.items() if field_counts.hypothesis and not field_counts.reference]
    wrong = [
        name
        for name, field_counts in counts.items()
        if field_counts.reference and field_counts.hypothesis and name not in right
    ]
    return FieldScores(*scores, right, missing, wrong, extra)


_COUNTS = ("correct", "reference_values", "hypothesis_values")


@dataclass(frozen=True)
class FieldMatch(Metric):
    """Precision, recall or F1 of the fields of documents; references and hypotheses are JSON objects.

    An answer that is not a JSON object has no fields. Use a normalizer with the step `unwrap_code_fence` to remove a
    fence around it.

    Parameters
    ----------
    score : {"precision", "recall", "f1"}
        Right values over those of the hypothesis, over those of the reference, or the harmonic mean of both.
    rules : mapping of field name to FieldRule
        Fields that count, and how; "*" stands for all other fields.
    average : {"values", "fields"}
        "values": from the sums over all fields. "fields": the mean of the scores of fields; then the rules must name
        all fields.
    flatten : bool
        Whether fields of nested objects are named by their path (`vendor.city`) and counted separately.

    Raises
    ------
    ConfigurationError
        If `average` is "fields" and the rules name no field, or "*".

    References
    ----------
    OCR Benchmarking Metrics Specification, section 2.1.
    """

    score: MatchScore = "f1"
    rules: Mapping[str, FieldRule] = field(default_factory=lambda: AS_SPECIFIED)
    average: Literal["values", "fields"] = "values"
    flatten: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.average == "fields" and (not self.rules or OTHER_FIELDS in self.rules):
            raise ConfigurationError(f"metric {self.id!r}: a mean over fields needs rules that name each of them.")

    input_kind: ClassVar[InputKind] = "markup"
    files = ("rules",)

    @classmethod
    def read_file(cls, setting: str, path: Path) -> Any:  # noqa: ARG003 - there is one
        """Rules by field from a file of YAML or JSON."""
        return read_yaml(path)

    @property
    def columns(self) -> tuple[str, ...]:
        if self.average == "values":
            return (*_COUNTS, "compared")
        return (*(f"{name}.{count}" for name in self.rules for count in _COUNTS), "compared")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, columns); zeros for an unusable reference."""
        rows = [
            self._count(reference, hypothesis)
            for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True)
        ]
        return np.array(rows, dtype=np.int64).reshape(len(rows), len(self.columns))

    def problems(self, references: Sequence[str]) -> Mapping[int, str]:
        """Problems of references, by position."""
        problems = {}
        for row, reference in enumerate(references):
            try:
                count_fields(self._fields(reference), {}, self.rules)
            except AnswerError as error:
                problems[row] = str(error)
        return problems

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., columns) -> (...); NaN if no document was compared."""
        values = counts[..., :-1].reshape(*counts.shape[:-1], -1, len(_COUNTS))
        scores = match_score(self.score, *np.moveaxis(values, -1, 0))
        return np.where(counts[..., -1] > 0, scores.mean(axis=-1), np.nan)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether each document has all expected values and no others."""
        values = counts[:, :-1].reshape(len(counts), -1, len(_COUNTS))
        exact: BoolArray = (values == values[..., :1]).all(axis=(1, 2))
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, rules, average, normalizer."""
        nested = {"nested": "flat"} if self.flatten else {}
        return {"unit": "field", "rules": _describe(self.rules), "average": self.average, **nested, "norm": norm}

    def _count(self, reference: str, hypothesis: str) -> list[int]:
        try:
            expected = self._fields(reference)
            counts = count_fields(expected, self._given_fields(hypothesis), self.rules)
        except AnswerError:
            # `problems` reports this reference.
            return [0] * len(self.columns)
        if self.average == "fields":
            return [*(value for name in self.rules for value in counts.get(name, (0, 0, 0))), 1]
        return [
            *(sum(field_counts[position] for field_counts in counts.values()) for position in range(len(_COUNTS))),
            1,
        ]

    def _given_fields(self, text: str) -> Mapping[str, object]:
        try:
            return self._fields(text)
        except AnswerError:
            return {}

    def _fields(self, text: str) -> Mapping[str, object]:
        fields = parse_fields(text)
        return flatten_fields(fields) if self.flatten else fields


def _describe(rules: Mapping[str, FieldRule]) -> str:
    if rules == AS_SPECIFIED:
        return "specified"
    content = json.dumps({name: asdict(rule) for name, rule in rules.items()}, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:8]
