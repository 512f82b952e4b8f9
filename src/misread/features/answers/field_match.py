"""Fields of JSON answers as a metric of a whole corpus."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import ClassVar, Literal

import numpy as np

from misread.errors import AnswerError, ConfigurationError
from misread.features.answers.field_counts import AS_SPECIFIED, OTHER_FIELDS, count_fields, flatten_fields
from misread.features.answers.field_rules import FieldRule
from misread.features.answers.json_answers import parse_fields
from misread.metrics.base import InputKind, Metric, ScoredText
from misread.metrics.precision_recall import MatchScore, match_score
from misread.types import BoolArray, FloatArray, IntArray

_COUNTS = ("correct", "reference_values", "hypothesis_values")


@dataclass(frozen=True)
class FieldMatch(Metric):
    """Precision, recall or F1 of the fields of documents; references and hypotheses are JSON objects.

    An answer that is not a JSON object has no fields. A fence around it is taken off before, by a normalizer with the
    step `unwrap_code_fence`.

    Parameters
    ----------
    score : {"precision", "recall", "f1"}
        Right values over those given, over those asked for, or the harmonic mean of both.
    rules : mapping of field name to FieldRule
        Fields that count, and how; "*" stands for every other field.
    average : {"values", "fields"}
        "values": over the sums of all fields. "fields": the mean over fields, each over its own sums; then the rules
        have to name all fields.
    flatten : bool
        Whether fields of nested objects are named by their path (`vendor.city`) and counted by themselves.

    Raises
    ------
    ConfigurationError
        If a mean over fields is asked for and the rules name no field, or "*".

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

    @property
    def columns(self) -> tuple[str, ...]:
        if self.average == "values":
            return (*_COUNTS, "compared")
        return (*(f"{name}.{count}" for name in self.rules for count in _COUNTS), "compared")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, columns); 0 only where the reference cannot be used."""
        rows = [
            self._count(reference, hypothesis)
            for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True)
        ]
        return np.array(rows, dtype=np.int64).reshape(len(rows), len(self.columns))

    def problems(self, references: Sequence[str]) -> Mapping[int, str]:
        """What is wrong with references, by their position."""
        problems = {}
        for row, reference in enumerate(references):
            try:
                count_fields(self._fields(reference), {}, self.rules)
            except AnswerError as error:
                problems[row] = str(error)
        return problems

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., columns) -> (...); NaN where no document was compared."""
        values = counts[..., :-1].reshape(*counts.shape[:-1], -1, len(_COUNTS))
        scores = match_score(self.score, *np.moveaxis(values, -1, 0))
        return np.where(counts[..., -1] > 0, scores.mean(axis=-1), np.nan)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether every value of a document is right and none is too many."""
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
            # `problems` says what is wrong with this reference.
            return [0] * len(self.columns)
        if self.average == "fields":
            return [*(value for name in self.rules for value in counts.get(name, (0, 0, 0))), 1]
        return [*(sum(of[position] for of in counts.values()) for position in range(len(_COUNTS))), 1]

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
