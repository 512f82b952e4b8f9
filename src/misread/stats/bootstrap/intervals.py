"""Confidence intervals from bootstrap replicates."""

from typing import Literal

import numpy as np
import scipy

from misread.errors import UndefinedResultError
from misread.stats.bootstrap.jackknife import acceleration, tail_of
from misread.stats.results import TOLERANCE, ConfidenceInterval
from misread.types import FloatArray

BootstrapInterval = Literal["percentile", "basic", "bca"]
IntervalMethod = Literal["jackknife", BootstrapInterval]


def bootstrap_interval(
    method: BootstrapInterval, observed: float, replicates: FloatArray, leave_one_out: FloatArray, *, confidence: float
) -> ConfidenceInterval:
    """Interval by this method; `leave_one_out` has the value of the sample without each unit, shape (units,)."""
    if method == "percentile":
        return percentile_interval(replicates, confidence)
    if method == "basic":
        return basic_interval(observed, replicates, confidence)
    return bca_interval(observed, replicates, leave_one_out, confidence)


def percentile_interval(replicates: FloatArray, confidence: float) -> ConfidenceInterval:
    """Interval between two quantiles of the replicates, with equal shares in both tails.

    Raises an error if a replicate is not finite: leaving it out would change what the interval estimates. Efron &
    Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    tail = tail_of(confidence)
    check_replicates(replicates)
    low, high = np.quantile(replicates, [tail, 1 - tail], method="linear")
    return ConfidenceInterval(low=float(low), high=float(high), confidence=confidence, method="percentile")


def basic_interval(observed: float, replicates: FloatArray, confidence: float) -> ConfidenceInterval:
    """Percentile interval mirrored at the observed value; it may reach below 0 where a rate cannot.

    Davison & Hinkley (1997), Bootstrap Methods and their Application, section 5.2.
    """
    _check_observed(observed)
    mirrored = percentile_interval(replicates, confidence)
    low, high = 2 * observed - mirrored.high, 2 * observed - mirrored.low
    return ConfidenceInterval(low=low, high=high, confidence=confidence, method="basic")


def bca_interval(
    observed: float, replicates: FloatArray, leave_one_out: FloatArray, confidence: float
) -> ConfidenceInterval:
    """Percentile interval with its two shares corrected for bias and for skewness (bias-corrected, accelerated).

    The bias is the share of replicates below the observed value, ties counted half; the acceleration is the skewness of
    `leave_one_out`, shape (units,). It is defined for all data. If the jackknife does not vary, or is undefined because
    one unit holds the whole reference, the acceleration is 0. If all replicates lie on one side of the observed value,
    half a replicate counts on the other side. Without any variation the interval has no width.

    Efron (1987), Better bootstrap confidence intervals.
    """
    tail = tail_of(confidence)
    _check_observed(observed)
    check_replicates(replicates)
    below = np.count_nonzero(replicates < observed - TOLERANCE)
    ties = np.count_nonzero(np.abs(replicates - observed) <= TOLERANCE)
    half = 0.5 / replicates.size
    bias = scipy.special.ndtri(np.clip((below + ties / 2) / replicates.size, half, 1 - half))
    shifted = bias + scipy.special.ndtri([tail, 1 - tail])
    # Clip shares that skewness would carry beyond 0 or 1.
    stretch = np.maximum(1 - acceleration(leave_one_out) * shifted, TOLERANCE)
    low, high = np.quantile(replicates, scipy.special.ndtr(bias + shifted / stretch), method="linear")
    return ConfidenceInterval(low=float(low), high=float(high), confidence=confidence, method="bca")


def _check_observed(observed: float) -> None:
    if not np.isfinite(observed):
        raise UndefinedResultError(f"the observed value is {observed}: no interval can be drawn around it.")


def check_replicates(replicates: FloatArray) -> None:
    """Raise UndefinedResultError if there are no replicates, or some are NaN or infinite."""
    if replicates.size == 0:
        raise UndefinedResultError("there are no bootstrap replicates.")
    undefined = int(np.count_nonzero(~np.isfinite(replicates)))
    if undefined:
        raise UndefinedResultError(
            f"{undefined} of {replicates.size} bootstrap samples have no finite score, as when every segment drawn has "
            "an empty reference. Leave such segments out, or choose a rule for empty references that gives a number."
        )
