"""Variance components of repeated runs, against statsmodels' analysis of variance and exact limits."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import UndefinedResultError
from misread.stats.design.run_components import (
    Component,
    VarianceComponents,
    _difference_ends,
    mean_squares,
    values_of_runs,
    variance_components,
)
from misread.stats.results import ConfidenceInterval


def rate(counts):
    return counts[..., 0] / counts[..., 1]


@pytest.mark.parametrize(("clusters", "runs"), [(2, 2), (7, 3), (30, 5)])
def test_mean_squares_are_those_of_statsmodels(clusters, runs):
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    values = np.random.default_rng(clusters).normal(size=(clusters, runs))
    frame = pd.DataFrame(
        {
            "value": values.ravel(),
            "cluster": np.repeat(np.arange(clusters), runs),
            "run": np.tile(np.arange(runs), clusters),
        }
    )
    table = anova_lm(ols("value ~ C(cluster) + C(run)", frame).fit())
    expected = table["sum_sq"] / table["df"]
    found = mean_squares(values)
    assert [found.clusters, found.runs, found.residual] == pytest.approx(expected.tolist())
    parts = variance_components(values, confidence=0.95)
    assert parts.clusters.variance == pytest.approx(max(0, expected.iloc[0] - expected.iloc[2]) / runs)
    assert parts.runs.variance == pytest.approx(max(0, expected.iloc[1] - expected.iloc[2]) / clusters)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(10, 40)), min_size=3, max_size=9))
def test_values_of_a_run_have_its_rate_as_their_mean(rows):
    first, second, lengths = (np.array(column) for column in zip(*rows, strict=True))
    counts = np.stack([np.stack([errors, lengths], axis=-1) for errors in (first, second)])
    values = values_of_runs(counts, rate)
    assert values.shape == (len(rows), 2)
    assert values.mean(axis=0) == pytest.approx(rate(counts.sum(axis=1)))


def test_values_of_clusters_of_one_length_are_their_rates():
    counts = np.array([[[1, 10], [4, 10], [2, 10]], [[0, 10], [5, 10], [2, 10]]])
    assert values_of_runs(counts, rate) == pytest.approx(np.array([[0.1, 0.0], [0.4, 0.5], [0.2, 0.2]]))


def test_the_lower_end_is_0_just_where_the_f_test_finds_nothing():
    """The interval of the runs contains 0 where F = MS(runs) / MS(residual) is below its critical value."""
    rng = np.random.default_rng(4)
    seen = set()
    for scale in np.linspace(0, 2, 30):
        values = rng.normal(size=(8, 4)) + scale * rng.normal(size=4)
        found = mean_squares(values)
        pvalue = scipy.stats.f.sf(found.runs / found.residual, 3, 21)
        contains = variance_components(values, confidence=0.95).runs.interval.low == 0
        assert contains == (pvalue >= 0.025)
        seen.add(contains)
    assert seen == {True, False}


def test_the_interval_of_the_residual_is_that_of_a_variance():
    values = np.random.default_rng(5).normal(size=(6, 4))
    found = variance_components(values, confidence=0.9).residual
    low, high = found.variance * 15 / scipy.stats.chi2.isf([0.05, 0.95], 15)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))


def test_where_runs_are_all_the_same_the_interval_of_clusters_is_that_of_their_variance():
    """Evenly spread values have light tails, which take no degrees of freedom."""
    found = variance_components(np.repeat(np.linspace(0, 1, 12)[:, np.newaxis], 4, axis=1), confidence=0.9).clusters
    low, high = found.variance * 11 / scipy.stats.chi2.isf([0.05, 0.95], 11)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))


def test_runs_that_are_all_the_same_vary_by_nothing():
    values = np.repeat(np.random.default_rng(6).normal(size=(9, 1)), 3, axis=1)
    found = variance_components(values, confidence=0.95)
    assert found.variances == pytest.approx((values[:, 0].var(ddof=1), 0, 0))
    assert found.runs_until() == 1
    assert found.share_of_runs(1) == pytest.approx(0, abs=1e-12)


def components(clusters, runs, residual, count=10):
    def part(variance):
        interval = ConfidenceInterval(low=0, high=1, confidence=0.95, method="x")
        return Component(variance=variance, interval=interval)

    return VarianceComponents(
        clusters=part(clusters), runs=part(runs), residual=part(residual), cluster_count=count, run_count=3
    )


def test_the_part_of_runs_is_below_the_share_with_just_so_many_runs():
    parts = components(10.0, 1.0, 0.0)
    # One part of clusters against 1 / R of runs: a tenth at 9 runs is not below a tenth.
    assert parts.share_of_runs(9) == pytest.approx(0.1)
    assert parts.runs_until() == 10
    assert parts.share_of_runs(10) < 0.1
    assert parts.runs_until(0.5) == 2


def test_where_clusters_do_not_vary_no_number_of_runs_makes_their_part_small():
    assert components(0.0, 1.0, 1.0).runs_until() is None
    assert components(1e-9, 1.0, 1.0).runs_until() is None
    assert components(0.0, 0.0, 0.0).runs_until() == 1
    assert components(0.0, 0.0, 0.0).share_of_runs(1) == 0


@pytest.mark.parametrize("shape", [(1, 3), (5, 1), (1, 1)])
def test_one_run_or_one_cluster_is_refused(shape):
    with pytest.raises(UndefinedResultError, match=f"at least 2 clusters in 2 runs; got {shape[0]} in {shape[1]}"):
        variance_components(np.zeros(shape), confidence=0.95)


def test_a_score_that_is_undefined_without_a_cluster_is_refused():
    with pytest.raises(UndefinedResultError, match="undefined without one cluster"):
        mean_squares(np.array([[0.1, np.nan], [0.2, 0.1]]))


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize(("first", "second"), [(3, 21), (7, 4)])
def test_the_upper_end_of_a_difference_is_0_just_where_the_other_f_test_has_its_critical_value(
    confidence, first, second
):
    tail = (1 - confidence) / 2
    critical = scipy.stats.f.ppf(tail, first, second)
    low, high = _difference_ends(critical, first, 1.0, second, tail)
    assert high == pytest.approx(0, abs=1e-9)
    assert low < critical - 1


@pytest.mark.parametrize("tails", ["heavy", "light", "none"])
def test_the_excess_kurtosis_of_clusters_is_that_of_scipy_and_never_below_0(tails):
    drawn = {"heavy": np.random.default_rng(2).standard_t(3, 40), "light": np.arange(40.0), "none": np.ones(40)}[tails]
    found = mean_squares(np.stack([drawn - 1, drawn + 1], axis=1)).excess_kurtosis
    expected = 0.0 if tails == "none" else max(scipy.stats.kurtosis(drawn), 0.0)
    assert found == pytest.approx(expected)
    assert (found > 0) == (tails == "heavy")
