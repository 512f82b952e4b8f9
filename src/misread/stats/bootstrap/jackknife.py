"""Intervals by Student's t with the jackknife standard error, with degrees of freedom for few unequal units."""

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy

from misread.errors import UndefinedResultError
from misread.io.checks.numbers import check_confidence
from misread.stats.results import TOLERANCE, ConfidenceInterval
from misread.types import FloatArray, IntArray

FEWEST_FREEDOM = 3.0
"""With fewer degrees of freedom there is no interval: one or two units determine it."""

_ROUNDING = 1e-9
"""Tolerance of rounding: units of equal size leave a whole number of degrees of freedom."""


@dataclass(frozen=True)
class Estimate:
    """A score of the whole sample, or a difference of two, with its standard error."""

    value: float
    error: float  # standard error; 0 if nothing varies
    freedom: float  # degrees of freedom of the error, 1 or more
    skewness: float = 0.0  # third standardised moment of the units' contributions, over the root of their number
    method: str = "jackknife"  # of the error: "jackknife", or "standard" (deviation of bootstrap samples)
    step: float = 0.0  # change of the score by one error; 0 if unknown
    independent: float = 0.0  # standard error of as many independent errors; 0 if it counts no errors

    @property
    def has_interval(self) -> bool:
        """Whether enough degrees of freedom are left for an interval."""
        return self.freedom >= FEWEST_FREEDOM - _ROUNDING

    def reach(self, tail: float, quantile: float | None = None) -> float:
        """Distance from the score that is exceeded with probability `tail`; at least that of independent errors."""
        quantile = -float(scipy.special.stdtrit(self.freedom, tail)) if quantile is None else quantile
        return max(quantile * self.error, -float(scipy.special.ndtri(tail)) * self.independent)

    def tail(self, distance: float) -> float:
        """Probability of a deviation beyond a distance, the inverse of `reach`."""
        beyond = [scipy.special.stdtr(self.freedom, -distance / self.error)] if self.error else []
        beyond += [scipy.special.ndtr(-distance / self.independent)] if self.independent else []
        return float(max(beyond)) if beyond else float(distance <= TOLERANCE)


def independent_error(value: float, step: float, *, is_share: bool = False) -> float:
    """Least standard error of a rate that each of several independent errors changes by `step`; 0 without errors.

    It is binomial: each item is wrong or not, and above 1 each further error is one too many. Where a rate has hardly
    an item that is right, as many count as right as in Wilson's interval, about four. Of a difference it is that of the
    errors that one system has more.
    """
    rate = abs(value)
    rest = max(1 - rate, 0.0) if is_share else max(abs(1 - rate), 4 * step)
    return math.sqrt(min(rate, 1.0) * rest * step)


def degrees_of_freedom(sizes: IntArray | FloatArray) -> float:
    """Degrees of freedom of the jackknife variance of a ratio of sums over units of unequal size, shape (units,).

    Satterthwaite's: twice the squared mean of the variance over its own variance, if a unit's contribution varies in
    proportion to its size; of an error rate that is errors plus length. With h a unit's share of the whole and q = h /
    (1 - h), they are (sum q)^2 / (sum q^2 + (sum q^2)^2 - sum q^4): one less than the number of units if all have the
    same size, and fewer the more a few units dominate.

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
    # (sum q^2)^2 - sum q^4, computed without the fourth power of the largest, which would absorb all others.
    crossed = 2 * largest * rest + rest**2 - float(np.sum(squares[:-1] ** 2))
    return max(1.0, float(odds.sum()) ** 2 / (largest + rest + crossed))


def jackknife_deviation(leave_one_out: FloatArray) -> float | None:
    """Standard deviation of one unit's contribution to a score, from the scores without each unit, shape (units,).

    Divided by the root of the number of units it is the jackknife standard error of any score: a ratio of sums, a
    difference of two, F1. None with fewer than two units, no variation, or an undefined score.

    Tukey (1958), Bias and confidence in not-quite large samples; Efron & Tibshirani (1993), An Introduction to the
    Bootstrap, chapter 11.
    """
    n = len(leave_one_out)
    if n < 2 or not np.isfinite(leave_one_out).all() or np.ptp(leave_one_out) <= TOLERANCE:
        return None
    return float((n - 1) * np.std(leave_one_out, ddof=1))


def jackknife_estimate(
    value: float, leave_one_out: FloatArray, sizes: IntArray | FloatArray, *, step: float = 0.0
) -> Estimate:
    """A score with its jackknife error, from the scores without each unit; `sizes` are the weights of the units."""
    error = (jackknife_deviation(leave_one_out) or 0.0) / math.sqrt(len(leave_one_out))
    return Estimate(value, error, degrees_of_freedom(sizes), 6 * acceleration(leave_one_out), step=step)


def acceleration(leave_one_out: FloatArray) -> float:
    """Acceleration of the BCa interval: skewness of the jackknife over 6 and over the root of the number of units.

    0 if nothing varies, or if the score is undefined without some unit. Efron & Tibshirani (1993), equation 14.15.
    """
    influence = leave_one_out.mean() - leave_one_out
    if not np.isfinite(influence).all() or np.ptp(leave_one_out) <= TOLERANCE:
        return 0.0
    squares = influence**2
    # A product: NumPy takes a hundred times as long for third powers.
    return float(np.sum(squares * influence) / (6 * np.sum(squares) ** 1.5))


def symmetric_interval(
    estimate: Estimate, confidence: float, *, lowest: float = -math.inf, highest: float = math.inf
) -> ConfidenceInterval:
    """Interval by Student's t of a difference, or of another score without a lower limit of 0.

    Its ends are equally far from the score, except where they are clipped to its limits. Raises the errors of
    `jackknife_interval`.
    """
    value = estimate.value
    reach = estimate.reach(_tail(estimate, confidence))
    low, high = value - reach, value + reach
    if lowest <= value <= highest:
        low, high = max(low, lowest), min(high, highest)
    return ConfidenceInterval(low=low, high=high, confidence=confidence, method=estimate.method)


def tail_of(confidence: float) -> float:
    """Probability in each tail of an interval; raises ConfigurationError for a confidence outside (0, 1)."""
    return (1 - check_confidence(confidence)) / 2


def _tail(estimate: Estimate, confidence: float) -> float:
    """Probability in each tail of an interval; raises UndefinedResultError unless the estimate is finite."""
    tail = tail_of(confidence)
    value, error = estimate.value, estimate.error
    if not (math.isfinite(value) and math.isfinite(error)):
        raise UndefinedResultError(f"the value is {value} and its standard error {error}: there is no interval.")
    return tail


def jackknife_interval(
    estimate: Estimate, confidence: float, *, lowest: float = -math.inf, highest: float = math.inf
) -> ConfidenceInterval | None:
    """Interval by Student's t with the jackknife standard error, no narrower than that of independent errors.

    For scores without a lower limit of 0, use `symmetric_interval`.

    The error of a rate grows with the rate, so its interval contains the rates p that are at most t standard errors
    away by *their own* error: (value - p)^2 <= t^2 error^2 V(p) / V(value), with V(p) = p for a rate, and p (1 - p) for
    a share. This is Wilson's interval with the effective sample size that the error implies. It lies inside the range
    and is continuous; its lower end is 0 only if no error was seen, and then its upper end is that of a sample with a
    single error. If units are more skewed than counts of independent errors, the end on that side moves out by the
    second term of the Cornish-Fisher expansion, but no further than with `FEWEST_FREEDOM` degrees of freedom.

    Parameters
    ----------
    estimate : Estimate
        The score with its standard error.
    confidence : float
        Nominal coverage, inside (0, 1).
    lowest, highest : float
        Limits of the score; a score with `lowest=0` is a rate, and with a finite `highest` a share.

    Returns
    -------
    ConfidenceInterval or None
        None for a rate or share with fewer than `FEWEST_FREEDOM` degrees of freedom.

    Raises
    ------
    UndefinedResultError
        If the score or its error is not finite.
    ConfigurationError
        If the confidence is not inside (0, 1).

    References
    ----------
    Tukey (1958), Bias and confidence in not-quite large samples; Wilson (1927), Probable inference, the law of
    succession, and statistical inference; Korn & Graubard (1998), Confidence intervals for proportions with small
    expected number of positive counts estimated from survey data; Johnson (1978), Modified t tests and confidence
    intervals for asymmetrical populations.

    Examples
    --------
    >>> interval = jackknife_interval(Estimate(value=0.05, error=0.02, freedom=11), 0.95, lowest=0)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0213, 0.1175)
    """
    tail = _tail(estimate, confidence)
    if lowest != 0 or not lowest <= estimate.value <= highest:
        return symmetric_interval(estimate, confidence, lowest=lowest, highest=highest)
    if not estimate.has_interval:
        return None
    low, high = _rate_ends(estimate, tail, highest)
    return ConfidenceInterval(low=low, high=high, confidence=confidence, method=estimate.method)


def _rate_ends(estimate: Estimate, tail: float, highest: float) -> tuple[float, float]:
    """Ends of a rate, or of a share of `highest`."""
    value, error = estimate.value, estimate.error
    if value in (0.0, highest):
        step = min(estimate.step or error, highest / 2)
        if step == 0:
            return value, value
        one_error = replace(estimate, value=abs(value - step), error=max(error, step))
        low, high = _rate_ends(one_error, tail, highest)
        return (0.0, high) if value == 0 else (low, float(highest))
    if not (error or estimate.independent):
        return value, value
    # Loading scipy.stats would take most of the time of a command.
    quantile = -float(scipy.special.stdtrit(estimate.freedom, tail))
    by_counts = error / value  # skewness of independent errors with this standard error
    if math.isfinite(highest):
        by_counts *= abs(highest - 2 * value) / (highest - value)
    excess = max(abs(estimate.skewness) - by_counts, 0.0)
    skewed = quantile + excess * (1 + 2 * float(scipy.special.ndtri(tail)) ** 2) / 6
    farthest = max(quantile, -float(scipy.special.stdtrit(FEWEST_FREEDOM, tail)))
    up, down = (
        estimate.reach(tail, min(skewed, farthest) if estimate.skewness * side > 0 else quantile) for side in (1, -1)
    )
    if math.isinf(highest):
        low, high = (math.exp(2 * math.asinh(way / value / 2)) for way in (-down, up))
        return value * low, value * high
    share = value / highest
    # Squared quantiles over the effective number of trials: the variance of one trial over that of the share.
    below, above = ((way / highest) ** 2 / (share * (1 - share)) for way in (down, up))
    return highest * _wilson_low(share, below), highest * (1 - _wilson_low(1 - share, above))


def _wilson_low(share: float, ratio: float) -> float:
    """Lower end of Wilson's interval of a share; `ratio` is the squared quantile over the number of trials."""
    middle = share + ratio / 2
    # The smaller root of p^2 (1 + ratio) - 2 p middle + share^2, in a form without cancellation.
    return share**2 / (middle + math.sqrt(ratio * (share * (1 - share) + ratio / 4)))
