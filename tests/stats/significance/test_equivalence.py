import numpy as np
import pytest

from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats import Estimate
from misread.stats.significance.equivalence import jackknife_equivalence

NAN = float("nan")


@pytest.mark.parametrize("n", [2, 9, 200])
@pytest.mark.parametrize("margin", [0.005, 0.02, 0.2])
def test_for_units_of_one_size_p_equals_that_of_statsmodels(n, margin):
    from statsmodels.stats.weightstats import ttost_paired

    rng = np.random.default_rng(n)
    a, b = rng.normal(0.20, 0.1, n), rng.normal(0.21, 0.1, n)
    differences = a - b
    estimate = Estimate(differences.mean(), differences.std(ddof=1) / np.sqrt(n), n - 1.0)
    found = jackknife_equivalence(estimate, margin=margin, unit="page", n=n)
    pvalue, (_, lower, _), (_, upper, _) = ttost_paired(a, b, -margin, margin)
    assert (found.pvalue, found.extra["pvalue_lower"], found.extra["pvalue_upper"]) == pytest.approx(
        (pvalue, lower, upper)
    )
    assert (found.n, found.unit, found.extra["degrees_of_freedom"]) == (n, "page", n - 1)
    assert (found.effect_size, found.effect_size_name) == (differences.mean() / margin, "share_of_margin")


def test_swapping_the_systems_keeps_p_and_swaps_the_sides():
    forth, back = (
        jackknife_equivalence(Estimate(value, 0.01, 9.0), margin=0.02, unit="page", n=10) for value in (0.004, -0.004)
    )
    assert forth.pvalue == back.pvalue
    assert forth.extra["pvalue_lower"] == back.extra["pvalue_upper"]


@pytest.mark.parametrize(("value", "within"), [(0.0, True), (-0.019, True), (0.02, False), (0.03, False)])
def test_a_difference_without_any_variation_is_within_the_margin_or_not(value, within):
    found = jackknife_equivalence(Estimate(value, 0.0, 9.0), margin=0.02, unit="page", n=10)
    assert (found.pvalue < 1e-6) == within
    assert (found.pvalue == 1.0) != within
    assert "no variation" in found.notes[0]


def test_an_estimate_that_is_not_finite_is_refused():
    with pytest.raises(UndefinedResultError, match="no finite score"):
        jackknife_equivalence(Estimate(NAN, 0.1, 9.0), margin=0.02, unit="page", n=10)


@pytest.mark.parametrize("margin", [0.0, -0.01, NAN, float("inf")])
def test_a_margin_that_is_none_is_refused(margin):
    with pytest.raises(ConfigurationError, match="margin of equivalence"):
        jackknife_equivalence(Estimate(0.0, 0.1, 9.0), margin=margin, unit="page", n=10)
