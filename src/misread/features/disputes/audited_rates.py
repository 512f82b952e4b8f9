"""Rates of a whole corpus from disputed spans, and from a random sample of the text that systems share."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from misread.stats.bootstrap.jackknife import (
    Estimate,
    acceleration,
    degrees_of_freedom,
    independent_error,
    jackknife_deviation,
    jackknife_interval,
)
from misread.stats.results import ConfidenceInterval
from misread.types import FloatArray, IntArray


@dataclass(frozen=True, kw_only=True, eq=False)
class AuditCounts:
    """Sums of one system by cluster, arrays of shape (clusters,)."""

    errors: IntArray  # where agreed text counts as right
    length: IntArray  # units of the truth, as far as it is known
    further_errors: IntArray  # that audited windows add
    further_length: IntArray  # units of the truth that they add
    agreed: IntArray  # characters in all windows
    audited: IntArray  # characters in windows that were typed

    def stack(self) -> FloatArray:
        """All of them, shape (clusters, 6)."""
        columns = (
            self.errors,
            self.length,
            self.further_errors,
            self.further_length,
            self.agreed,
            self.audited,
        )
        return np.stack(columns, axis=-1).astype(np.float64)


def audited_rate(counts: AuditCounts, confidence: float) -> tuple[float | None, ConfidenceInterval | None]:
    """Rate of all text with its interval by cluster; None where no window was audited.

    Windows are drawn with one probability, in each cluster nearly independently of the others. What they add per
    character is what all agreed text adds (a combined ratio estimator), and the error that the jackknife over clusters
    finds has both parts: that clusters differ, and that few windows were seen in each (Särndal, Swensson and Wretman
    1992, Model Assisted Survey Sampling, sections 4.3 and 5.6).

    Where no window had an error, the upper end is that of a sample in which one had.
    """
    table = counts.stack()
    sums = table.sum(axis=0)
    if not sums[-1] or not sums[1]:
        return None, None
    rate = float(_rates(sums))
    if len(table) < 2:
        return rate, None
    interval = _interval(table, confidence)
    if interval and not counts.further_errors.any():
        seen = table.copy()
        seen[int(np.argmax(counts.audited)), 2] += 1
        above = _interval(seen, confidence)
        interval = above and replace(interval, high=max(interval.high, above.high))
    return rate, interval


def _interval(table: FloatArray, confidence: float) -> ConfidenceInterval | None:
    rest = table.sum(axis=0) - table
    if not (rest[:, -1].all() and rest[:, 1].all()):
        return None
    without = _rates(rest)
    error = (jackknife_deviation(without) or 0.0) / len(table) ** 0.5
    # What a cluster adds grows with its text, and what its audit adds with the windows drawn from it.
    freedom = degrees_of_freedom(table[:, 1])
    rate, step = float(_rates(table.sum(axis=0))), 1 / float(table[:, 1].sum())
    independent = independent_error(rate, step)
    estimate = Estimate(rate, error, freedom, 6 * acceleration(without), step=step, independent=independent)
    return jackknife_interval(estimate, confidence, lowest=0.0)


def _rates(sums: FloatArray) -> FloatArray:
    """Rates of sums, shape (..., 6)."""
    errors, length, further_errors, further_length, agreed, audited = np.moveaxis(sums, -1, 0)
    rates: FloatArray = (errors + agreed * further_errors / audited) / (length + agreed * further_length / audited)
    return rates
