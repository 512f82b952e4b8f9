"""Use by language models: section 2 of the specification."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import misread.spec
from misread.errors import MissingDependencyError
from misread.features.token_costs import TokenEfficiency


def calculate_field_extraction_f1(
    extracted_fields: Mapping[str, object], ground_truth_fields: Mapping[str, object]
) -> dict[str, Any]:
    """Precision, recall and F1 of fields, and which are right (2.1)."""
    return dict(
        misread.spec.field_extraction_f1(ground_truth_fields=ground_truth_fields, extracted_fields=extracted_fields)
    )


def validate_json_output(
    ocr_output: str, schema: Mapping[str, Any] | str | None, output_format: str = "json"
) -> dict[str, Any]:
    """Whether an answer is JSON and fits a schema, or XML and fits an XML Schema (2.2)."""
    return dict(misread.spec.validate_json_output(ocr_output, schema, output_format=output_format))


def calculate_token_efficiency(ocr_output: str, model: str = "gpt-4") -> dict[str, Any]:
    """Tokens of a language model and what they cost (2.3); other models than OpenAI's are counted as GPT-4.

    Without tiktoken all are 0, and `error` says so.
    """
    try:
        return dict(misread.spec.token_efficiency(ocr_output, model=model))
    except MissingDependencyError:
        return {"error": "tiktoken not installed", **{column.name: 0 for column in fields(TokenEfficiency)}}


def evaluate_downstream_task(
    task_type: str, result: Mapping[str, object], ground_truth: Mapping[str, object]
) -> dict[str, Any]:
    """Whether a task succeeded (2.4).

    No answer and no class are right where the ground truth has none either, and an extraction of no field is
    incomplete: `misread.spec.evaluate_downstream_task` refuses such a ground truth.
    """
    if task_type == "extraction" and not ground_truth:
        return {"task_success": False, "quality_score": 0, "error_type": "extraction_incomplete"}
    if task_type == "qa":
        ground_truth = {"answer": ground_truth.get("answer", "")}
    if task_type == "classification":
        ground_truth, result = {"class": ground_truth.get("class")}, {"class": result.get("class")}
    outcome = misread.spec.evaluate_downstream_task(task_type, reference=ground_truth, hypothesis=result)
    return {name: outcome[name] for name in ("task_success", "quality_score", "error_type")}
