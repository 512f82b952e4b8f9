"""Confidence sequences of a ratio of sums over clusters in random order: intervals that hold at all looks together.

Arrays have clusters along their last axis, so that many corpora are computed at once. A difference of rates is tested
by inversion: if theta is the true one, the residuals e_i - theta l_i of the clusters have mean 0.
"""

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import scipy

from misread.types import FloatArray, IntArray

FIRST_LOOK: Final = 10
"""Clusters before the first interval and verdict: fewer show too little of how clusters vary."""

OVERSHOOT: Final = 0.583
"""Standard deviations of a step by which a sum of normal steps passes a distant bound in the mean."""

NOT_YET, BETTER, WORSE, EQUIVALENT = range(4)
"""Codes of verdicts."""


@dataclass(frozen=True)
class Rule:
    """When to stop."""

    total: int | None = None  # number of all clusters; None for very many
    margin: float | None = None  # difference up to which systems are equivalent
    level: float = 0.05
    narrowest: float = 50.0  # number of clusters after which the interval is narrowest
    one_error: float = 0.0  # in the unit of errors; 0 where they are no counts


class Looks(NamedTuple):
    """Bounds after each cluster, shape (..., clusters)."""

    low: FloatArray  # ends of the interval of the difference; infinite while there is none
    high: FloatArray
    verdict: IntArray  # codes; the first that decides is kept


def judge_looks(errors: FloatArray, lengths: FloatArray, rule: Rule) -> Looks:
    """Intervals and verdicts after each cluster, from differences of errors and from lengths, shape (..., clusters).

    An interval only shrinks: it is the intersection of all so far. If that becomes empty, with a probability of at most
    the level, the last one stays. After the last of all clusters the difference is known.
    """
    added = remove_expected(errors, rule.total), remove_expected(lengths, rule.total)
    ends = sequence_ends(*added, level=rule.level, narrowest=rule.narrowest)
    low, high = intersect_so_far(*_widen(*ends, errors, lengths, rule))
    difference = errors.sum(axis=-1) / np.maximum(lengths.sum(axis=-1), np.finfo(np.float64).tiny)
    is_complete = errors.shape[-1] == rule.total
    if is_complete:
        low[..., -1] = high[..., -1] = difference
    verdict = np.select([high < 0, low > 0], [BETTER, WORSE], NOT_YET)
    if rule.margin is not None:
        is_within = evidence_within(*added, rule.margin) >= -math.log(rule.level)
        if is_complete:
            is_within[..., -1] = np.abs(difference) <= rule.margin
        verdict[is_within] = EQUIVALENT
    is_decided = verdict != NOT_YET
    first = np.take_along_axis(verdict, is_decided.argmax(axis=-1, keepdims=True), axis=-1)
    return Looks(low, high, np.where(np.logical_or.accumulate(is_decided, axis=-1), first, NOT_YET))


def _widen(
    low: FloatArray, high: FloatArray, errors: FloatArray, lengths: FloatArray, rule: Rule
) -> tuple[FloatArray, FloatArray]:
    """Ends that are no nearer to the difference than those of as many independent errors, of known variance.

    Where all clusters differ alike, they show no variation. Howard, Ramdas, McAuliffe & Sekhon (2021), equation 14.
    """
    number = np.arange(1, errors.shape[-1] + 1)
    growth = 1 + prior_precision(rule.level, rule.narrowest) * number
    length = np.maximum(np.cumsum(lengths, axis=-1), np.finfo(np.float64).tiny)
    difference = np.cumsum(errors, axis=-1) / length
    variance = np.abs(difference) * rule.one_error / length
    left = 1.0 if rule.total is None else 1 - number / rule.total
    reach = np.sqrt(left * variance * growth / (growth - 1) * np.log(growth / rule.level**2))
    return np.minimum(low, difference - reach), np.maximum(high, difference + reach)


def intersect_so_far(low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Intersections of all intervals so far; of those that have a point in common."""
    low, high = np.fmax.accumulate(low, axis=-1), np.fmin.accumulate(high, axis=-1)
    is_empty = low > high
    low, high = np.where(is_empty, -np.inf, low), np.where(is_empty, np.inf, high)
    return np.maximum.accumulate(low, axis=-1), np.minimum.accumulate(high, axis=-1)


def remove_expected(values: FloatArray, total: int | None) -> FloatArray:
    """What each of the clusters adds to what the earlier ones let expect, if there are `total` clusters in all.

    Drawn without replacement, a cluster is expected to be the mean of all that are left. With the sum of all clusters
    at 0, that is minus the sum of the earlier ones over the number left. The differences are independent and have
    equal variance if the clusters are normal. The last cluster adds nothing and has no value: NaN. Without a total, the
    values are returned as they are.

    Waudby-Smith & Ramdas (2020), Confidence sequences for sampling without replacement.
    """
    if total is None:
        return values
    left = total - np.arange(values.shape[-1])
    earlier = np.cumsum(values, axis=-1) - values
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.where(left > 1, np.sqrt(left / (left - 1)), np.nan)
    return (values + earlier / left) * scale


def prior_precision(level: float, narrowest: float) -> float:
    """Variance of the standardised effect in the mixture that makes the interval narrowest after `narrowest` clusters.

    Howard, Ramdas, McAuliffe & Sekhon (2021), Time-uniform, nonparametric, nonasymptotic confidence sequences, section
    3.5: the optimum by Lambert's function.
    """
    return (-float(scipy.special.lambertw(-(level**2) / math.e, -1).real) - 1) / narrowest


def sequence_ends(
    errors: FloatArray, lengths: FloatArray, *, level: float, narrowest: float
) -> tuple[FloatArray, FloatArray]:
    """Ends of the confidence sequence of sum(errors) / sum(lengths) after each cluster; infinite while unbounded.

    The interval has every theta that a sequential t test does not reject: the likelihood ratio of normal residuals with
    a standardised mean drawn from a normal distribution against mean 0, both with the same unknown variance, stays
    below 1 / level. For normal residuals it is a martingale whatever their variance, so that the level holds at all
    looks together; for others approximately. The ends solve a quadratic equation.

    Lai (1976), On confidence sequences; Wang & Ramdas (2025), Anytime-valid t-tests and confidence sequences for
    Gaussian means with unknown variance, section 4; Fieller (1954), Some problems in interval estimation.
    """
    number = np.arange(1, errors.shape[-1] + 1)
    critical = critical_squares(number, level, prior_precision(level, narrowest))
    error_sums, length_sums = np.cumsum(errors, axis=-1), np.cumsum(lengths, axis=-1)
    squares = (np.cumsum(errors * errors, axis=-1), np.cumsum(errors * lengths, axis=-1))
    # (E - theta L)^2 < critical sum (e - theta l)^2, as square theta^2 - 2 linear theta + constant < 0.
    square = length_sums**2 - critical * np.cumsum(lengths * lengths, axis=-1)
    linear = error_sums * length_sums - critical * squares[1]
    constant = error_sums**2 - critical * squares[0]
    root = np.sqrt(np.maximum(linear**2 - square * constant, 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = (linear - root) / square, (linear + root) / square
    is_bounded = (square > 0) & (number >= FIRST_LOOK)
    return np.where(is_bounded, low, -np.inf), np.where(is_bounded, high, np.inf)


def critical_squares(number: IntArray, level: float, precision: float) -> FloatArray:
    """Squared sum of residuals, over the sum of their squares, at which `number` clusters reject a mean of 0."""
    growth = 1 + precision * number
    # For one or two clusters the power may be beyond any float: then nothing is ever rejected.
    with np.errstate(over="ignore"):
        power = np.exp((np.log(growth) - 2 * math.log(level)) / number)
    critical: FloatArray = (1 - 1 / power) * growth / precision
    return critical


def evidence_within(errors: FloatArray, lengths: FloatArray, margin: float) -> FloatArray:
    """Logarithm of the evidence, after each cluster, that the difference lies within the margin on both sides of 0.

    For each end of the margin, the likelihood ratio of no difference against a difference as large as the margin, of
    normal residuals with the variance that the end implies; each side keeps its largest value. It is above -log(level)
    with a probability of about `level` if the difference is as large as the margin. As one looks after whole clusters,
    it passes that bound by `OVERSHOOT` steps in the mean, which are allowed for.

    Wald (1945), Sequential tests of statistical hypotheses; Schuirmann (1987), A comparison of the two one-sided tests
    procedure and the power approach; Siegmund (1985), Sequential Analysis, section 10.2.
    """
    number = np.arange(1, errors.shape[-1] + 1)
    mean_length = np.cumsum(lengths, axis=-1) / number
    evidence = np.full(errors.shape, np.inf)
    for end in (margin, -margin):
        residuals = errors - end * lengths
        variance = guarded_variance(residuals, lengths)
        means = np.cumsum(residuals, axis=-1) / number
        expected = -end * mean_length
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = number * expected * (means - expected / 2) / variance
            ratio += OVERSHOOT * np.abs(expected) / np.sqrt(variance)
        ratio = np.where(number < FIRST_LOOK, -np.inf, ratio)
        evidence = np.minimum(evidence, np.fmax.accumulate(ratio, axis=-1))
    return evidence


def guarded_variance(residuals: FloatArray, lengths: FloatArray) -> FloatArray:
    """Mean square of the residuals so far, times 1 + 2 / k for k clusters in effect: few rarely include the largest.

    k is Kish's effective number for the squares per unit of length as weights, so that no cluster counts as heavy for
    its length alone.
    """
    number = np.arange(1, residuals.shape[-1] + 1)
    squares = residuals**2
    with np.errstate(invalid="ignore", divide="ignore"):
        weights = np.where(lengths > 0, squares / lengths, 0.0)
        heaviness = np.cumsum(weights**2, axis=-1) / np.cumsum(weights, axis=-1) ** 2
        variance: FloatArray = np.cumsum(squares, axis=-1) / number * (1 + 2 * heaviness)
    return variance
