"""Structured answers as metrics of a whole corpus; references do not matter."""

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, cast

import numpy as np

from misread.alignment.encode.inputs import check_texts
from misread.errors import ConfigurationError
from misread.features.answers.json_validity import StructuredValidity, json_check
from misread.features.answers.xml_validity import required_by, xml_check
from misread.io.json_files import decode_json
from misread.io.text import read_text
from misread.metrics.base import InputKind, Metric, ScoredText
from misread.types import IntArray

AnswerFormat = Literal["json", "xml"]
StructuredScore = Literal["validity", "compliance", "completeness"]


@dataclass(frozen=True)
class StructuredAnswers(Metric):
    """Share of answers that can be parsed, or fit a schema; or share of required fields that are there.

    OCR Benchmarking Metrics Specification, section 2.2.
    """

    answer_format: AnswerFormat
    score: StructuredScore  # "validity" needs no schema
    schema: Mapping[str, Any] | str | None = None  # JSON Schema, or XML Schema as text
    required: Sequence[str] = ()  # a JSON Schema names its own instead, an XML Schema adds its own

    def __post_init__(self) -> None:
        super().__post_init__()
        check_texts(f"required of metric {self.id!r}", self.required)

    input_kind: ClassVar[InputKind] = "markup"

    @property
    def columns(self) -> tuple[str, ...]:
        return {
            "validity": ("valid", "compared"),
            "compliance": ("compliant", "compared"),
            "completeness": ("present", "required"),
        }[self.score]

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        check, required = self._check(), len(self._required())
        if self.score == "completeness":
            rows = [(round(check(text).completeness_score * required), required) for text in pairs.hypotheses]
        elif self.score == "compliance":
            rows = [(int(check(text).is_schema_compliant), 1) for text in pairs.hypotheses]
        else:
            rows = [(int(check(text).is_valid), 1) for text in pairs.hypotheses]
        return np.array(rows, dtype=np.int64).reshape(len(rows), 2)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, schema, normalizer."""
        content = json.dumps([self.schema, list(self.required)], sort_keys=True)
        schema = hashlib.sha256(content.encode()).hexdigest()[:8] if self.schema or self.required else "none"
        return {"unit": "answer", "schema": schema, "norm": norm}

    def _check(self) -> Callable[[str], StructuredValidity]:
        if self.score == "compliance" and self.schema is None:
            raise ConfigurationError(f"{self.id} needs a schema: {self._remedy('schema')}.")
        if self.score == "completeness" and not self._required():
            raise ConfigurationError(f"{self.id} needs fields that are required: {self._remedy('required')}.")
        if self.answer_format == "xml":
            return xml_check(cast("str | None", self.schema), required=self.required)
        # Without a schema any JSON will do.
        schema = cast("Mapping[str, Any]", self.schema or {"required": list(self.required)})
        return json_check(schema, name=f"the JSON Schema of {self.id}")

    def _required(self) -> Sequence[str]:
        if self.answer_format == "xml":
            return required_by(cast("str | None", self.schema), self.required)
        if isinstance(self.schema, Mapping):
            named: Sequence[str] = self.schema.get("required", ())
            return named
        return self.required

    def _remedy(self, what: str) -> str:
        return f"set configured_metrics.{self.id}.{what} in conf/config.yaml, or --{what}"


def with_schema(
    metrics: Sequence[Metric], schema: str | os.PathLike[str] | None, required: Sequence[str]
) -> list[Metric]:
    """Give metrics of structured answers the schema of a file, and fields that are required; others stay as they are.

    A .json file with a JSON Schema goes to metrics of JSON answers, any other file, as an XML Schema, to those of XML
    answers.
    """
    given: dict[AnswerFormat, Any] = {}
    check_texts("required", required)
    if schema is not None:
        schema = Path(schema)
        if schema.suffix == ".json":
            given["json"] = decode_json(read_text(schema), schema)
        else:
            given["xml"] = read_text(schema)
    if not (given or required):
        return list(metrics)
    structured = [metric for metric in metrics if isinstance(metric, StructuredAnswers)]
    if not structured or not all(any(metric.answer_format == kind for metric in structured) for kind in given):
        raise ConfigurationError("none of the chosen metrics uses the schema or the required fields.")
    return [
        replace(metric, schema=given.get(metric.answer_format), required=tuple(required))
        if isinstance(metric, StructuredAnswers)
        else metric
        for metric in metrics
    ]
