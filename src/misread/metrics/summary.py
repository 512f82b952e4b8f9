"""Micro, macro and median rate of one metric over a set of segments, and the spread of their rates."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from misread.errors import UndefinedResultError
from misread.metrics.base import Metric
from misread.named_result import Record
from misread.types import IntArray


@dataclass(frozen=True, slots=True)
class Summary:
    """One metric of one system over a set of segments."""

    micro: float | None  # rate of the summed counts: the headline; None where no reference has a unit
    macro: float | None  # mean of the rates of segments; segments of undefined rate are left out here and of the median
    median: float | None
    segments: int
    empty_references: int  # segments with an undefined rate; their insertions count in `micro` all the same
    counts: dict[str, int]  # sums of every column of the metric


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread(Record):
    """Spread of the rates of segments; each counts once, whatever its length."""

    standard_deviation: float | None  # of the sample (divided by n - 1); None for a single segment
    percentile_5: float
    percentile_25: float
    percentile_50: float
    percentile_75: float
    percentile_95: float


PERCENTILES: Final = (5, 25, 50, 75, 95)
"""Those of a spread."""


def describe_spread(metric: Metric, counts: IntArray) -> Spread | None:
    """Standard deviation and percentiles of the rates of segments.

    Parameters
    ----------
    metric : Metric
        Whose counts these are.
    counts : int64 array, shape (segments, columns)
        Of a system with several runs, sums over them: the rate of a segment is then that of its runs together.

    Returns
    -------
    Spread or None
        Fractions; percentiles are interpolated linearly. Segments of undefined rate are left out; None if all are.

    Examples
    --------
    >>> from misread.sockets import METRICS
    >>> from misread.metrics.base import ScoredText
    >>> cer = METRICS["cer"]
    >>> describe_spread(cer, cer.count(ScoredText(["abcd", "ab"], ["abcd", "ax"]))).percentile_75
    0.375
    """
    rates = metric.rate(counts)
    defined = rates[~np.isnan(rates)]
    if not len(defined):
        return None
    percentiles = np.percentile(defined, PERCENTILES).tolist()
    return Spread(
        standard_deviation=float(defined.std(ddof=1)) if len(defined) > 1 else None,
        **{f"percentile_{percent}": value for percent, value in zip(PERCENTILES, percentiles, strict=True)},
    )


def summarize(metric: Metric, counts: IntArray) -> Summary:
    """Sum up one metric.

    Parameters
    ----------
    metric : Metric
        Whose counts these are.
    counts : int64 array, shape (segments, columns)
        Of at least one segment.

    Raises
    ------
    UndefinedResultError
        If there is no segment: a score of nothing is not a perfect score.

    Examples
    --------
    >>> from misread.sockets import METRICS
    >>> from misread.metrics.base import ScoredText
    >>> cer = METRICS["cer"]
    >>> summarize(cer, cer.count(ScoredText(["abcd", "ab"], ["abcd", "ax"]))).micro
    0.16666666666666666
    """
    if len(counts) == 0:
        raise UndefinedResultError(f"there is no segment to compute {metric.id} from.")
    totals = counts.sum(axis=0)
    rates = metric.rate(counts)
    defined = rates[~np.isnan(rates)]
    return Summary(
        _number(metric.rate(totals)),
        _number(defined.mean()) if len(defined) else None,
        _number(np.median(defined)) if len(defined) else None,
        len(counts),
        len(rates) - len(defined),
        dict(zip(metric.columns, totals.tolist(), strict=True)),
    )


def _number(value: np.floating | np.ndarray) -> float | None:
    number = float(value)
    return None if np.isnan(number) else number
