"""Tests of equivalence by two one-sided tests (TOST)."""

from __future__ import annotations

import math

import numpy as np
import scipy

from misread.checks.numbers import check_number, check_row
from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats.bootstrap.intervals import check_replicates
from misread.stats.bootstrap.jackknife import Estimate
from misread.stats.results import TestResult, positive_pvalue
from misread.types import FloatArray

# Differences that agree up to here differ by rounding only.
TOLERANCE = 1e-12


def jackknife_equivalence(estimate: Estimate, *, margin: float, unit: str, n: int) -> TestResult:
    """Test whether a difference of corpus scores lies inside a margin on both sides of 0, by Student's t.

    Two one-sided tests around the standard error of the intervals: p is below alpha just where the interval of the
    difference with a confidence of 1 - 2 alpha lies within the margin.

    Parameters
    ----------
    estimate : Estimate
        Difference of the corpus scores with its standard error and degrees of freedom.
    margin : float
        Largest difference that does not matter, above 0; to be declared before the data are seen.
    unit : str
        What was left out in turn: "segment", or the name of the cluster column.
    n : int
        How many of them there are.

    Returns
    -------
    TestResult
        Statistic: the observed difference. Effect size: its share of the margin; inside (-1, 1) the sample lies
        within. `extra`: margin, pvalue_lower (against a difference below -margin), pvalue_upper (above margin) and
        degrees_of_freedom. Where nothing varies, the difference counts as known: p is next to 0 inside the margin and
        1 outside, with a note.

    Raises
    ------
    UndefinedResultError
        If the difference or its error is not finite.
    ConfigurationError
        If the margin is not above 0.

    References
    ----------
    Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing the
    equivalence of average bioavailability; Bell & McCaffrey (2002), Bias reduction in standard errors for linear
    regression with multi-stage samples.

    Examples
    --------
    >>> from misread.stats.bootstrap.jackknife import Estimate
    >>> result = jackknife_equivalence(Estimate(0.001, 0.004, freedom=11.0), margin=0.02, unit="page", n=12)
    >>> round(result.pvalue, 4), result.effect_size
    (0.0003, 0.05)
    """
    _check_margin(margin)
    value, error = estimate.value, estimate.error
    if not (math.isfinite(value) and math.isfinite(error)):
        raise UndefinedResultError(f"the observed difference is {value}: at least one system has no finite score.")
    ends = np.array([value + margin, margin - value])
    distances = ends / error if error > 0 else np.where(ends > TOLERANCE, np.inf, -np.inf)
    lower, upper = (positive_pvalue(tail) for tail in scipy.stats.t.sf(distances, estimate.freedom).tolist())
    return TestResult(
        name="jackknife_equivalence",
        statistic=value,
        pvalue=max(lower, upper),
        effect_size=value / margin,
        effect_size_name="share_of_margin",
        n=n,
        dropped=0,
        method=f"two one-sided tests, t distribution, {estimate.method} error",
        unit=unit,
        notes=() if error > 0 else ("The sample shows no variation to judge the difference by.",),
        extra={
            "margin": margin,
            "pvalue_lower": lower,
            "pvalue_upper": upper,
            "degrees_of_freedom": estimate.freedom,
        },
    )


def bootstrap_equivalence(observed: float, replicates: FloatArray, *, margin: float, unit: str, n: int) -> TestResult:
    """Test whether a difference of corpus scores lies inside a margin on both sides of 0, by bootstrap replicates.

    Two one-sided tests: the replicates, moved so that their centre is the lower end of the margin, are asked how
    often they lie as high as the observed difference, and from the upper end how often as low; the larger of the two
    p-values counts. A small one says that the systems are equivalent; a large one says nothing.

    Parameters
    ----------
    observed : float
        Difference of the corpus scores.
    replicates : float64 array, shape (resamples,)
        The same difference in each bootstrap sample; whole clusters drawn where there are any.
    margin : float
        Largest difference that does not matter, above 0; to be declared before the data are seen.
    unit : str
        What was drawn: "segment", or the name of the cluster column.
    n : int
        How many of them there are.

    Returns
    -------
    TestResult
        Statistic: the observed difference. Effect size: its share of the margin; inside (-1, 1) the sample lies
        within. `extra`: margin, pvalue_lower (against a difference below -margin) and pvalue_upper (above margin).

    Raises
    ------
    UndefinedResultError
        If the difference or a replicate is not finite, or there are fewer than two units.
    ConfigurationError
        If the margin is not above 0.

    References
    ----------
    Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach; Efron & Tibshirani
    (1993), An Introduction to the Bootstrap, chapter 16 (moving the replicates), section 25.2 (bioequivalence).

    Examples
    --------
    >>> import numpy as np
    >>> replicates = np.linspace(-0.01, 0.01, 999)
    >>> bootstrap_equivalence(0.0, replicates, margin=0.02, unit="page", n=40).pvalue
    0.001
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
    return TestResult(
        name="bootstrap_equivalence",
        statistic=observed,
        pvalue=max(lower, upper),
        effect_size=observed / margin,
        effect_size_name="share_of_margin",
        n=n,
        dropped=0,
        method=f"two one-sided tests, {replicates.size} resamples",
        unit=unit,
        extra={"margin": margin, "pvalue_lower": lower, "pvalue_upper": upper},
    )


def paired_t_equivalence(differences: FloatArray, *, margin: float, unit: str = "segment") -> TestResult:
    """Test whether the mean of differences of rates lies inside a margin on both sides of 0, by Student's t.

    As `paired_t_test` it is about the mean of segment rates, not the corpus rate, and takes segments as independent.

    Parameters
    ----------
    differences : float64 array, shape (segments,)
        Rate of one system minus rate of the other; NaN where a rate is undefined.
    margin : float
        Largest mean difference that does not matter, above 0; to be declared before the data are seen.
    unit : str
        What one difference belongs to.

    Returns
    -------
    TestResult
        Statistic: the mean difference. Effect size: its share of the margin. NaN are dropped. `extra`: margin,
        pvalue_lower (against a mean below -margin) and pvalue_upper (above margin). With one difference, or where
        all are the same, their variation is unknown: p = 1, method "none".

    Raises
    ------
    InputTypeError
        If the differences are not a one-dimensional array of numbers, or the margin is not a number.
    UndefinedResultError
        If no segment has a defined difference.
    ConfigurationError
        If the margin is not above 0.

    References
    ----------
    Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing the
    equivalence of average bioavailability.

    Examples
    --------
    >>> import numpy as np
    >>> result = paired_t_equivalence(np.array([0.01, -0.01, 0.02, -0.02, 0.0]), margin=0.03)
    >>> result.statistic, round(result.pvalue, 4)
    (0.0, 0.0066)
    """
    _check_margin(margin)
    differences = check_row("differences", differences)
    defined = differences[~np.isnan(differences)]
    n, undefined = len(defined), len(differences) - len(defined)
    if n == 0:
        raise UndefinedResultError(f"no {unit} has a defined difference among {undefined}.")
    mean = float(defined.mean())
    varies = n > 1 and float(np.ptp(defined)) > TOLERANCE
    lower = upper = 1.0
    if varies:
        error = float(defined.std(ddof=1)) / math.sqrt(n)
        lower = positive_pvalue(scipy.stats.t.sf((mean + margin) / error, n - 1))
        upper = positive_pvalue(scipy.stats.t.cdf((mean - margin) / error, n - 1))
    return TestResult(
        name="paired_t_equivalence",
        statistic=mean,
        pvalue=max(lower, upper),
        effect_size=mean / margin,
        effect_size_name="share_of_margin",
        n=n,
        dropped=undefined,
        method="two one-sided tests, t distribution" if varies else "none",
        unit=unit,
        notes=() if varies else ("The differences do not vary, so that t is undefined: p is 1 by definition.",),
        extra={"margin": margin, "pvalue_lower": lower, "pvalue_upper": upper},
    )


def _check_margin(margin: float) -> None:
    if not (check_number("margin", margin) > 0 and math.isfinite(margin)):
        raise ConfigurationError(f"the margin of equivalence is {margin}, expected a number above 0.")
