"""Power analysis: the smallest detectable difference, the sample that one needs, and the design effect of clusters."""

import bisect
import math
from collections.abc import Callable

import numpy as np
import scipy

from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.io.checks.numbers import check_counts
from misread.stats.bootstrap.resampling import cluster_rows
from misread.types import IntArray

POWER = 0.80
"""Default probability of finding a true difference."""

# Above this number of units, Student's t and the normal distribution agree to four digits of power.
MANY_UNITS = 1000
# Nobody will collect more units than this: the difference is practically zero.
MOST_UNITS = 10**9
# Number of shifts among which a difference is looked up: two neighbours differ in the fourteenth digit.
_SHIFTS = 2**50


def detectable_difference(deviation: float, units: int, *, alpha: float, power: float = POWER) -> float:
    """Smallest true difference that a two-sided test finds with the given probability.

    Parameters
    ----------
    deviation : float
        Standard deviation of one unit's contribution to the difference, from `jackknife_deviation`.
    units : int
        Independent units, 2 or more.
    alpha : float
        Level of the test, inside (0, 1).
    power : float
        Probability of finding the difference, above alpha and below 1.

    Returns
    -------
    float
        Difference in the unit of the deviation.

    Raises
    ------
    ConfigurationError
        If there are fewer than two units, or alpha or power is out of range.

    References
    ----------
    Cohen (1988), Statistical Power Analysis, section 2.4: the paired t test, whose power a sign-flip test of units
    shares closely; noncentral t up to 1,000 units, normal beyond.

    Examples
    --------
    >>> round(detectable_difference(1.0, 30, alpha=0.05), 3)
    0.529
    """
    _check(units, alpha, power)
    return detectable_by_error(deviation / math.sqrt(units), units - 1, alpha=alpha, power=power)


def detectable_by_error(error: float, freedom: float, *, alpha: float, power: float = POWER) -> float:
    """Smallest true difference found with the given probability, from the standard error and its degrees of freedom."""
    # A root as of `scipy.optimize.brentq`; loading that package takes longer than most comparisons.
    farthest = _far(freedom, alpha)
    steps = range(_SHIFTS)
    step = bisect.bisect_left(steps, power, key=lambda step: _power(farthest * step / _SHIFTS, freedom, alpha))
    shift = farthest * step / _SHIFTS
    # SciPy cannot evaluate the noncentral t distribution far out in its tail.
    if not _power(shift, freedom, alpha) >= power:
        raise UndefinedResultError(
            f"the power at alpha {alpha:g} with {freedom:g} degrees of freedom cannot be computed; choose a larger "
            "alpha."
        )
    return shift * error


def is_detected(difference: float, error: float, freedom: float, *, alpha: float, power: float = POWER) -> bool:
    """Whether a true difference is found with the given probability, at a standard error above 0."""
    return _power(abs(difference) / error, freedom, alpha) >= power


def units_to_detect(difference: float, deviation: float, *, alpha: float, power: float = POWER) -> int | None:
    """Number of units, 2 or more, at which a true difference of this size is found with the given probability.

    `deviation` is the standard deviation of one unit's contribution to the difference. None if a thousand million units
    would not do.
    """
    _check(2, alpha, power)
    effect = abs(difference) / deviation
    return first_enough(lambda units: _power(effect * math.sqrt(units), units - 1, alpha) >= power)


def units_to_equate(
    difference: float, deviation: float, *, margin: float, alpha: float, power: float = POWER
) -> int | None:
    """Number of units, 2 or more, at which a true difference of this size is shown to lie inside the margin.

    None for a difference outside the margin, or too close to its end. Julious (2004), Sample sizes for clinical trials
    with normal data, section 5 (normal approximation).
    """
    _check(2, alpha, power)
    lower, upper = (margin + difference) / deviation, (margin - difference) / deviation
    if min(lower, upper) <= 0:
        return None
    critical = -scipy.special.ndtri(alpha)

    def is_enough(units: int) -> bool:
        tails = scipy.special.ndtr(critical - np.array([lower, upper]) * math.sqrt(units))
        return bool(1 - tails.sum() >= power)

    return first_enough(is_enough)


def _power(shift: float, freedom: float, alpha: float) -> float:
    """Probability that the test finds a difference of `shift` standard errors."""
    if freedom >= MANY_UNITS:
        critical = -float(scipy.special.ndtri(alpha / 2))
        return float(scipy.special.ndtr(shift - critical) + scipy.special.ndtr(-critical - shift))
    critical = -float(scipy.special.stdtrit(freedom, alpha / 2))
    # The other tail is below 1e-4 if power is .5 or more, and SciPy cannot evaluate it at large shifts.
    # `scipy.stats.nct.sf` up to the last digit; loading that package takes longer than most commands.
    return float(1 - scipy.special.nctdtr(freedom, shift, critical))


def _far(freedom: float, alpha: float) -> float:
    """Shift at which any requested power is reached; it grows with the critical value for few units."""
    return 20.0 + 4.0 * float(-scipy.special.stdtrit(freedom, alpha / 2))


def first_enough(is_enough: Callable[[int], bool]) -> int | None:
    """Smallest number of units that is enough, if every larger number is enough too; None if none is."""
    units = 2
    while not is_enough(units):
        units *= 2
        if units > MOST_UNITS:
            return None
    return bisect.bisect_left(range(units), True, lo=units // 2, key=is_enough)


def _check(units: int, alpha: float, power: float) -> None:
    if units < 2:
        raise ConfigurationError(f"power needs at least 2 units to see how they vary; got {units}.")
    if not 0 < alpha < power < 1:
        raise ConfigurationError(f"alpha is {alpha} and power {power}, expected 0 < alpha < power < 1.")


def design_effect(errors: IntArray, lengths: IntArray, clusters: IntArray) -> float:
    """Design effect: variance of a corpus rate with clusters, over its variance if segments were independent.

    The rate R = sum(errors) / sum(lengths) is linearised: segment i moves it in proportion to e_i - R l_i. The design
    effect is the sum of squares of the cluster sums of these residuals, over the sum of squares of the residuals: 1 for
    unrelated segments (or if every segment has the same rate), up to the size of the clusters if all their segments err
    alike. Kish (1965), Survey Sampling, sections 5.4 and 8.2; Cochran (1977), Sampling Techniques, section 6.3.
    """
    errors, lengths = check_counts("errors", errors), check_counts("lengths", lengths)
    clusters = check_counts("clusters", clusters)
    if not len(errors) == len(lengths) == len(clusters):
        raise LengthMismatchError(
            f"a design effect needs one entry per segment; got {len(errors)} errors, {len(lengths)} lengths and "
            f"{len(clusters)} cluster codes."
        )
    total_length = int(lengths.sum())
    if total_length == 0:
        raise UndefinedResultError("the design effect of a rate needs reference units; the reference is empty.")
    # Residuals times the total length are whole numbers, so that no variation gives exactly zero.
    residuals = errors * total_length - int(errors.sum()) * lengths
    clustered = cluster_rows(residuals[:, np.newaxis], clusters)[:, 0]
    if len(clustered) < 2:
        raise UndefinedResultError("the design effect needs at least 2 clusters to see how they vary; got 1.")
    segment_squares = float(np.sum(np.square(residuals, dtype=np.float64)))
    if segment_squares == 0:
        return 1.0
    return float(np.sum(np.square(clustered, dtype=np.float64))) / segment_squares


def effective_segments(segments: int, deff: float) -> float:
    """Effective sample size: the number of independent segments that would give the same variance.

    Kish (1965), section 8.2. A design effect below 1 counts as 1: in few clusters it is mostly chance.
    """
    return segments / max(deff, 1.0)
