"""Kinds of metrics: what the number is, apart from which way it gets better."""

from __future__ import annotations

from typing import Literal

from misread.metrics import Metric, is_share

MetricKind = Literal["error_rate", "share", "other"]


def kind_of(metric: Metric) -> MetricKind:
    """Error rates count the errors of an alignment and the length of the reference; a cost is not a share."""
    if {"errors", "length"} <= set(metric.columns):
        return "error_rate"
    return "share" if is_share(metric) else "other"
