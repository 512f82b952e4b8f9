"""Intervals by Student's t around the jackknife standard error, with the degrees of freedom that few units leave."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from misread.errors import UndefinedResultError
from misread.stats.bootstrap.intervals import tail_of
from misread.stats.results import ConfidenceInterval
from misread.stats.rounding import TOLERANCE
from misread.types import FloatArray, IntArray


@dataclass(frozen=True)
class Estimate:
    """A score, or a difference of two, of the whole sample, with what is known of its error."""

    value: float
    error: float  # standard error; 0 where nothing varies
    freedom: float  # degrees of freedom of the error, 1 or more
    skewness: float = 0.0  # third standardised moment of what units add, over the root of their number
    method: str = "jackknife"  # where the error comes from: "jackknife", or "standard" (deviation of bootstrap samples)


def degrees_of_freedom(sizes: IntArray | FloatArray) -> float:
    """Degrees of freedom of the jackknife variance of a ratio of sums over units of unequal size, shape (units,).

    Satterthwaite's: twice the squared mean of the variance over its own variance, if what a unit adds varies in
    proportion to its size. With h a unit's share of the whole and q = h / (1 - h), they are
    (sum q)^2 / (sum q^2 + (sum q^2)^2 - sum q^4): one less than the number of units where all are of one size, and
    fewer the more a few of them hold.

    Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage samples;
    Pustejovsky & Tipton (2018), Small-sample methods for cluster-robust variance estimation.
    """
    if len(sizes) < 2:
        raise UndefinedResultError(f"degrees of freedom need at least 2 units; got {len(sizes)}.")
    total = float(sizes.sum())
    if sizes.max() >= total:
        return 1.0
    shares = sizes / total
    odds = shares / (1 - shares)
    squares = np.sort(odds**2)
    largest, rest = float(squares[-1]), float(squares[:-1].sum())
    # (sum q^2)^2 - sum q^4, without the fourth power of the largest, beside which all others would be lost.
    crossed = 2 * largest * rest + rest**2 - float(np.sum(squares[:-1] ** 2))
    return max(1.0, float(odds.sum()) ** 2 / (largest + rest + crossed))


def jackknife_interval(
    estimate: Estimate, confidence: float, *, lowest: float = -math.inf, highest: float = math.inf
) -> ConfidenceInterval:
    """Interval of so many standard errors on either side, by Student's t; without width where nothing varies.

    A score that begins at 0 has errors that grow with it: there the interval is symmetric on the scale on which they
    do not, which is the square root (a rate of counts), or the arcsine of the root where there is an upper end as
    well (a share). It then never leaves the range, and reaches further away from 0 than towards it. Where a few units
    make up most of the score, the sample is likely to have missed others like them: the end on the side to which
    units are skewed moves out to where Hall's correction of t for skewness puts it, if that is further.

    Tukey (1958), Bias and confidence in not-quite large samples; Hall (1992), On the removal of skewness by
    transformation; Davison & Hinkley (1997), sections 2.7.3 (jackknife) and 5.2.1 (variance-stabilising scales).
    """
    tail = tail_of(confidence)
    value, error = estimate.value, estimate.error
    if not (math.isfinite(value) and math.isfinite(error)):
        raise UndefinedResultError(f"the value is {value} and its standard error {error}: there is no interval.")
    # scipy.stats would take most of the time of a command to load.
    quantile = -float(scipy.special.stdtrit(estimate.freedom, tail))
    reach = quantile * error
    if not lowest <= value <= highest:
        lowest, highest = -math.inf, math.inf
    if error == 0:
        low = high = value
    elif lowest != 0:
        low, high = max(value - reach, lowest), min(value + reach, highest)
    else:
        low, high = _by_root(value, reach) if math.isinf(highest) else _by_arcsine(value, reach, highest)
        far = value + _skewed(quantile, estimate.skewness) * error
        low, high = max(min(low, far), lowest), min(max(high, far), highest)
    return ConfidenceInterval(low=low, high=high, confidence=confidence, method=estimate.method)


def _by_root(value: float, reach: float) -> tuple[float, float]:
    """Ends that are as far from the value as each other on the scale of square roots."""
    root = math.sqrt(value)
    step = reach / (2 * root) if root else math.sqrt(reach)
    return max(root - step, 0.0) ** 2, (root + step) ** 2


def _by_arcsine(value: float, reach: float, highest: float) -> tuple[float, float]:
    """The same on the scale of arcsines; at the ends of the range, where it has no slope, without it."""
    if value in (0.0, highest):
        return max(value - reach, 0.0), min(value + reach, highest)
    share = value / highest
    angle, step = math.asin(math.sqrt(share)), reach / (2 * highest * math.sqrt(share * (1 - share)))
    ends = max(angle - step, 0.0), min(angle + step, math.pi / 2)
    low, high = (highest * math.sin(end) ** 2 for end in ends)
    return low, high


def _skewed(quantile: float, skewness: float) -> float:
    """How many standard errors the truth may lie away on the side of the skewness, with its sign.

    Hall's transformation of t is t + g (2 t^2 + 1) / 6 + g^2 t^3 / 27, of which this is the inverse.
    """
    if abs(skewness) < TOLERANCE:
        return 0.0
    size = abs(skewness)
    return math.copysign(3 / size * (1 + math.cbrt(size * (quantile + size / 6) - 1)), skewness)
