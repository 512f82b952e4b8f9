"""misread measures how OCR, handwriting and speech systems misread, and says whether a difference is real.

Nothing heavy is imported before it is used (PEP 562).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from misread.version import __version__

if TYPE_CHECKING:
    from misread.alignment import align, align_alternatives, distances, error_counts, operation_ranges
    from misread.metrics import (
        LatencyMeter,
        cer,
        cer_wer_batch,
        edit_distance,
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
        throughput,
        token_accuracy,
        validate_json_output,
        validate_xml_output,
        wer,
        wil,
        wip,
    )

_HOMES = {
    "LatencyMeter": "misread.metrics",
    "align": "misread.alignment",
    "align_alternatives": "misread.alignment",
    "cer": "misread.metrics",
    "cer_wer_batch": "misread.metrics",
    "distances": "misread.alignment",
    "edit_distance": "misread.metrics",
    "error_counts": "misread.alignment",
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
    "reverse_line_accuracy": "misread.metrics",
    "sentence_error_rate": "misread.metrics",
    "ser": "misread.metrics",
    "throughput": "misread.metrics",
    "token_accuracy": "misread.metrics",
    "validate_json_output": "misread.metrics",
    "validate_xml_output": "misread.metrics",
    "wer": "misread.metrics",
    "wil": "misread.metrics",
    "wip": "misread.metrics",
}

__all__ = [
    "LatencyMeter",
    "__version__",
    "align",
    "align_alternatives",
    "cer",
    "cer_wer_batch",
    "distances",
    "edit_distance",
    "error_counts",
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
    "reverse_line_accuracy",
    "sentence_error_rate",
    "ser",
    "throughput",
    "token_accuracy",
    "validate_json_output",
    "validate_xml_output",
    "wer",
    "wil",
    "wip",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'misread' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
