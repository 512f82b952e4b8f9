"""The test of equivalence by two one-sided tests (TOST)."""

import math
from dataclasses import replace

from misread.errors import ConfigurationError, UndefinedResultError
from misread.io.checks.numbers import check_number
from misread.stats.bootstrap.jackknife import Estimate
from misread.stats.results import TestResult, positive_pvalue


def jackknife_equivalence(estimate: Estimate, *, margin: float, unit: str, n: int) -> TestResult:
    """Test whether a difference of corpus scores lies inside a margin on both sides of 0, by Student's t.

    Two one-sided tests with the standard error of the intervals: p is below alpha exactly if the interval of the
    difference with a confidence of 1 - 2 alpha lies within the margin. Statistic: the observed difference. Effect size:
    its share of the margin. If nothing varies, the difference counts as known: p is close to 0 inside the margin and 1
    outside, with a note.

    Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing the
    equivalence of average bioavailability; Bell & McCaffrey (2002).
    """
    _check_margin(margin)
    value, error = estimate.value, estimate.error
    if not (math.isfinite(value) and math.isfinite(error)):
        raise UndefinedResultError(f"the observed difference is {value}: at least one system has no finite score.")
    lower, upper = (positive_pvalue(estimate.tail(distance)) for distance in (value + margin, margin - value))
    result = _result(value, (lower, upper), margin, unit=unit, n=n)
    return replace(
        result,
        method=f"{result.method}, t distribution, {estimate.method} error",
        notes=()
        if error > 0 or estimate.independent > 0
        else ("The sample shows no variation to judge the difference by.",),
        extra={**result.extra, "degrees_of_freedom": estimate.freedom},
    )


def _result(difference: float, pvalues: tuple[float, float], margin: float, *, unit: str, n: int) -> TestResult:
    """Result of a test of equivalence, with the larger p-value of the two one-sided tests."""
    return TestResult(
        name="jackknife_equivalence",
        statistic=difference,
        pvalue=max(pvalues),
        effect_size=difference / margin,
        effect_size_name="share_of_margin",
        n=n,
        dropped=0,
        method="two one-sided tests",
        unit=unit,
        extra={"margin": margin, "pvalue_lower": pvalues[0], "pvalue_upper": pvalues[1]},
    )


def _check_margin(margin: float) -> None:
    if not (check_number("margin", margin) > 0 and math.isfinite(margin)):
        raise ConfigurationError(f"the margin of equivalence is {margin}, expected a number above 0.")
