"""Use by language models: section 2 of the specification."""

from collections.abc import Mapping
from typing import Any

import misread


def calculate_field_extraction_f1(
    extracted_fields: Mapping[str, object], ground_truth_fields: Mapping[str, object]
) -> dict[str, Any]:
    """Precision, recall and F1 of fields, and which are right (2.1)."""
    return dict(misread.field_extraction_f1(reference=ground_truth_fields, hypothesis=extracted_fields))


def validate_json_output(ocr_output: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Whether an answer is JSON and fits a schema (2.2)."""
    return dict(misread.validate_json_output(ocr_output, schema))


def calculate_token_efficiency(ocr_output: str, model: str = "gpt-4") -> dict[str, Any]:
    """Tokens of a language model and what they cost (2.3)."""
    return dict(misread.token_efficiency(ocr_output, model=model))


def evaluate_downstream_task(
    task_type: str, result: Mapping[str, object], ground_truth: Mapping[str, object]
) -> dict[str, Any]:
    """Whether a task succeeded (2.4)."""
    return dict(misread.evaluate_downstream_task(task_type, reference=ground_truth, hypothesis=result))
