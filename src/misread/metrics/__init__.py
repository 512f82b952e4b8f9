"""Metrics: additive counts per segment and rates of their sums."""

from misread.metrics.answers.downstream import (
    DownstreamResult,
    DownstreamTask,
)
from misread.metrics.answers.field_counts import FieldCounts, count_fields, flatten_fields
from misread.metrics.answers.field_match import FieldMatch
from misread.metrics.answers.field_rules import FieldRule
from misread.metrics.answers.fields import FieldScores
from misread.metrics.answers.levenshtein_similarity import anls
from misread.metrics.answers.prices import PRICES, ModelPrice
from misread.metrics.answers.schema_files import with_schema
from misread.metrics.answers.structured import StructuredAnswers
from misread.metrics.answers.structured_validity import StructuredValidity
from misread.metrics.answers.token_costs import TokenEfficiency, TokenScore, token_efficiency
from misread.metrics.bands import BENCHMARK_STANDARDS, PARITY, QUALITY, Bands, BenchmarkStandard
from misread.metrics.base import Direction, Kind, Metric, ScoredText
from misread.metrics.group_fairness import Fairness, fairness
from misread.metrics.precision_recall import PrecisionRecallF1, precision_recall_f1
from misread.metrics.registry import METRICS, align_by, get_metrics
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
)
from misread.metrics.text.error_rate import ErrorRate
from misread.metrics.text.evaluation import PredictionEvaluation, evaluations_csv
from misread.metrics.text.lines import (
    ExactLines,
    LineAccuracy,
    line_accuracy,
)
from misread.metrics.text.match_rates import MatchRate
from misread.metrics.text.rates import cer, ger, mer, ser, wer, wil, wip
from misread.metrics.text.segments import SegmentErrorRate, SentenceErrors
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
    "align_by",
    "anls",
    "cer",
    "confusion_matrix",
    "confusion_rate",
    "count_fields",
    "errors_by_block",
    "errors_by_category",
    "evaluations_csv",
    "fairness",
    "flatten_fields",
    "ger",
    "get_metrics",
    "line_accuracy",
    "mer",
    "precision_recall_f1",
    "ser",
    "summarize",
    "token_accuracy",
    "token_efficiency",
    "wer",
    "wil",
    "wip",
    "with_schema",
    "wrong_words",
]
