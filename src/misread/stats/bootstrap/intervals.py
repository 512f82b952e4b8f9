"""Confidence intervals from bootstrap replicates."""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy

from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats.results import ConfidenceInterval
from misread.types import FloatArray

BootstrapInterval = Literal["percentile", "basic", "bca"]
IntervalMethod = Literal["jackknife", BootstrapInterval]

# Rates are quotients of integers: two ways of computing the same one agree far below this.
TOLERANCE = 1e-12


def bootstrap_interval(
    method: BootstrapInterval,
    observed: float,
    replicates: FloatArray,
    leave_one_out: FloatArray,
    *,
    confidence: float,
) -> ConfidenceInterval:
    """The interval of that name; `leave_one_out` has the value of the sample without each unit, shape (units,)."""
    if method == "percentile":
        return percentile_interval(replicates, confidence)
    if method == "basic":
        return basic_interval(observed, replicates, confidence)
    return bca_interval(observed, replicates, leave_one_out, confidence)


def percentile_interval(replicates: FloatArray, confidence: float) -> ConfidenceInterval:
    """Interval between two quantiles of the replicates, with the same share left out on either side.

    Quantiles are interpolated linearly between neighbouring replicates.

    Parameters
    ----------
    replicates : float64 array, shape (resamples,)
        Bootstrap replicates of a score or of a difference.
    confidence : float
        Nominal coverage, inside (0, 1).

    Returns
    -------
    ConfidenceInterval
        Of method "percentile". Without any variation among the replicates it has no width (`is_degenerate`).

    Raises
    ------
    UndefinedResultError
        If there are no replicates or some are not finite. They are not dropped silently: an interval over the
        resamples that happened to have a score is an interval of something else.
    ConfigurationError
        If the confidence is not inside (0, 1).

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.

    Examples
    --------
    >>> import numpy as np
    >>> interval = percentile_interval(np.linspace(0.0, 1.0, 101), 0.90)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.05, 0.95)
    """
    tail = tail_of(confidence)
    check_replicates(replicates)
    low, high = np.quantile(replicates, [tail, 1 - tail], method="linear")
    return ConfidenceInterval(low=float(low), high=float(high), confidence=confidence, method="percentile")


def basic_interval(observed: float, replicates: FloatArray, confidence: float) -> ConfidenceInterval:
    """Percentile interval mirrored at the observed value: errors of the sample are taken for those of replicates.

    Parameters
    ----------
    observed : float
        The score, or difference, of the whole sample.
    replicates : float64 array, shape (resamples,)
        The same of every bootstrap sample.
    confidence : float
        Nominal coverage, inside (0, 1).

    Returns
    -------
    ConfidenceInterval
        Of method "basic". It may reach below 0 where a rate cannot.

    Raises
    ------
    UndefinedResultError
        If the observed value or a replicate is not finite.
    ConfigurationError
        If the confidence is not inside (0, 1).

    References
    ----------
    Davison & Hinkley (1997), Bootstrap Methods and their Application, section 5.2.

    Examples
    --------
    >>> import numpy as np
    >>> interval = basic_interval(0.4, np.linspace(0.0, 1.0, 101), 0.90)
    >>> round(interval.low, 3), round(interval.high, 3)
    (-0.15, 0.75)
    """
    _check_observed(observed)
    mirrored = percentile_interval(replicates, confidence)
    low, high = 2 * observed - mirrored.high, 2 * observed - mirrored.low
    return ConfidenceInterval(low=low, high=high, confidence=confidence, method="basic")


def bca_interval(
    observed: float, replicates: FloatArray, leave_one_out: FloatArray, confidence: float
) -> ConfidenceInterval:
    """Percentile interval with its two shares corrected for bias and for skewness (bias-corrected, accelerated).

    The bias is the share of replicates below the observed value, ties counted half; the acceleration is the skewness
    of the jackknife. For a ratio of sums the jackknife has a closed form: the counts of each unit are taken from the
    sum, and `rate` does the rest.

    Parameters
    ----------
    observed : float
        The score, or difference, of the whole sample.
    replicates : float64 array, shape (resamples,)
        The same of every bootstrap sample.
    leave_one_out : float64 array, shape (units,)
        The same of the sample without each unit (segment, or cluster where clusters are drawn).
    confidence : float
        Nominal coverage, inside (0, 1).

    Returns
    -------
    ConfidenceInterval
        Of method "bca". Defined for all data: where the jackknife does not vary, or is undefined because one unit
        holds the whole reference, there is no acceleration; where all replicates lie on one side of the observed
        value, half a replicate is taken to lie on the other; without any variation the interval has no width.

    Raises
    ------
    UndefinedResultError
        If the observed value or a replicate is not finite.
    ConfigurationError
        If the confidence is not inside (0, 1).

    References
    ----------
    Efron (1987), Better bootstrap confidence intervals; Efron & Tibshirani (1993), An Introduction to the Bootstrap,
    section 14.3.

    Examples
    --------
    >>> import numpy as np
    >>> replicates = np.linspace(0.0, 1.0, 1001)
    >>> interval = bca_interval(0.4, replicates, np.array([0.3, 0.4, 0.5]), 0.90)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.016, 0.873)
    """
    tail = tail_of(confidence)
    _check_observed(observed)
    check_replicates(replicates)
    below = np.count_nonzero(replicates < observed - TOLERANCE)
    ties = np.count_nonzero(np.abs(replicates - observed) <= TOLERANCE)
    half = 0.5 / replicates.size
    bias = scipy.special.ndtri(np.clip((below + ties / 2) / replicates.size, half, 1 - half))
    shifted = bias + scipy.special.ndtri([tail, 1 - tail])
    # A share runs into 0 or 1 where skewness would carry it beyond.
    stretch = np.maximum(1 - acceleration(leave_one_out) * shifted, TOLERANCE)
    low, high = np.quantile(replicates, scipy.special.ndtr(bias + shifted / stretch), method="linear")
    return ConfidenceInterval(low=float(low), high=float(high), confidence=confidence, method="bca")


def acceleration(leave_one_out: FloatArray) -> float:
    """Acceleration of the BCa interval: skewness of the jackknife over 6 and over the root of the number of units.

    0 where nothing varies, or the score is undefined without a unit. Efron & Tibshirani (1993), equation 14.15.
    """
    influence = leave_one_out.mean() - leave_one_out
    if not np.isfinite(influence).all() or np.ptp(leave_one_out) <= TOLERANCE:
        return 0.0
    return float(np.sum(influence**3) / (6 * np.sum(influence**2) ** 1.5))


def tail_of(confidence: float) -> float:
    """Share left out on either side of an interval; raises ConfigurationError for a confidence outside (0, 1)."""
    if not 0 < confidence < 1:
        raise ConfigurationError(f"confidence is {confidence}; it has to lie inside (0, 1), and 0.95 is usual.")
    return (1 - confidence) / 2


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
