import numpy as np
import pytest
import scipy.stats

from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats import Estimate
from misread.stats.bootstrap.resampling import bootstrap_sums
from misread.stats.significance.equivalence import bootstrap_equivalence, jackknife_equivalence, paired_t_equivalence

NAN = float("nan")


def drawn(observed, replicates, margin=0.02, **changes):
    settings = {"unit": "page", "n": 40} | changes
    return bootstrap_equivalence(observed, np.asarray(replicates, dtype=float), margin=margin, **settings)


@pytest.mark.parametrize("n", [2, 9, 200])
@pytest.mark.parametrize("margin", [0.005, 0.02, 0.2])
def test_p_of_the_t_version_equals_that_of_statsmodels(n, margin):
    from statsmodels.stats.weightstats import ttost_paired

    rng = np.random.default_rng(n)
    a, b = rng.normal(0.20, 0.1, n), rng.normal(0.21, 0.1, n)
    pvalue, (_, lower, _), (_, upper, _) = ttost_paired(a, b, -margin, margin)
    result = paired_t_equivalence(a - b, margin=margin)
    found = result.pvalue, result.extra["pvalue_lower"], result.extra["pvalue_upper"]
    assert found == pytest.approx((pvalue, lower, upper))


def test_the_bootstrap_version_approaches_the_t_version():
    differences = np.random.default_rng(3).integers(-30, 34, size=400)
    counts = np.column_stack([differences, np.full(400, 100)])
    sums = bootstrap_sums(counts, resamples=20_000, seed=1)
    margin = 0.032
    result = drawn(differences.sum() / 40_000, sums[:, 0] / sums[:, 1], margin)
    expected = paired_t_equivalence(differences / 100, margin=margin)
    assert 0.001 < expected.pvalue < 0.2
    assert result.pvalue == pytest.approx(expected.pvalue, abs=0.01)


def test_a_difference_at_the_margin_is_not_equivalent():
    replicates = np.random.default_rng(3).normal(0.02, 0.004, 4000)
    assert drawn(0.02, replicates).pvalue == pytest.approx(0.5, abs=0.05)


def test_the_one_sided_pvalues_belong_to_their_side():
    replicates = np.random.default_rng(3).normal(0.015, 0.004, 4000)
    extra = drawn(0.015, replicates).extra
    assert extra["pvalue_lower"] == 1 / 4001
    assert extra["pvalue_upper"] == pytest.approx(scipy.stats.norm.cdf(-0.005 / 0.004), abs=0.03)


def test_the_observed_sample_counts_so_p_is_never_zero():
    assert drawn(0.0, np.zeros(99)).pvalue == 1 / 100


def test_a_replicate_exactly_at_the_edge_counts():
    assert drawn(0.0, [0.02, 0.0, 0.0]).extra["pvalue_lower"] == 2 / 4
    assert drawn(0.0, [-0.02, 0.0, 0.0]).extra["pvalue_upper"] == 2 / 4


@pytest.mark.parametrize("observed", [0.0, 0.004, 0.03])
def test_swapping_the_systems_keeps_p_and_swaps_the_sides(observed):
    replicates = np.random.default_rng(3).normal(observed, 0.01, 999)
    forth, back = drawn(observed, replicates), drawn(-observed, -replicates)
    assert forth.pvalue == back.pvalue
    assert forth.extra["pvalue_lower"] == back.extra["pvalue_upper"]


def test_the_effect_size_is_the_share_of_the_margin():
    result = drawn(-0.005, [-0.01, 0.0])
    assert (result.effect_size, result.effect_size_name) == (-0.25, "share_of_margin")
    assert paired_t_equivalence(np.array([0.01, 0.03]), margin=0.04).effect_size == pytest.approx(0.5)


def test_undefined_differences_are_dropped_and_counted():
    result = paired_t_equivalence(np.array([0.01, NAN, 0.02]), margin=0.1)
    assert (result.n, result.dropped) == (2, 1)


@pytest.mark.parametrize("differences", [[0.0] * 5, [0.01]])
def test_differences_without_variation_have_p_one_by_definition(differences):
    result = paired_t_equivalence(np.array(differences), margin=0.1)
    assert (result.pvalue, result.method, len(result.notes)) == (1.0, "none", 1)


@pytest.mark.parametrize("margin", [0.0, -0.01, NAN, float("inf")])
def test_a_margin_that_is_none_is_refused(margin):
    with pytest.raises(ConfigurationError, match="margin of equivalence"):
        paired_t_equivalence(np.array([0.1, 0.2]), margin=margin)
    with pytest.raises(ConfigurationError, match="margin of equivalence"):
        drawn(0.0, [0.0, 0.1], margin)


def test_undefined_values_and_single_units_are_refused():
    with pytest.raises(UndefinedResultError, match="among 1"):
        paired_t_equivalence(np.array([NAN]), margin=0.1)
    for observed, replicates, n in ((NAN, [0.0], 5), (0.0, [NAN], 5), (0.0, [], 5), (0.0, [0.0], 1)):
        with pytest.raises(UndefinedResultError):
            drawn(observed, replicates, n=n)


@pytest.mark.parametrize("n", [2, 9, 200])
@pytest.mark.parametrize("margin", [0.005, 0.02, 0.2])
def test_for_units_of_one_size_the_jackknife_version_is_the_t_version(n, margin):
    differences = np.random.default_rng(n).normal(0.01, 0.1, n)
    estimate = Estimate(differences.mean(), differences.std(ddof=1) / np.sqrt(n), n - 1.0)
    found = jackknife_equivalence(estimate, margin=margin, unit="page", n=n)
    expected = paired_t_equivalence(differences, margin=margin)
    assert found.pvalue == pytest.approx(expected.pvalue)
    for side in ("pvalue_lower", "pvalue_upper"):
        assert found.extra[side] == pytest.approx(expected.extra[side])
    assert (found.n, found.unit, found.extra["degrees_of_freedom"]) == (n, "page", n - 1)


@pytest.mark.parametrize(("value", "within"), [(0.0, True), (-0.019, True), (0.02, False), (0.03, False)])
def test_a_difference_without_any_variation_is_within_the_margin_or_not(value, within):
    found = jackknife_equivalence(Estimate(value, 0.0, 9.0), margin=0.02, unit="page", n=10)
    assert (found.pvalue < 1e-6) == within
    assert (found.pvalue == 1.0) != within
    assert "no variation" in found.notes[0]


def test_an_estimate_that_is_not_finite_is_refused():
    with pytest.raises(UndefinedResultError, match="no finite score"):
        jackknife_equivalence(Estimate(NAN, 0.1, 9.0), margin=0.02, unit="page", n=10)
    with pytest.raises(ConfigurationError, match="margin of equivalence"):
        jackknife_equivalence(Estimate(0.0, 0.1, 9.0), margin=0.0, unit="page", n=10)
