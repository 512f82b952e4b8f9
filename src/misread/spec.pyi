"""Every name of misread.spec, once, with its home."""

from .features.answers.downstream import downstream_success_rate as downstream_success_rate
from .features.answers.downstream import evaluate_downstream_task as evaluate_downstream_task
from .features.answers.fields import field_extraction_f1 as field_extraction_f1
from .features.answers.json_validity import validate_json_output as validate_json_output
from .features.answers.xml_validity import validate_xml_output as validate_xml_output
from .metrics.edit import cer_wer_batch as cer_wer_batch
from .metrics.edit import edit_distance as edit_distance
from .metrics.edit import get_edit_operations as get_edit_operations
from .metrics.edit import levenshtein_distance as levenshtein_distance
from .metrics.edit import normalized_edit_distance as normalized_edit_distance
from .metrics.lines import exact_line_prf as exact_line_prf
from .metrics.lines import exact_line_prf_from_text as exact_line_prf_from_text
from .metrics.lines import reverse_line_accuracy as reverse_line_accuracy
from .metrics.prediction_evaluation import evaluate_prediction as evaluate_prediction
from .metrics.segment_error_rate import sentence_error_rate as sentence_error_rate
from .normalize.steps.turkish.spelling import convert_numbers_to_words_wrapper as convert_numbers_to_words_wrapper
