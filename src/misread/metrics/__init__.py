"""Metrics: additive counts per segment and rates of their sums."""

from misread.metrics.ablation import Ablation, AblationResult, ablate
from misread.metrics.anls import anls
from misread.metrics.bands import BENCHMARK_STANDARDS, PARITY, QUALITY, Bands, BenchmarkStandard
from misread.metrics.base import AligningMetric, Direction, Metric, ScoredText, is_share, positions_in_rate, score_range
from misread.metrics.confusions import (
    ConfusionMatrix,
    GroupErrors,
    confusion_matrix,
    confusion_rate,
    errors_by_block,
    errors_by_category,
    wrong_words,
)
from misread.metrics.crosscheck import CrossCheck, crosscheck
from misread.metrics.downstream import (
    DownstreamResult,
    DownstreamTask,
    downstream_success_rate,
    evaluate_downstream_task,
)
from misread.metrics.edit import (
    CerWer,
    EditOperations,
    cer_wer_batch,
    edit_distance,
    get_edit_operations,
    normalized_edit_distance,
)
from misread.metrics.error_rate import ErrorRate, cer, ger, wer
from misread.metrics.evaluation import PredictionEvaluation, evaluate_prediction, evaluations_csv
from misread.metrics.explanation import explain, nothing_to_explain, with_alignments
from misread.metrics.field_counts import FieldCounts, count_fields, flatten_fields
from misread.metrics.field_match import FieldMatch
from misread.metrics.field_rules import FieldRule
from misread.metrics.fields import FieldScores, field_extraction_f1
from misread.metrics.json_validity import validate_json_output
from misread.metrics.latency import LatencyMeter, Throughput, real_time_factor, throughput
from misread.metrics.lines import (
    ExactLines,
    LineAccuracy,
    exact_line_prf,
    exact_line_prf_from_text,
    line_accuracy,
    reverse_line_accuracy,
)
from misread.metrics.match_rates import MatchRate, mer, wil, wip
from misread.metrics.parity import Fairness, fairness
from misread.metrics.precision_recall import PrecisionRecallF1, precision_recall_f1
from misread.metrics.prices import PRICES, ModelPrice
from misread.metrics.reference_digests import ReferenceDigests
from misread.metrics.registry import METRICS, get_metrics
from misread.metrics.schema_files import with_schema
from misread.metrics.scoring import not_applicable_scores, score
from misread.metrics.segments import SegmentErrorRate, SentenceErrors, sentence_error_rate, ser
from misread.metrics.signature import (
    extend_signature,
    make_signature,
    read_signature,
    replace_fact,
    signature_name,
)
from misread.metrics.structured import StructuredAnswers
from misread.metrics.structured_validity import StructuredValidity
from misread.metrics.summary import Summary, summarize
from misread.metrics.token_efficiency import TokenEfficiency, TokenScore, token_efficiency
from misread.metrics.tokens import BagOfWordsError, TokenAccuracy, TokenMatch, TokenPositions, token_accuracy
from misread.metrics.xml_validity import validate_xml_output
from misread.records import MissingPolicy

__all__ = [
    "BENCHMARK_STANDARDS",
    "METRICS",
    "PARITY",
    "PRICES",
    "QUALITY",
    "Ablation",
    "AblationResult",
    "AligningMetric",
    "BagOfWordsError",
    "Bands",
    "BenchmarkStandard",
    "CerWer",
    "ConfusionMatrix",
    "CrossCheck",
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
    "LatencyMeter",
    "LineAccuracy",
    "MatchRate",
    "Metric",
    "MissingPolicy",
    "ModelPrice",
    "PrecisionRecallF1",
    "PredictionEvaluation",
    "ReferenceDigests",
    "ScoredText",
    "SegmentErrorRate",
    "SentenceErrors",
    "StructuredAnswers",
    "StructuredValidity",
    "Summary",
    "Throughput",
    "TokenAccuracy",
    "TokenEfficiency",
    "TokenMatch",
    "TokenPositions",
    "TokenScore",
    "ablate",
    "anls",
    "cer",
    "cer_wer_batch",
    "confusion_matrix",
    "confusion_rate",
    "count_fields",
    "crosscheck",
    "downstream_success_rate",
    "edit_distance",
    "errors_by_block",
    "errors_by_category",
    "evaluate_downstream_task",
    "evaluate_prediction",
    "evaluations_csv",
    "exact_line_prf",
    "exact_line_prf_from_text",
    "explain",
    "extend_signature",
    "fairness",
    "field_extraction_f1",
    "flatten_fields",
    "ger",
    "get_edit_operations",
    "get_metrics",
    "is_share",
    "line_accuracy",
    "make_signature",
    "mer",
    "normalized_edit_distance",
    "not_applicable_scores",
    "nothing_to_explain",
    "positions_in_rate",
    "precision_recall_f1",
    "read_signature",
    "real_time_factor",
    "replace_fact",
    "reverse_line_accuracy",
    "score",
    "score_range",
    "sentence_error_rate",
    "ser",
    "signature_name",
    "summarize",
    "throughput",
    "token_accuracy",
    "token_efficiency",
    "validate_json_output",
    "validate_xml_output",
    "wer",
    "wil",
    "wip",
    "with_alignments",
    "with_schema",
    "wrong_words",
]
