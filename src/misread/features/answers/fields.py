"""Fields extracted from a document or a corpus: right, missing, wrong and extra ones."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from misread.data.segment_table import Doubt
from misread.errors import AnswerError, ConfigurationError
from misread.features.answers.field_counts import (
    AS_SPECIFIED,
    DEFAULT_RULES,
    OTHER_FIELDS,
    FieldCounts,
    Rules,
    count_fields,
    flatten_fields,
)
from misread.features.answers.field_survey import Nested, describe_survey, survey_fields
from misread.features.answers.json_validity import parse_fields, parse_json
from misread.features.answers.records import count_records
from misread.io.yaml_files import read_yaml
from misread.metrics.base import InputKind, Metric, ScoredText, Survey
from misread.metrics.precision_recall import MatchScore, match_score, precision_recall_f1
from misread.named_result import Record
from misread.types import BoolArray, FloatArray, IntArray


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
    rules: Rules = AS_SPECIFIED,
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
    rules : mapping of field name to FieldRule, optional values
        How values of fields are compared, by default as the specification prints it; "*" means all other fields,
        and None leaves a field out.
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
    >>> from misread.features.answers.field_rules import FieldRule
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
    outcomes = {name: _outcome(field_counts) for name, field_counts in counts.items()}
    names = ([name for name in outcomes if outcomes[name] == outcome] for outcome in _OUTCOMES)
    return FieldScores(*scores, *names)


_OUTCOMES = ("correct", "missing", "incorrect", "extra")


def _outcome(counts: FieldCounts) -> str:
    """Outcome of a field, one of `_OUTCOMES`; empty if neither side has a value."""
    if counts.reference and counts.hypothesis:
        return "correct" if counts.correct == counts.reference == counts.hypothesis else "incorrect"
    return "missing" if counts.reference else "extra" if counts.hypothesis else ""


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
    rules : mapping of field name to FieldRule, optional values
        How values of fields are compared, by default as `FieldRule()` does; "*" means all other fields, and None
        leaves a field out.
    average : {"values", "fields"}
        "values": from the sums over all fields. "fields": the mean of the scores of the fields that the rules name; no
        others count.
    flatten : bool
        Whether fields of nested objects are named by their path (`vendor.city`) and counted separately.
    records : bool
        Whether fields of objects in lists, too, are named by their path (`entries[].surname`) and counted separately,
        of records that are paired so that most values are right; an answer may be a list of objects.

    Raises
    ------
    ConfigurationError
        If `average` is "fields" and the rules name no field; where references are scored, if none has a field that
        the rules name.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 2.1.
    """

    score: MatchScore = "f1"
    rules: Rules = field(default_factory=lambda: DEFAULT_RULES)
    average: Literal["values", "fields"] = "values"
    flatten: bool = False
    records: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.average == "fields" and (not self._averaged or self.rules.get(OTHER_FIELDS)):
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
        return (*(f"{name}.{count}" for name in self._averaged for count in _COUNTS), "compared")

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
                self._compare(self._fields(reference), {})
            except AnswerError as error:
                problems[row] = str(error)
        return problems

    is_ratio = False

    def survey(self, pairs: ScoredText) -> Survey:
        """Fields that references have, and values that mean nothing on both sides but are written differently."""
        references, hypotheses = (map(self._given_fields, texts) for texts in (pairs.references, pairs.hypotheses))
        return survey_fields(references, hypotheses, self._all_rules, self._nested)

    def doubts(self, survey: Survey, system: str) -> list[Doubt]:
        """Doubts about rules and nested values; raises ConfigurationError for a rule of a field that nothing has."""
        return describe_survey(self.id, survey, self._all_rules, system)

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
        nested = {} if self._nested == "whole" else {"nested": self._nested}
        return {"unit": "field", "rules": _describe(self.rules), "average": self.average, **nested, "norm": norm}

    def count_by_field(self, reference: str, hypothesis: str) -> Mapping[str, FieldCounts] | None:
        """Values of one document by field; None for an unusable reference."""
        try:
            return self._compare(self._fields(reference), self._given_fields(hypothesis))
        except AnswerError:
            # `problems` reports this reference.
            return None

    def is_parsed(self, hypothesis: str) -> bool:
        """Whether an answer has fields that can be read."""
        try:
            self._fields(hypothesis)
        except AnswerError:
            return False
        return True

    def _count(self, reference: str, hypothesis: str) -> list[int]:
        counts = self.count_by_field(reference, hypothesis)
        if counts is None:
            return [0] * len(self.columns)
        if self.average == "fields":
            return [*(value for name in self._averaged for value in counts.get(name, (0, 0, 0))), 1]
        return [
            *(sum(field_counts[position] for field_counts in counts.values()) for position in range(len(_COUNTS))),
            1,
        ]

    def _compare(self, reference: Mapping[str, object], hypothesis: Mapping[str, object]) -> dict[str, FieldCounts]:
        compare = count_records if self.records else count_fields
        return compare(reference, hypothesis, self._all_rules)

    @property
    def _nested(self) -> Nested:
        return "records" if self.records else "flat" if self.flatten else "whole"

    @property
    def _averaged(self) -> list[str]:
        """Fields with a rule of their own."""
        return [name for name, rule in self.rules.items() if name != OTHER_FIELDS and rule]

    @property
    def _all_rules(self) -> Rules:
        return {**self.rules, OTHER_FIELDS: None} if self.average == "fields" else self.rules

    def _given_fields(self, text: str) -> Mapping[str, object]:
        try:
            return self._fields(text)
        except AnswerError:
            return {}

    def _fields(self, text: str) -> Mapping[str, object]:
        if self.records:
            return _parse_records(text)
        fields = parse_fields(text)
        return flatten_fields(fields) if self.flatten else fields


def _parse_records(text: str) -> Mapping[str, object]:
    """Parse a JSON object, or a list of objects, which is named by nothing."""
    try:
        value = parse_json(text)
    except ValueError:
        value = None
    if isinstance(value, list) and any(isinstance(entry, Mapping) for entry in value):
        return {"": value}
    return parse_fields(text)


def _describe(rules: Rules) -> str:
    if rules == DEFAULT_RULES:
        return "default"
    content = json.dumps({name: rule and asdict(rule) for name, rule in rules.items()}, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:8]
