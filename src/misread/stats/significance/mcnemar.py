"""McNemar's test on the segments that only one of two systems gets entirely right."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
import scipy

from misread.errors import LengthMismatchError, UndefinedResultError
from misread.io.checks.choices import check_choice
from misread.io.checks.numbers import check_confidence, check_flags
from misread.stats.results import TestResult, positive_pvalue
from misread.stats.significance.binomial import binomial_tail, clopper_pearson
from misread.types import BoolArray

McNemarVariant = Literal["exact", "midp", "asymptotic", "corrected"]

_METHODS: Mapping[McNemarVariant, str] = {
    "exact": "exact",
    "midp": "exact, mid-p",
    "asymptotic": "chi-square",
    "corrected": "chi-square, corrected for continuity",
}


def mcnemar_test(
    correct_a: BoolArray,
    correct_b: BoolArray,
    *,
    variant: McNemarVariant = "exact",
    unit: str = "segment",
    confidence: float = 0.95,
) -> TestResult:
    """Test whether two systems are correct equally often, from the segments that only one gets right.

    If the systems are equal, each of these b (only A correct) and c (only B correct) segments favours either system
    with probability 1/2; the p-value is binomial, two-sided. Correct means without any error under the normalizer in
    use.

    Parameters
    ----------
    correct_a, correct_b : array_like of bool, shape (segments,)
        Whether each system has a segment without error, in the same order.
    variant : {"exact", "midp", "asymptotic", "corrected"}
        The deciding p-value: binomial; binomial with half the probability of the observed table; chi-square; chi-square
        with Edwards' correction for continuity.
    unit : str
        Kind of one entry.
    confidence : float
        Nominal coverage of the interval of the odds ratio.

    Returns
    -------
    TestResult
        Statistic: min(b, c). n: b + c; dropped: segments on which the systems agree. Effect size: odds ratio b / c,
        above 1 in favour of A; if b or c is 0, (b + 1/2) / (c + 1/2), so that it is finite and its inverse is the odds
        ratio of the swapped systems; 1 if both are 0. `extra` holds b, c, both_correct, both_wrong, the other p-values
        (exact, midp, asymptotic, corrected), chi_square and chi_square_corrected, and the Clopper-Pearson interval of b
        / c (odds_ratio_low, odds_ratio_high; the latter is absent if c = 0, when it is unbounded). Without
        disagreement: p = 1.

    Raises
    ------
    LengthMismatchError
        If the arrays differ in length.
    UndefinedResultError
        If they are empty.
    UnknownNameError
        If there is no such variant.
    InputTypeError
        If a side is not a one-dimensional array of True and False.
    ConfigurationError
        If the confidence is not inside (0, 1).

    References
    ----------
    McNemar (1947), Note on the sampling error of the difference between correlated proportions; Edwards (1948), Note
    on the "correction for continuity" in testing the significance of the difference between correlated proportions;
    Haldane (1956), The
    estimation of the logarithm of a ratio of frequencies (the halves); Fagerland, Lydersen & Laake (2013), on the
    mid-p test; Clopper & Pearson (1934).

    Examples
    --------
    >>> import numpy as np
    >>> a = np.array([True, True, True, True, False])
    >>> b = np.array([True, False, False, False, True])
    >>> result = mcnemar_test(a, b)
    >>> result.pvalue, result.effect_size, result.extra["b"], result.extra["c"]
    (0.625, 3.0, 3, 1)
    """
    check_choice("variant of McNemar's test", variant, _METHODS)
    check_confidence(confidence)
    correct_a, correct_b = check_flags("correct_a", correct_a), check_flags("correct_b", correct_b)
    if len(correct_a) != len(correct_b):
        raise LengthMismatchError(f"system A has {len(correct_a)} {unit}s and system B {len(correct_b)}.")
    if len(correct_a) == 0:
        raise UndefinedResultError(f"McNemar's test needs at least one {unit}; got none.")
    only_a = int(np.count_nonzero(correct_a & ~correct_b))
    only_b = int(np.count_nonzero(correct_b & ~correct_a))
    both_correct = int(np.count_nonzero(correct_a & correct_b))
    discordant = only_a + only_b
    agreed = len(correct_a) - discordant
    table = {"b": only_a, "c": only_b, "both_correct": both_correct, "both_wrong": agreed - both_correct}
    pvalues, statistics = _pvalues(only_a, only_b)
    return TestResult(
        name="mcnemar",
        statistic=float(min(only_a, only_b)),
        pvalue=pvalues[variant],
        effect_size=_odds_ratio(only_a, only_b),
        effect_size_name="odds_ratio",
        n=discordant,
        dropped=agreed,
        method=_METHODS[variant],
        unit=unit,
        notes=_notes(only_a, only_b, unit),
        extra={**table, **pvalues, **statistics, **_odds_ratio_interval(only_a, only_b, confidence)},
    )


def _pvalues(only_a: int, only_b: int) -> tuple[dict[str, float], dict[str, float]]:
    """All four p-values, and the two chi-square statistics; 1 and 0 without disagreement."""
    discordant, larger = only_a + only_b, max(only_a, only_b)
    if discordant == 0:
        return dict.fromkeys(_METHODS, 1.0), {"chi_square": 0.0, "chi_square_corrected": 0.0}
    tail, beyond = (binomial_tail(number, discordant, 0.5) for number in (larger, larger + 1))
    exact = min(1.0, 2 * tail)
    # Half the probability of the observed table and of its mirror image, which is the same table if b = c.
    midp = exact - (tail - beyond) / (1 if only_a != only_b else 2)
    gap = abs(only_a - only_b)
    plain, corrected = gap**2 / discordant, max(0, gap - 1) ** 2 / discordant
    pvalues = {
        "exact": positive_pvalue(exact),
        "midp": positive_pvalue(midp),
        "asymptotic": positive_pvalue(float(scipy.special.chdtrc(1, plain))),
        "corrected": positive_pvalue(float(scipy.special.chdtrc(1, corrected))),
    }
    return pvalues, {"chi_square": plain, "chi_square_corrected": corrected}


def _odds_ratio(only_a: int, only_b: int) -> float:
    if only_a == 0 or only_b == 0:
        return (only_a + 0.5) / (only_b + 0.5)
    return only_a / only_b


def _odds_ratio_interval(only_a: int, only_b: int, confidence: float) -> dict[str, float]:
    """Interval of b / (b + c), expressed as odds."""
    discordant = only_a + only_b
    if discordant == 0:
        return {"odds_ratio_low": 0.0}
    low, high = clopper_pearson(only_a, discordant, confidence)
    ends = {"odds_ratio_low": low / (1 - low)}
    if only_b:
        ends["odds_ratio_high"] = high / (1 - high)
    return ends


def _notes(only_a: int, only_b: int, unit: str) -> tuple[str, ...]:
    if only_a + only_b == 0:
        return (f"Both systems are correct on the same {unit}s: p is 1 by definition.",)
    if only_a == 0 or only_b == 0:
        return ("One system is never alone in being correct: odds ratio with 1/2 added to both counts.",)
    return ()
