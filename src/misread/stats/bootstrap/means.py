"""Intervals of the mean of values, and of a ratio of sums over clusters."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from misread.errors import UndefinedResultError
from misread.io.checks.choices import check_choice
from misread.io.checks.numbers import check_row
from misread.stats.bootstrap.intervals import BootstrapInterval, bootstrap_interval
from misread.stats.bootstrap.jackknife import independent_error, jackknife_estimate, jackknife_interval
from misread.stats.bootstrap.resampling import check_draws, cluster_rows
from misread.stats.results import ConfidenceInterval
from misread.types import FloatArray, IntArray

# Draws held in memory at a time.
_CELLS: Final = 4_000_000


class Bounds(NamedTuple):
    """Ends of an interval, in the unit of the values."""

    lower: float
    upper: float


def bootstrap_ci(
    values: Sequence[float] | FloatArray,
    confidence: float = 0.95,
    *,
    interval: BootstrapInterval = "percentile",
    resamples: int = 9999,
    seed: int = 1,
) -> Bounds:
    """Bootstrap confidence interval of a mean of values, one per segment, page or data set.

    All values have equal weight. For the interval of a corpus rate, in which long segments weigh more and whole
    clusters are drawn, use `misread.stats.compare_systems`.

    Parameters
    ----------
    values : sequence of float
        At least two, all finite.
    confidence : float
        Nominal coverage, inside (0, 1).
    interval : {"percentile", "basic", "bca"}
        Method that derives the interval from the resamples.
    resamples : int
        Bootstrap samples.
    seed : int
        Seed of the draws, 0 or more; the same seed gives the same interval.

    Returns
    -------
    Bounds
        Lower and upper end, which can be unpacked.

    Raises
    ------
    InputTypeError
        If the values are not a one-dimensional array of numbers.
    UndefinedResultError
        If there are fewer than two values, or one is not finite; names its position.
    ConfigurationError
        If the confidence, the number of resamples or the seed is out of range.
    UnknownNameError
        If there is no such interval.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13; Evaluation Metrics (Thulium suite),
    "Confidence Intervals".

    Examples
    --------
    >>> lower, upper = bootstrap_ci([0.02, 0.018, 0.023, 0.019, 0.021], confidence=0.95)
    >>> round(lower, 4), round(upper, 4)
    (0.0188, 0.0218)
    """
    sample = _check_sample(values)
    check_choice("interval", interval, BootstrapInterval)
    resamples, seed = check_draws(resamples, seed)
    means = _resampled_means(sample, resamples, seed)
    rest = (sample.sum() - sample) / (len(sample) - 1)
    bounds = bootstrap_interval(interval, float(sample.mean()), means, rest, confidence=confidence)
    return Bounds(bounds.low, bounds.high)


def _check_sample(values: Sequence[float] | FloatArray) -> FloatArray:
    sample = check_row("values", values)
    if len(sample) < 2:
        raise UndefinedResultError(f"the bootstrap needs at least 2 values; got {len(sample)}.")
    odd = np.flatnonzero(~np.isfinite(sample))
    if len(odd):
        raise UndefinedResultError(f"value {odd[0]} is {sample[odd[0]]}, expected a finite number.")
    return sample


def _resampled_means(sample: FloatArray, resamples: int, seed: int) -> FloatArray:
    generator = np.random.default_rng(seed)
    at_a_time = max(1, _CELLS // len(sample))
    parts = [
        sample[generator.integers(len(sample), size=(min(at_a_time, resamples - start), len(sample)))].mean(axis=1)
        for start in range(0, resamples, at_a_time)
    ]
    return np.concatenate(parts)


def ratio_interval(
    numerators: IntArray,
    denominators: IntArray,
    clusters: Sequence[str] | None,
    confidence: float,
    *,
    highest: float = math.inf,
) -> ConfidenceInterval | None:
    """Jackknife interval of the ratio of sums, by cluster if there are clusters, else by segment.

    None with fewer than two units that have a denominator, or with too few degrees of freedom.
    """
    counts = np.stack([numerators, denominators], axis=-1).astype(np.int64)
    codes = None if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
    units = cluster_rows(counts, codes)
    units = units[units[:, 1] > 0]
    if len(units) < 2:
        return None
    total = units.sum(axis=0)
    without = total - units
    rates = without[:, 0] / without[:, 1]
    rate, step = total[0] / total[1], 1 / float(total[1])
    estimate = jackknife_estimate(rate, rates, units[:, 1], step=step)
    estimate = replace(estimate, independent=independent_error(rate, step, is_share=highest == 1))
    return jackknife_interval(estimate, confidence, lowest=0.0, highest=highest)
