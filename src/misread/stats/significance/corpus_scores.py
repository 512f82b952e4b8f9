"""Tests of a difference of corpus scores: the paired bootstrap, and Student's t with the jackknife error."""

import math

import numpy as np

from misread.errors import UndefinedResultError
from misread.stats.bootstrap.intervals import check_replicates, percentile_interval
from misread.stats.bootstrap.jackknife import Estimate
from misread.stats.results import TOLERANCE, ConfidenceInterval, TestResult, positive_pvalue
from misread.types import FloatArray

# With fewer units, replicates take too few values and percentile intervals are too narrow.
FEW_UNITS = 10


def paired_bootstrap(
    observed: float,
    replicates: FloatArray,
    *,
    confidence: float,
    unit: str,
    n: int,
    interval: ConfidenceInterval | None = None,
) -> TestResult:
    """Test whether a corpus score differs between two systems, from paired bootstrap replicates.

    Replicates are centred at a difference of 0. The two-sided p-value is (1 + k) / (1 + resamples), where k of them are
    at least as far from 0 as the observed difference; it is never 0.

    Parameters
    ----------
    observed : float
        Difference of the corpus scores, oriented so that a negative one is an improvement: system minus baseline
        for rates and errors, baseline minus system where higher is better.
    replicates : float64 array, shape (resamples,)
        The same difference in each bootstrap sample, with both systems scored on the same draws.
    confidence : float
        Nominal coverage of the percentile interval of the difference.
    unit : str
        Kind of unit drawn: "segment", or the name of the cluster column.
    n : int
        Number of units.
    interval : ConfidenceInterval, optional
        Interval of the difference, if computed by another method than percentiles.

    Returns
    -------
    TestResult
        Statistic: the observed difference, with its interval if replicates vary. Effect size: the probability of
        improvement, the share of replicates below 0, ties counted half. One minus it is not a p-value.

    Raises
    ------
    UndefinedResultError
        If the difference or a replicate is not finite, or there are fewer than two units.
    ConfigurationError
        If the confidence is not inside (0, 1).

    References
    ----------
    Bisani & Ney (2004), Bootstrap estimates for confidence intervals in ASR performance evaluation (probability of
    improvement); Efron & Tibshirani (1993), chapter 16 (shifting to the null); Davison & Hinkley (1997), chapter 4
    (counting the observed sample).

    Examples
    --------
    >>> import numpy as np
    >>> replicates = np.array([-0.02, -0.01, -0.03, -0.02, 0.01])
    >>> result = paired_bootstrap(-0.02, replicates, confidence=0.95, unit="segment", n=60)
    >>> round(result.pvalue, 3), result.effect_size
    (0.333, 0.8)
    """
    if not math.isfinite(observed):
        raise UndefinedResultError(f"the observed difference is {observed}: at least one system has no finite score.")
    if n < 2:
        raise UndefinedResultError(f"the bootstrap needs at least 2 units to see how they vary; got {n} ({unit}).")
    check_replicates(replicates)
    interval = interval or percentile_interval(replicates, confidence)
    extreme = int(np.count_nonzero(np.abs(replicates - observed) >= abs(observed) - TOLERANCE))
    better = np.count_nonzero(replicates < -TOLERANCE)
    ties = np.count_nonzero(np.abs(replicates) <= TOLERANCE)
    notes = []
    if n < FEW_UNITS:
        notes.append(f"Few units to draw from ({n}, {unit}): the interval is likely too narrow and p too small.")
    if not (varies := bool(np.ptp(replicates) > TOLERANCE)):
        notes.append("Every resample shows the same difference: the sample has no variation to judge it by.")
    if (smallest := 1 / (replicates.size + 1)) > 1 - confidence:
        notes.append(f"Too few resamples: {replicates.size} cannot give a p-value below {smallest:.3g}.")
    return TestResult(
        name="paired_bootstrap",
        statistic=float(observed),
        pvalue=(1 + extreme) / (replicates.size + 1),
        effect_size=float((better + ties / 2) / replicates.size),
        effect_size_name="probability_of_improvement",
        n=n,
        dropped=0,
        method=f"{interval.method}, {replicates.size} resamples",
        unit=unit,
        notes=tuple(notes),
        interval=interval if varies else None,
    )


def jackknife_test(estimate: Estimate, *, unit: str, n: int) -> TestResult:
    """Test whether a difference of corpus scores is 0, with the standard error and degrees of freedom of its interval.

    It is the only test here that accounts for an effect shared by the clusters of one run. Statistic: the observed
    difference. Effect size: the difference over the standard deviation of one unit's contribution. If nothing varies, p
    is 1 and the method "none".

    Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering; Bell & McCaffrey (2002), Bias reduction
    in standard errors for linear regression with multi-stage samples.
    """
    value, error = estimate.value, estimate.error
    if not (math.isfinite(value) and math.isfinite(error)):
        raise UndefinedResultError(f"the observed difference is {value}: at least one system has no finite score.")
    t = value / error if error > 0 else 0.0
    varies = error > 0 or estimate.independent > 0
    return TestResult(
        name="jackknife",
        statistic=value,
        pvalue=positive_pvalue(2 * estimate.tail(abs(value))) if varies else 1.0,
        effect_size=t / math.sqrt(n),
        effect_size_name="standardised_difference",
        n=n,
        dropped=0,
        method=f"t distribution, {estimate.method} error" if varies else "none",
        unit=unit,
        notes=() if varies else ("The sample shows no variation to judge the difference by: p is 1 by definition.",),
        extra={"t": t, "degrees_of_freedom": estimate.freedom},
    )
