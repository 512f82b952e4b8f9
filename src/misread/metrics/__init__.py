"""Metrics: additive counts per segment and rates of their sums."""

from misread.metrics.base import Direction, Metric, ScoredText
from misread.metrics.crosscheck import CrossCheck, crosscheck
from misread.metrics.error_rate import ErrorRate, cer, wer
from misread.metrics.evaluation import PredictionEvaluation, evaluate_prediction, evaluations_csv
from misread.metrics.lines import (
    ExactLines,
    LineAccuracy,
    exact_line_prf,
    exact_line_prf_from_text,
    line_accuracy,
    reverse_line_accuracy,
)
from misread.metrics.missing import MissingPolicy
from misread.metrics.precision_recall import PrecisionRecallF1, precision_recall_f1
from misread.metrics.registry import METRICS, get_metrics
from misread.metrics.scoring import not_applicable_scores, score
from misread.metrics.signature import extend_signature, make_signature, read_signature
from misread.metrics.summary import Summary, summarize

__all__ = [
    "METRICS",
    "CrossCheck",
    "Direction",
    "ErrorRate",
    "ExactLines",
    "LineAccuracy",
    "Metric",
    "MissingPolicy",
    "PrecisionRecallF1",
    "PredictionEvaluation",
    "ScoredText",
    "Summary",
    "cer",
    "crosscheck",
    "evaluate_prediction",
    "evaluations_csv",
    "exact_line_prf",
    "exact_line_prf_from_text",
    "extend_signature",
    "get_metrics",
    "line_accuracy",
    "make_signature",
    "not_applicable_scores",
    "precision_recall_f1",
    "read_signature",
    "reverse_line_accuracy",
    "score",
    "summarize",
    "wer",
]
