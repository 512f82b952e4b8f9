"""Schemas from files for metrics that are chosen by name."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from misread.alignment.encode.inputs import check_texts
from misread.errors import ConfigurationError
from misread.features.answers.structured import AnswerFormat, StructuredAnswers
from misread.io.json_files import decode_json
from misread.io.text import read_text
from misread.metrics.base import Metric


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
