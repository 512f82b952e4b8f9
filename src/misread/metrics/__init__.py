"""Metrics: additive counts per segment and rates of their sums."""

from misread.metrics.base import Direction, Metric, ScoredText
from misread.metrics.crosscheck import CrossCheck, crosscheck
from misread.metrics.error_rate import ErrorRate, cer, ger, wer
from misread.metrics.missing import MissingPolicy
from misread.metrics.registry import METRICS, get_metrics
from misread.metrics.scoring import not_applicable_scores, score
from misread.metrics.signature import extend_signature, make_signature, read_signature
from misread.metrics.summary import Summary, summarize

__all__ = [
    "METRICS",
    "CrossCheck",
    "Direction",
    "ErrorRate",
    "Metric",
    "MissingPolicy",
    "ScoredText",
    "Summary",
    "cer",
    "crosscheck",
    "extend_signature",
    "ger",
    "get_metrics",
    "make_signature",
    "not_applicable_scores",
    "read_signature",
    "score",
    "summarize",
    "wer",
]
