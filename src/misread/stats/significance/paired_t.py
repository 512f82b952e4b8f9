"""Student's t test on differences of per-segment rates."""

import math

import numpy as np
import scipy

from misread.errors import ConfigurationError
from misread.io.checks.numbers import check_number
from misread.stats.results import TestResult, positive_pvalue
from misread.stats.rounding import TOLERANCE
from misread.stats.significance.differences import note_undefined, take_defined
from misread.types import FloatArray

QUESTION = (
    "Tests the mean of segment rates, in which a short segment weighs as much as a long one; not the corpus rate."
)


def paired_t_test(differences: FloatArray, *, unit: str = "segment", confidence: float = 0.95) -> TestResult:
    """Test whether the mean of the differences of rates is 0; two-sided.

    It is the mean over segments (macro) that is tested, a short one weighing as much as a long one, and not the
    corpus rate (micro); a note says so. Segments are taken as independent.

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
        of freedom (df), undefined. With one difference, or where all are the same, their variation is
        unknown: p = 1, statistic 0, method "none"; only the mean is reported.

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
    if not 0 < check_number("confidence", confidence) < 1:
        raise ConfigurationError(f"confidence is {confidence}; it has to lie inside (0, 1), and 0.95 is usual.")
    defined, undefined = take_defined(differences, unit)
    n = len(defined)
    mean = float(defined.mean())
    varies = n > 1 and float(np.ptp(defined)) > TOLERANCE
    statistic, pvalue, effect_size, facts = 0.0, 1.0, 0.0, {}
    if varies:
        deviation = float(defined.std(ddof=1))
        effect_size = mean / deviation
        statistic = effect_size * math.sqrt(n)
        pvalue = positive_pvalue(2 * float(scipy.special.stdtr(n - 1, -abs(statistic))))
        margin = float(scipy.special.stdtrit(n - 1, (1 + confidence) / 2)) * deviation / math.sqrt(n)
        facts = {"mean_low": mean - margin, "mean_high": mean + margin}
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
        notes=_notes(varies, undefined, unit),
        extra={"mean_difference": mean, **facts, "df": n - 1, "undefined": undefined},
    )


def _notes(varies: bool, undefined: int, unit: str) -> tuple[str, ...]:
    notes = [QUESTION]
    if not varies:
        notes.append("The differences do not vary, so that t is undefined: p is 1 by definition.")
    return (*notes, *note_undefined(undefined, unit))
