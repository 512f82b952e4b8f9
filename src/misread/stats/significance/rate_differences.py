"""Tests on differences of per-segment rates: the sign test, Wilcoxon's signed-rank test, and Student's t test."""

import math
from collections.abc import Mapping
from typing import Literal

import numpy as np
import scipy

from misread.errors import UndefinedResultError
from misread.io.checks.choices import check_choice
from misread.io.checks.numbers import check_confidence, check_row
from misread.stats.results import DECIMALS, TOLERANCE, TestResult, positive_pvalue
from misread.stats.significance.binomial import binomial_tail
from misread.stats.significance.randomisation import sign_flip
from misread.types import FloatArray


def take_defined(differences: FloatArray, unit: str) -> tuple[FloatArray, int]:
    """The differences that are not NaN, at least one, and the number of NaN."""
    row = check_row("differences", differences)
    defined = row[~np.isnan(row)]
    if len(defined) == 0:
        raise UndefinedResultError(f"no {unit} has a defined difference among {len(row)}.")
    return defined, len(row) - len(defined)


def note_undefined(undefined: int, unit: str) -> list[str]:
    """A note on the number of dropped differences; empty if there are none."""
    return [f"Dropped because a rate is undefined: {undefined} ({unit})."] if undefined else []


# Equal rates, such as 2/10 and 1/5, may differ in the last bits of a float and then would not tie.
LARGEST_TIE = 1e-9


def sign_test(differences: FloatArray, *, unit: str = "segment") -> TestResult:
    """Test whether differences above and below 0 are equally frequent, regardless of size; exact, two-sided.

    Parameters
    ----------
    differences : array_like of float, shape (segments,)
        Rate of one system minus rate of the other; NaN where a rate is undefined.
    unit : str
        What one difference belongs to.

    Returns
    -------
    TestResult
        Statistic: the smaller of the numbers of positive and of negative differences. Effect size: dominance, the
        share of positive minus that of negative ones among all defined differences, ties included. Ties and NaN are
        dropped and counted (`extra`: positive, negative, ties, undefined). Without a nonzero difference: p = 1,
        method "none".

    Raises
    ------
    InputTypeError
        If the differences are not a one-dimensional array of numbers.
    UndefinedResultError
        If no segment has a defined difference.

    References
    ----------
    Arbuthnott (1710), An argument for divine providence; Dixon & Mood (1946), The statistical sign test; Demšar
    (2006), Statistical comparisons of classifiers over multiple data sets, section 3.1.4.

    Examples
    --------
    >>> import numpy as np
    >>> result = sign_test(np.array([0.02, 0.01, -0.03, 0.05, 0.0, 0.06]))
    >>> result.statistic, result.pvalue, result.n, result.dropped
    (1.0, 0.375, 5, 1)
    """
    defined, undefined = take_defined(differences, unit)
    positive = int(np.count_nonzero(defined > LARGEST_TIE))
    negative = int(np.count_nonzero(defined < -LARGEST_TIE))
    n = positive + negative
    ties = len(defined) - n
    return TestResult(
        name="sign",
        statistic=float(min(positive, negative)),
        pvalue=positive_pvalue(2 * binomial_tail(max(positive, negative), n, 0.5)) if n else 1.0,
        effect_size=(positive - negative) / len(defined),
        effect_size_name="dominance",
        n=n,
        dropped=ties + undefined,
        method="exact" if n else "none",
        unit=unit,
        notes=_sign_notes(n, ties, undefined, unit),
        extra={"positive": positive, "negative": negative, "ties": ties, "undefined": undefined},
    )


def _sign_notes(n: int, ties: int, undefined: int, unit: str) -> tuple[str, ...]:
    notes = []
    if n == 0:
        notes.append("No nonzero differences: p is 1 by definition.")
    elif ties:
        notes.append(f"Ties dropped: {ties} of {n + ties}.")
    return (*notes, *note_undefined(undefined, unit))


# Up to this number of nonzero differences the test is exact; beyond, the normal distribution is as good.
EXACT_LIMIT = 50

ZeroMethod = Literal["wilcox", "pratt", "zsplit"]

_TREATED: Mapping[ZeroMethod, str] = {"wilcox": "dropped", "pratt": "ranked and dropped", "zsplit": "ranked and split"}


def wilcoxon_signed_rank(
    differences: FloatArray, *, zero_method: ZeroMethod = "wilcox", corrected: bool = False, unit: str = "segment"
) -> TestResult:
    """Test whether differences are symmetric around 0, by their ranks; two-sided.

    It uses the rate of each segment, with equal weight for short and long ones, and so answers a different question
    than a difference of corpus rates.

    Parameters
    ----------
    differences : array_like of float, shape (segments,)
        Rate of one system minus rate of the other; NaN where a rate is undefined. Rounded to 9 decimals, so that
        equal differences tie.
    zero_method : {"wilcox", "pratt", "zsplit"}
        Treatment of differences of 0: dropped; ranked, and their ranks dropped; ranked, and their ranks split evenly
        between the two sides.
    corrected : bool
        Whether the normal approximation is corrected for continuity.
    unit : str
        What one difference belongs to.

    Returns
    -------
    TestResult
        Statistic: the smaller of the two rank sums. Effect size: matched-pairs rank-biserial correlation, from -1
        (every difference negative) to 1, of the differences other than 0. NaN are dropped, and zeros treated by
        `zero_method` (`extra`: zeros, undefined; `n` counts the differences other than 0). Method "exact" up to 50
        differences other than 0, with ties and zeros too: every pattern of signs of their ranks is equally likely.
        Above, "asymptotic", corrected for ties. Without a nonzero difference: p = 1, statistic 0, method "none".

    Raises
    ------
    InputTypeError
        If the differences are not a one-dimensional array of numbers.
    UndefinedResultError
        If no segment has a defined difference.
    UnknownNameError
        If there is no such zero_method.

    References
    ----------
    Wilcoxon (1945), Individual comparisons by ranking methods; Pratt (1959), Remarks on zeros and ties in the Wilcoxon
    signed rank procedures; Pagano & Tritchler (1983), On obtaining permutation distributions in polynomial time;
    Kerby (2014), The simple difference formula.

    Examples
    --------
    >>> import numpy as np
    >>> result = wilcoxon_signed_rank(np.array([0.02, 0.01, -0.03, 0.05, 0.04, 0.06]))
    >>> result.statistic, result.pvalue, result.method
    (3.0, 0.15625, 'exact')
    >>> wilcoxon_signed_rank(np.array([0.01, 0.01, 0.02, 0.02, 0.03])).pvalue
    0.0625
    """
    defined, undefined = take_defined(differences, unit)
    check_choice("zero_method", zero_method, ZeroMethod)
    rounded = np.round(defined, DECIMALS)
    nonzero = rounded[rounded != 0]
    equal = len(rounded) - len(nonzero)
    ranks, ties = _rank(np.abs(nonzero))
    effect_size = float(np.sum(np.sign(nonzero) * ranks) / np.sum(ranks)) if len(nonzero) else 0.0
    zeros = 0 if zero_method == "wilcox" else equal
    # Zeros that are ranked have the lowest ranks.
    ranks += zeros
    positive, negative = (float(ranks[side].sum()) for side in (nonzero > 0, nonzero < 0))
    if len(nonzero) == 0:
        pvalue, method = 1.0, "none"
    elif len(nonzero) <= EXACT_LIMIT:
        pvalue, method = _exact_pvalue(nonzero, ranks), "exact"
    else:
        variance = _rank_variance(len(nonzero), ties, zeros, zero_method)
        pvalue, method = _normal_pvalue(positive - negative, variance, corrected=corrected), "asymptotic"
    # Half of the ranks of zeros on either side.
    split = zeros * (zeros + 1) / 4 if zero_method == "zsplit" and len(nonzero) else 0.0
    return TestResult(
        name="wilcoxon_signed_rank",
        statistic=min(positive, negative) + split,
        pvalue=pvalue,
        effect_size=effect_size,
        effect_size_name="rank_biserial",
        n=len(nonzero),
        dropped=equal + undefined,
        method=method,
        unit=unit,
        notes=_signed_rank_notes(len(nonzero), equal, note_undefined(undefined, unit), zero_method),
        extra={"zeros": equal, "undefined": undefined},
    )


def _rank(sizes: FloatArray) -> tuple[FloatArray, float]:
    """Ranks from 1, the mean of theirs for equal sizes; and the sum of t^3 - t over the numbers t of equal sizes."""
    distinct, numbers = np.unique(sizes, return_counts=True)
    ranks = np.cumsum(numbers) - (numbers - 1) / 2
    ties = numbers.astype(np.float64)
    return ranks[np.searchsorted(distinct, sizes)], float(np.sum(ties**3 - ties))


def _exact_pvalue(nonzero: FloatArray, ranks: FloatArray) -> float:
    """Share of sign patterns whose rank sums are at least as far apart; zeros have no sign to flip."""
    # Ranks of ties are halves: double them.
    signed = (np.sign(nonzero) * np.rint(2 * ranks)).astype(np.int64)
    # With so few ranks the flip is exact: nothing is drawn, and the level does not matter.
    return sign_flip(signed, length=1, resamples=1, seed=0, alpha=0.5).pvalue


def _rank_variance(number: int, ties: float, zeros: int, zero_method: ZeroMethod) -> float:
    """Variance of the sum of the ranks of one sign, for `number` differences other than 0 and ranked `zeros`.

    `ties` is the sum of t^3 - t over the numbers t of equal differences.
    """
    ranked = number + zeros
    of_zeros = zeros * (zeros + 1) * (2 * zeros + 1) if zero_method == "pratt" else (zeros**3 - zeros) / 2
    return (ranked * (ranked + 1) * (2 * ranked + 1) - of_zeros - ties / 2) / 24


def _normal_pvalue(difference: float, variance: float, *, corrected: bool) -> float:
    """By the normal distribution, from the difference of the two rank sums and the variance of one.

    `scipy.stats.wilcoxon` up to the last digits; loading that package takes longer than most comparisons.
    """
    # From the mean: both sums are the same distance away from it.
    distance = abs(difference) / 2
    if corrected and distance:
        distance -= 0.5
    return positive_pvalue(2 * float(scipy.special.ndtr(-abs(distance) / math.sqrt(variance))))


def _signed_rank_notes(nonzero: int, equal: int, dropped: list[str], zero_method: ZeroMethod) -> tuple[str, ...]:
    notes = []
    if nonzero == 0:
        notes.append("No nonzero differences: p is 1 by definition.")
    elif equal:
        treated = f"{_TREATED[zero_method]}: {equal} of {nonzero + equal} (zero_method {zero_method})"
        notes.append(f"Zero differences {treated}.")
    notes += dropped
    return tuple(notes)


QUESTION = (
    "Tests the mean of segment rates, in which a short segment weighs as much as a long one; not the corpus rate."
)


def paired_t_test(differences: FloatArray, *, unit: str = "segment", confidence: float = 0.95) -> TestResult:
    """Test whether the mean of the differences of rates is 0; two-sided.

    The mean is over segments (macro), short and long ones alike, not the corpus rate (micro); a note says so. Segments
    are treated as independent.

    Parameters
    ----------
    differences : array_like of float, shape (segments,)
        Rate of one system minus rate of the other; NaN where a rate is undefined.
    unit : str
        What one difference belongs to.
    confidence : float
        Nominal coverage of the interval of the mean difference, inside (0, 1).

    Returns
    -------
    TestResult
        Statistic: t with n - 1 degrees of freedom. Effect size: Cohen's dz, the mean over the standard deviation of
        the differences. NaN are dropped. `extra`: mean_difference with its interval (mean_low, mean_high), degrees
        of freedom (df), undefined. With one difference, or if all are equal, the variation is unknown: p = 1, statistic
        0, method "none"; only the mean is reported.

    Raises
    ------
    InputTypeError
        If the differences are not a one-dimensional array of numbers.
    UndefinedResultError
        If no segment has a defined difference.
    ConfigurationError
        If the confidence is not inside (0, 1).

    References
    ----------
    Student (1908), The probable error of a mean; Cohen (1988), Statistical Power Analysis, section 2.3.5 (dz).

    Examples
    --------
    >>> import numpy as np
    >>> result = paired_t_test(np.array([0.02, 0.01, -0.03, 0.05, 0.04, 0.06]))
    >>> round(result.statistic, 3), round(result.pvalue, 3), round(result.effect_size, 3)
    (1.872, 0.12, 0.764)
    """
    check_confidence(confidence)
    defined, undefined = take_defined(differences, unit)
    n, varies = len(defined), float(np.ptp(defined)) > TOLERANCE
    statistic, pvalue, effect_size, facts = _student(defined, confidence) if varies else (0.0, 1.0, 0.0, {})
    return TestResult(
        name="paired_t",
        statistic=statistic,
        pvalue=pvalue,
        effect_size=effect_size,
        effect_size_name="cohens_dz",
        n=n,
        dropped=undefined,
        method="t distribution" if varies else "none",
        unit=unit,
        notes=_student_notes(varies, undefined, unit),
        extra={"mean_difference": float(defined.mean()), **facts, "df": n - 1, "undefined": undefined},
    )


def _student(sample: FloatArray, confidence: float) -> tuple[float, float, float, dict[str, float]]:
    """t, p, Cohen's dz and the interval of the mean, of values that vary."""
    n, mean, deviation = len(sample), float(sample.mean()), float(sample.std(ddof=1))
    effect_size = mean / deviation
    statistic = effect_size * math.sqrt(n)
    pvalue = positive_pvalue(2 * float(scipy.special.stdtr(n - 1, -abs(statistic))))
    margin = float(scipy.special.stdtrit(n - 1, (1 + confidence) / 2)) * deviation / math.sqrt(n)
    return statistic, pvalue, effect_size, {"mean_low": mean - margin, "mean_high": mean + margin}


def _student_notes(varies: bool, undefined: int, unit: str) -> tuple[str, ...]:
    notes = [QUESTION]
    if not varies:
        notes.append("The differences do not vary, so that t is undefined: p is 1 by definition.")
    return (*notes, *note_undefined(undefined, unit))
