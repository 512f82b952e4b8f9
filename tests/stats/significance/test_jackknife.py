"""Student's t test by the jackknife error."""

import math

import numpy as np
import pytest
import scipy.stats

from misread.errors import UndefinedResultError
from misread.stats import Estimate, jackknife_test


def test_on_segments_of_one_length_it_is_the_paired_t_test(compared):
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 6, (2, 40))
    pair = compared({"a": a, "b": b}, tests=["jackknife"], deciding_test="jackknife").pair
    expected = scipy.stats.ttest_rel(b / 10, a / 10)
    found = pair.tests["jackknife"]
    # Degrees of freedom are those of units that weigh as much as they have errors.
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-3)
    assert found.extra["t"] == pytest.approx(expected.statistic)
    assert (found.pvalue < 0.05) == (pair.confidence_interval.low > 0 or pair.confidence_interval.high < 0)


def test_without_variation_p_is_1():
    found = jackknife_test(Estimate(0.1, 0.0, 5.0), unit="page", n=6)
    assert (found.pvalue, found.method) == (1, "none")


def test_p_is_never_0():
    assert jackknife_test(Estimate(1.0, 1e-9, 1e6), unit="page", n=6).pvalue > 0


def test_an_undefined_difference_is_refused():
    with pytest.raises(UndefinedResultError, match="difference is nan"):
        jackknife_test(Estimate(math.nan, 0.1, 5.0), unit="page", n=6)
