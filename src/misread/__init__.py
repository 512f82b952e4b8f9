"""misread measures how OCR, handwriting and speech systems misread, and says whether a difference is real.

Nothing heavy is imported before it is used (PEP 562).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from misread.version import __version__

if TYPE_CHECKING:
    from misread.alignment import align, align_alternatives, column_grid, distances, error_counts, operation_ranges
    from misread.metrics import (
        FieldRule,
        anls,
        cer,
        cer_wer_batch,
        confusion_matrix,
        confusion_rate,
        downstream_success_rate,
        edit_distance,
        errors_by_block,
        errors_by_category,
        evaluate_downstream_task,
        evaluate_prediction,
        exact_line_prf,
        exact_line_prf_from_text,
        fairness,
        field_extraction_f1,
        ger,
        get_edit_operations,
        line_accuracy,
        mer,
        normalized_edit_distance,
        precision_recall_f1,
        reverse_line_accuracy,
        sentence_error_rate,
        ser,
        token_accuracy,
        token_efficiency,
        validate_json_output,
        validate_xml_output,
        wer,
        wil,
        wip,
        wrong_words,
    )
    from misread.pipeline.run_folder import read_run
    from misread.stats import bootstrap_ci
    from misread.timing.latency import LatencyMeter, real_time_factor, throughput

_HOMES = {
    "FieldRule": "misread.metrics",
    "LatencyMeter": "misread.timing.latency",
    "anls": "misread.metrics",
    "bootstrap_ci": "misread.stats",
    "align": "misread.alignment",
    "align_alternatives": "misread.alignment",
    "cer": "misread.metrics",
    "cer_wer_batch": "misread.metrics",
    "confusion_matrix": "misread.metrics",
    "confusion_rate": "misread.metrics",
    "column_grid": "misread.alignment",
    "downstream_success_rate": "misread.metrics",
    "distances": "misread.alignment",
    "edit_distance": "misread.metrics",
    "evaluate_downstream_task": "misread.metrics",
    "error_counts": "misread.alignment",
    "errors_by_block": "misread.metrics",
    "errors_by_category": "misread.metrics",
    "evaluate_prediction": "misread.metrics",
    "exact_line_prf": "misread.metrics",
    "exact_line_prf_from_text": "misread.metrics",
    "fairness": "misread.metrics",
    "field_extraction_f1": "misread.metrics",
    "ger": "misread.metrics",
    "get_edit_operations": "misread.metrics",
    "line_accuracy": "misread.metrics",
    "mer": "misread.metrics",
    "normalized_edit_distance": "misread.metrics",
    "operation_ranges": "misread.alignment",
    "precision_recall_f1": "misread.metrics",
    "read_run": "misread.pipeline.run_folder",
    "real_time_factor": "misread.timing.latency",
    "reverse_line_accuracy": "misread.metrics",
    "sentence_error_rate": "misread.metrics",
    "ser": "misread.metrics",
    "throughput": "misread.timing.latency",
    "token_accuracy": "misread.metrics",
    "token_efficiency": "misread.metrics",
    "validate_json_output": "misread.metrics",
    "validate_xml_output": "misread.metrics",
    "wer": "misread.metrics",
    "wil": "misread.metrics",
    "wip": "misread.metrics",
    "wrong_words": "misread.metrics",
}

__all__ = [
    "FieldRule",
    "LatencyMeter",
    "__version__",
    "align",
    "align_alternatives",
    "anls",
    "bootstrap_ci",
    "cer",
    "cer_wer_batch",
    "column_grid",
    "confusion_matrix",
    "confusion_rate",
    "distances",
    "downstream_success_rate",
    "edit_distance",
    "error_counts",
    "errors_by_block",
    "errors_by_category",
    "evaluate_downstream_task",
    "evaluate_prediction",
    "exact_line_prf",
    "exact_line_prf_from_text",
    "fairness",
    "field_extraction_f1",
    "ger",
    "get_edit_operations",
    "line_accuracy",
    "mer",
    "normalized_edit_distance",
    "operation_ranges",
    "precision_recall_f1",
    "read_run",
    "real_time_factor",
    "reverse_line_accuracy",
    "sentence_error_rate",
    "ser",
    "throughput",
    "token_accuracy",
    "token_efficiency",
    "validate_json_output",
    "validate_xml_output",
    "wer",
    "wil",
    "wip",
    "wrong_words",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'misread' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
