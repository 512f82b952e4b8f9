"""Tests of equivalence by two one-sided tests (TOST)."""

import math
from dataclasses import replace

import numpy as np
import scipy

from misread.errors import ConfigurationError, UndefinedResultError
from misread.io.checks.numbers import check_number
from misread.stats.bootstrap.intervals import check_replicates
from misread.stats.bootstrap.jackknife import Estimate
from misread.stats.results import TOLERANCE, TestResult, positive_pvalue
from misread.stats.significance.rate_differences import take_defined
from misread.types import FloatArray


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
    result = _result("jackknife", value, (lower, upper), margin, unit=unit, n=n)
    return replace(
        result,
        method=f"{result.method}, t distribution, {estimate.method} error",
        notes=()
        if error > 0 or estimate.independent > 0
        else ("The sample shows no variation to judge the difference by.",),
        extra={**result.extra, "degrees_of_freedom": estimate.freedom},
    )


def bootstrap_equivalence(observed: float, replicates: FloatArray, *, margin: float, unit: str, n: int) -> TestResult:
    """Test whether a difference of corpus scores lies inside a margin on both sides of 0, by bootstrap replicates.

    Two one-sided tests: one counts how often the replicates, shifted so that their centre is the lower end of the
    margin, lie as high as the observed difference; the other how often they lie as low from the upper end. The larger
    of the two p-values counts. A small one shows that the systems are equivalent; a large one shows nothing. Statistic
    and effect size are as in `jackknife_equivalence`.

    Schuirmann (1987); Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 16 (moving the replicates),
    section 25.2 (bioequivalence).
    """
    _check_margin(margin)
    if not math.isfinite(observed):
        raise UndefinedResultError(f"the observed difference is {observed}: at least one system has no finite score.")
    if n < 2:
        raise UndefinedResultError(f"the bootstrap needs at least 2 units to see how they vary; got {n} ({unit}).")
    check_replicates(replicates)
    deviations = replicates - observed
    lower = (1 + int(np.count_nonzero(deviations >= observed + margin - TOLERANCE))) / (1 + replicates.size)
    upper = (1 + int(np.count_nonzero(deviations <= observed - margin + TOLERANCE))) / (1 + replicates.size)
    result = _result("bootstrap", observed, (lower, upper), margin, unit=unit, n=n)
    return replace(result, method=f"{result.method}, {replicates.size} resamples")


def paired_t_equivalence(differences: FloatArray, *, margin: float, unit: str = "segment") -> TestResult:
    """Test whether the mean of differences of rates lies inside a margin on both sides of 0, by Student's t.

    Like `paired_t_test`, it tests the mean of segment rates, not the corpus rate, treats segments as independent and
    drops NaN. With one difference, or if all are equal, the variation is unknown: p = 1, method "none".
    """
    _check_margin(margin)
    defined, undefined = take_defined(differences, unit)
    n = len(defined)
    mean = float(defined.mean())
    varies = n > 1 and float(np.ptp(defined)) > TOLERANCE
    lower = upper = 1.0
    if varies:
        error = float(defined.std(ddof=1)) / math.sqrt(n)
        lower = positive_pvalue(float(scipy.special.stdtr(n - 1, -(mean + margin) / error)))
        upper = positive_pvalue(float(scipy.special.stdtr(n - 1, (mean - margin) / error)))
    result = _result("paired_t", mean, (lower, upper), margin, unit=unit, n=n)
    return replace(
        result,
        dropped=undefined,
        method=f"{result.method}, t distribution" if varies else "none",
        notes=() if varies else ("The differences do not vary, so that t is undefined: p is 1 by definition.",),
    )


def _result(
    kind: str, difference: float, pvalues: tuple[float, float], margin: float, *, unit: str, n: int
) -> TestResult:
    """Result of a test of equivalence, with the larger p-value of the two one-sided tests."""
    return TestResult(
        name=f"{kind}_equivalence",
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
