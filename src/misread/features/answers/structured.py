"""Metrics of structured answers over a corpus; references are ignored."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, cast

import numpy as np

from misread.alignment.encode.inputs import check_texts
from misread.data.segment_table import Doubt
from misread.errors import AnswerError, ConfigurationError
from misread.features.answers.json_validity import StructuredValidity, json_check, parse_fields
from misread.features.answers.xml_validity import required_by, xml_check
from misread.io.json_files import decode_json
from misread.io.text import read_text
from misread.metrics.base import InputKind, Metric, ScoredText, Survey
from misread.text.display import shorten_label
from misread.types import IntArray

AnswerFormat = Literal["json", "xml"]
StructuredScore = Literal["validity", "compliance", "completeness"]


@dataclass(frozen=True)
class StructuredAnswers(Metric):
    """Share of answers that can be parsed, or that fit a schema, or share of required fields that are present.

    OCR Benchmarking Metrics Specification, section 2.2.
    """

    answer_format: AnswerFormat
    score: StructuredScore  # "validity" needs no schema
    schema: Mapping[str, Any] | str | None = None  # JSON Schema, or XML Schema as text
    required: Sequence[str] = ()  # replaced by those of a JSON Schema, extended by those of an XML Schema

    def __post_init__(self) -> None:
        super().__post_init__()
        check_texts(f"required of metric {self.id!r}", self.required)

    input_kind: ClassVar[InputKind] = "markup"
    uses_references: ClassVar[bool] = False
    files = ("schema",)

    @classmethod
    def read_file(cls, setting: str, path: Path) -> Any:  # noqa: ARG003 - there is one
        """Content of a schema's file: of .json as a JSON Schema, of any other as an XML Schema."""
        return decode_json(read_text(path), path) if path.suffix == ".json" else read_text(path)

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

    def survey(self, pairs: ScoredText) -> Survey:
        """Numbers of JSON answers that have each required field."""
        if self.score != "completeness" or self.answer_format != "json":
            return {}
        present = dict.fromkeys(self._required(), 0)
        for text in pairs.hypotheses:
            with suppress(AnswerError):
                fields = parse_fields(text)
                for name in present:
                    present[name] += name in fields
        return {"present": present}

    def doubts(self, survey: Survey, system: str) -> list[Doubt]:
        """Required fields that no answer has, as where a name is misspelt."""
        lacking = [name for name, number in survey.get("present", {}).items() if not number]
        listed = ", ".join(map(shorten_label, lacking))
        sentence = f"{self.id}: no answer of {system} has the required fields {listed}."
        return [Doubt(sentence=sentence, brief=sentence)] if lacking else []

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
        # Without a schema, any JSON is valid.
        schema = cast("Mapping[str, Any]", self.schema or {"required": list(self.required)})
        return json_check(schema, name=f"the JSON Schema of {self.id}")

    def _required(self) -> Sequence[str]:
        if self.answer_format == "xml":
            return required_by(cast("str | None", self.schema), self.required)
        if isinstance(self.schema, Mapping):
            names: Sequence[str] = self.schema.get("required", ())
            return names
        return self.required

    def _remedy(self, what: str) -> str:
        value = "FILE" if what in self.files else "[FIELDS]"
        return f"name it {self.name.partition('(')[0] or self.id}({what}={value})"
