"""Functions under the names that the specifications dictate.

docs/specification.md lists the specifications and says which row each function answers. misread's own names for most of
them are shorter: `cer`, `wer`, `distances`, `align`, and the metrics of `misread.metrics`.
"""

from misread.features.answers.downstream import downstream_success_rate, evaluate_downstream_task
from misread.features.answers.fields import field_extraction_f1
from misread.features.answers.json_validity import validate_json_output
from misread.features.answers.xml_validity import validate_xml_output
from misread.metrics.edit import (
    cer_wer_batch,
    edit_distance,
    get_edit_operations,
    levenshtein_distance,
    normalized_edit_distance,
)
from misread.metrics.evaluation import evaluate_prediction
from misread.metrics.lines import exact_line_prf, exact_line_prf_from_text, reverse_line_accuracy
from misread.metrics.segments import sentence_error_rate
from misread.normalize.turkish_numbers import convert_numbers_to_words_wrapper

__all__ = [
    "cer_wer_batch",
    "convert_numbers_to_words_wrapper",
    "downstream_success_rate",
    "edit_distance",
    "evaluate_downstream_task",
    "evaluate_prediction",
    "exact_line_prf",
    "exact_line_prf_from_text",
    "field_extraction_f1",
    "get_edit_operations",
    "levenshtein_distance",
    "normalized_edit_distance",
    "reverse_line_accuracy",
    "sentence_error_rate",
    "validate_json_output",
    "validate_xml_output",
]
