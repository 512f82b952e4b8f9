"""The sign test on differences of per-segment rates."""

import numpy as np
import scipy

from misread.stats.results import TestResult, positive_pvalue
from misread.stats.significance.differences import note_undefined, take_defined
from misread.types import FloatArray

# Equal rates, such as 2/10 and 1/5, may differ in the last bits of a float and would not tie.
LARGEST_TIE = 1e-9


def sign_test(differences: FloatArray, *, unit: str = "segment") -> TestResult:
    """Test whether differences above and below 0 are equally frequent, however large they are; exact, two-sided.

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
    smaller = min(positive, negative)
    return TestResult(
        name="sign",
        statistic=float(smaller),
        pvalue=positive_pvalue(scipy.stats.binomtest(smaller, n).pvalue) if n else 1.0,
        effect_size=(positive - negative) / len(defined),
        effect_size_name="dominance",
        n=n,
        dropped=ties + undefined,
        method="exact" if n else "none",
        unit=unit,
        notes=_notes(n, ties, undefined, unit),
        extra={"positive": positive, "negative": negative, "ties": ties, "undefined": undefined},
    )


def _notes(n: int, ties: int, undefined: int, unit: str) -> tuple[str, ...]:
    notes = []
    if n == 0:
        notes.append("No nonzero differences: p is 1 by definition.")
    elif ties:
        notes.append(f"Ties dropped: {ties} of {n + ties}.")
    return (*notes, *note_undefined(undefined, unit))
