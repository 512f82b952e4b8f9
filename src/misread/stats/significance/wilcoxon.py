"""Wilcoxon's signed-rank test on differences of per-segment rates."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
import scipy

from misread.io.checks.choices import check_choice
from misread.stats.results import TestResult, positive_pvalue
from misread.stats.rounding import DECIMALS
from misread.stats.significance.differences import note_undefined, take_defined
from misread.stats.significance.randomisation import sign_flip
from misread.types import FloatArray

# So many differences other than 0 have their exact distribution; beyond, the normal one is as good.
EXACT_LIMIT = 50

ZeroMethod = Literal["wilcox", "pratt", "zsplit"]

_TREATED: Mapping[ZeroMethod, str] = {"wilcox": "dropped", "pratt": "ranked and dropped", "zsplit": "ranked and split"}


def wilcoxon_signed_rank(
    differences: FloatArray, *, zero_method: ZeroMethod = "wilcox", corrected: bool = False, unit: str = "segment"
) -> TestResult:
    """Test whether differences lie symmetrically around 0, by their ranks; two-sided.

    It looks at the rate of each segment, a short one weighing as much as a long one, and so answers another
    question than a difference of corpus rates.

    Parameters
    ----------
    differences : array_like of float, shape (segments,)
        Rate of one system minus rate of the other; NaN where a rate is undefined. Rounded to 9 decimals, so that
        equal differences tie.
    zero_method : {"wilcox", "pratt", "zsplit"}
        What becomes of differences of 0: they are dropped; ranked, and their ranks dropped; ranked, and their ranks
        split evenly between the two sides.
    corrected : bool
        Whether the normal approximation is corrected for continuity.
    unit : str
        What one difference belongs to.

    Returns
    -------
    TestResult
        Statistic: the smaller of the two rank sums. Effect size: matched-pairs rank-biserial correlation, from -1
        (every difference negative) to 1, of the differences other than 0. NaN are dropped, and zeros as said (`extra`:
        zeros, undefined; `n` counts the differences other than 0). Method "exact" up to 50 differences other than 0,
        with ties and zeros too: every pattern of signs of their ranks is equally likely. Above, "asymptotic",
        corrected for ties. Without a nonzero difference: p = 1, statistic 0, method "none".

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
    statistic, pvalue, method = _signed_rank(rounded, zero_method, corrected=corrected)
    return TestResult(
        name="wilcoxon_signed_rank",
        statistic=statistic,
        pvalue=pvalue,
        effect_size=_rank_biserial(nonzero),
        effect_size_name="rank_biserial",
        n=len(nonzero),
        dropped=equal + undefined,
        method=method,
        unit=unit,
        notes=_notes(len(nonzero), equal, note_undefined(undefined, unit), zero_method),
        extra={"zeros": equal, "undefined": undefined},
    )


def _signed_rank(differences: FloatArray, zero_method: ZeroMethod, *, corrected: bool) -> tuple[float, float, str]:
    nonzero = np.count_nonzero(differences)
    if nonzero == 0:
        return 0.0, 1.0, "none"
    # The published stubs of SciPy know "asymptotic" by its old name only.
    test = scipy.stats.wilcoxon(  # type: ignore[call-overload]
        differences, zero_method=zero_method, method="asymptotic", correction=corrected
    )
    if nonzero > EXACT_LIMIT:
        return float(test.statistic), positive_pvalue(test.pvalue), "asymptotic"
    return float(test.statistic), positive_pvalue(_exact_pvalue(differences, zero_method)), "exact"


def _exact_pvalue(differences: FloatArray, zero_method: ZeroMethod) -> float:
    """Share of the patterns of signs whose rank sums are at least as far apart; zeros have no sign to flip."""
    ranked = differences[differences != 0] if zero_method == "wilcox" else differences
    # Ranks of ties are halves, twice of which is whole.
    doubled = np.rint(2 * scipy.stats.rankdata(np.abs(ranked))).astype(np.int64)
    signed = np.sign(ranked).astype(np.int64) * doubled
    # Of so few ranks the flip is exact: nothing is drawn, and no level matters.
    return sign_flip(signed, length=1, resamples=1, seed=0, alpha=0.5).pvalue


def _rank_biserial(nonzero: FloatArray) -> float:
    if len(nonzero) == 0:
        return 0.0
    ranks = scipy.stats.rankdata(np.abs(nonzero))
    return float(np.sum(np.sign(nonzero) * ranks) / np.sum(ranks))


def _notes(nonzero: int, equal: int, dropped: list[str], zero_method: ZeroMethod) -> tuple[str, ...]:
    notes = []
    if nonzero == 0:
        notes.append("No nonzero differences: p is 1 by definition.")
    elif equal:
        treated = f"{_TREATED[zero_method]}: {equal} of {nonzero + equal} (zero_method {zero_method})"
        notes.append(f"Zero differences {treated}.")
    notes += dropped
    return tuple(notes)
