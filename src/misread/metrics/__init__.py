"""Metrics: additive counts per segment and rates of their sums."""

from misread.metrics.answers.downstream import (
    DownstreamResult,
    DownstreamTask,
    downstream_success_rate,
    evaluate_downstream_task,
)
from misread.metrics.answers.field_counts import FieldCounts, count_fields, flatten_fields
from misread.metrics.answers.field_match import FieldMatch
from misread.metrics.answers.field_rules import FieldRule
from misread.metrics.answers.fields import FieldScores, field_extraction_f1
from misread.metrics.answers.json_validity import validate_json_output
from misread.metrics.answers.levenshtein_similarity import anls
from misread.metrics.answers.prices import PRICES, ModelPrice
from misread.metrics.answers.schema_files import with_schema
from misread.metrics.answers.structured import StructuredAnswers
from misread.metrics.answers.structured_validity import StructuredValidity
from misread.metrics.answers.token_costs import TokenEfficiency, TokenScore, token_efficiency
from misread.metrics.answers.xml_validity import validate_xml_output
from misread.metrics.bands import BENCHMARK_STANDARDS, PARITY, QUALITY, Bands, BenchmarkStandard
from misread.metrics.base import Direction, Kind, Metric, ScoredText
from misread.metrics.group_fairness import Fairness, fairness
from misread.metrics.precision_recall import PrecisionRecallF1, precision_recall_f1
from misread.metrics.registry import METRICS, get_metrics
from misread.metrics.summary import Summary, summarize
from misread.metrics.text.confusions import (
    ConfusionMatrix,
    GroupErrors,
    confusion_matrix,
    confusion_rate,
    errors_by_block,
    errors_by_category,
    wrong_words,
)
from misread.metrics.text.edit import (
    CerWer,
    EditOperations,
    cer_wer_batch,
    edit_distance,
    get_edit_operations,
    normalized_edit_distance,
)
from misread.metrics.text.error_rate import ErrorRate, cer, ger, wer
from misread.metrics.text.evaluation import PredictionEvaluation, evaluate_prediction, evaluations_csv
from misread.metrics.text.lines import (
    ExactLines,
    LineAccuracy,
    exact_line_prf,
    exact_line_prf_from_text,
    line_accuracy,
    reverse_line_accuracy,
)
from misread.metrics.text.match_rates import MatchRate, mer, wil, wip
from misread.metrics.text.segments import SegmentErrorRate, SentenceErrors, sentence_error_rate, ser
from misread.metrics.text.tokens import BagOfWordsError, TokenAccuracy, TokenMatch, TokenPositions, token_accuracy

__all__ = [
    "BENCHMARK_STANDARDS",
    "METRICS",
    "PARITY",
    "PRICES",
    "QUALITY",
    "BagOfWordsError",
    "Bands",
    "BenchmarkStandard",
    "CerWer",
    "ConfusionMatrix",
    "Direction",
    "DownstreamResult",
    "DownstreamTask",
    "EditOperations",
    "ErrorRate",
    "ExactLines",
    "Fairness",
    "FieldCounts",
    "FieldMatch",
    "FieldRule",
    "FieldScores",
    "GroupErrors",
    "Kind",
    "LineAccuracy",
    "MatchRate",
    "Metric",
    "ModelPrice",
    "PrecisionRecallF1",
    "PredictionEvaluation",
    "ScoredText",
    "SegmentErrorRate",
    "SentenceErrors",
    "StructuredAnswers",
    "StructuredValidity",
    "Summary",
    "TokenAccuracy",
    "TokenEfficiency",
    "TokenMatch",
    "TokenPositions",
    "TokenScore",
    "anls",
    "cer",
    "cer_wer_batch",
    "confusion_matrix",
    "confusion_rate",
    "count_fields",
    "downstream_success_rate",
    "edit_distance",
    "errors_by_block",
    "errors_by_category",
    "evaluate_downstream_task",
    "evaluate_prediction",
    "evaluations_csv",
    "exact_line_prf",
    "exact_line_prf_from_text",
    "fairness",
    "field_extraction_f1",
    "flatten_fields",
    "ger",
    "get_edit_operations",
    "get_metrics",
    "line_accuracy",
    "mer",
    "normalized_edit_distance",
    "precision_recall_f1",
    "reverse_line_accuracy",
    "sentence_error_rate",
    "ser",
    "summarize",
    "token_accuracy",
    "token_efficiency",
    "validate_json_output",
    "validate_xml_output",
    "wer",
    "wil",
    "wip",
    "with_schema",
    "wrong_words",
]
