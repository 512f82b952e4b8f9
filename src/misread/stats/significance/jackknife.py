"""Student's t test of a difference of corpus scores, by the jackknife error of its interval."""

import math

import scipy

from misread.errors import UndefinedResultError
from misread.stats.bootstrap.jackknife import Estimate
from misread.stats.results import TestResult, positive_pvalue


def jackknife_test(estimate: Estimate, *, unit: str, n: int) -> TestResult:
    """Test whether a difference of corpus scores is 0, with the standard error and degrees of freedom of its interval.

    It is the only test here that knows an effect that the clusters of one run share. Statistic: the observed
    difference. Effect size: the difference over the standard deviation of what one unit adds to it. Where nothing
    varies, p is 1 and the method "none".

    Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering; Bell & McCaffrey (2002), Bias reduction
    in standard errors for linear regression with multi-stage samples.
    """
    value, error = estimate.value, estimate.error
    if not (math.isfinite(value) and math.isfinite(error)):
        raise UndefinedResultError(f"the observed difference is {value}: at least one system has no finite score.")
    t = value / error if error > 0 else 0.0
    return TestResult(
        name="jackknife",
        statistic=value,
        pvalue=positive_pvalue(2 * float(scipy.special.stdtr(estimate.freedom, -abs(t)))),
        effect_size=t / math.sqrt(n),
        effect_size_name="standardised_difference",
        n=n,
        dropped=0,
        method=f"t distribution, {estimate.method} error" if error > 0 else "none",
        unit=unit,
        notes=() if error > 0 else ("The sample shows no variation to judge the difference by: p is 1 by definition.",),
        extra={"t": t, "degrees_of_freedom": estimate.freedom},
    )
