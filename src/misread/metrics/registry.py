"""Metrics known by name without a configuration; conf/metrics/ spells out the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from misread.errors import UnknownNameError
from misread.metrics.base import Metric
from misread.metrics.error_rate import ErrorRate

METRICS: Mapping[str, Metric] = {
    metric.id: metric
    for metric in (
        ErrorRate("cer", "char"),
        ErrorRate("ger", "grapheme"),
        ErrorRate("wer", "word"),
        ErrorRate("cer_raw", "char", "raw"),
        ErrorRate("wer_raw", "word", "raw"),
    )
}


def get_metrics(names: Sequence[str]) -> list[Metric]:
    """Look metrics up by name, in the order given.

    Raises
    ------
    UnknownNameError
        If there is none of a name; lists those there are.

    Examples
    --------
    >>> [metric.id for metric in get_metrics(["wer", "cer"])]
    ['wer', 'cer']
    """
    for name in names:
        if name not in METRICS:
            raise UnknownNameError("metric", name, METRICS)
    return [METRICS[name] for name in names]
