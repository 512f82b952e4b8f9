import math

import numpy as np
import pytest
import scipy.stats

from misread.errors import UndefinedResultError
from misread.stats import Estimate
from misread.stats.bootstrap.resampling import bootstrap_sums
from misread.stats.significance.corpus_scores import jackknife_test, paired_bootstrap


def run(observed, replicates, **changes):
    settings = {"confidence": 0.95, "unit": "segment", "n": 60} | changes
    return paired_bootstrap(observed, np.asarray(replicates, dtype=float), **settings)


@pytest.fixture
def enumerated(published_numbers):
    return published_numbers["bootstrap"]["enumerated"]


def differences(case, resamples):
    a, b = np.array(case["A_err_len"]), np.array(case["B_err_len"])
    sums = bootstrap_sums(np.hstack([a, b]), resamples=resamples, seed=1)
    return sums[:, 2] / sums[:, 3] - sums[:, 0] / sums[:, 1]


def slow_pvalue(observed, replicates):
    extreme = sum(abs(replicate - observed) >= abs(observed) - 1e-12 for replicate in replicates)
    return (1 + extreme) / (1 + len(replicates))


def test_the_pvalue_equals_the_count_of_shifted_replicates():
    rng = np.random.default_rng(2)
    for observed in (-0.02, 0.0, 0.01, 0.5):
        replicates = np.round(rng.normal(observed, 0.01, size=400), 3)
        assert run(observed, replicates).pvalue == slow_pvalue(observed, replicates)


def test_the_observed_sample_counts_so_p_is_never_zero_and_a_replicate_exactly_as_far():
    constant = run(-0.5, np.full(99, -0.5))
    assert (constant.pvalue, constant.effect_size) == (1 / 100, 1.0)
    assert any("no variation" in note for note in constant.notes)
    assert run(-0.25, [-0.5, 0.0, -0.25]).pvalue == 3 / 4


def test_a_replicate_as_far_up_to_rounding_counts():
    observed = -(0.1 + 0.2)
    assert abs(-0.6 - observed) < abs(observed)
    assert run(observed, [-0.6]).pvalue == 1.0


def test_the_probability_of_improvement_counts_negative_replicates_and_half_the_ties():
    result = run(-0.1, [-0.2, -0.1, 0.0, 0.1])
    assert result.effect_size == 0.625
    assert result.effect_size_name == "probability_of_improvement"


def test_the_enumerated_distribution_is_met(enumerated):
    replicates = differences(enumerated, 100_000)
    result = run(enumerated["diff"], replicates, n=6)
    for share, expected in [
        (np.mean(replicates < 0), enumerated["poi_strict"]),
        (np.mean(replicates == 0), enumerated["prob_tie"]),
        (np.mean(replicates > 0), enumerated["prob_worse"]),
        (result.effect_size, enumerated["poi_half_ties"]),
    ]:
        assert share == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / len(replicates)))
    assert (result.interval.low, result.interval.high) == pytest.approx(enumerated["pct95_diff"], abs=2e-4)
    assert replicates.std() == pytest.approx(enumerated["se_diff"], rel=4 / np.sqrt(2 * len(replicates)))


def test_paired_draws_make_the_difference_sharper_than_the_rates(enumerated):
    assert differences(enumerated, 5000).std() < enumerated["se_A"]


def test_identical_systems_have_p_one_and_an_even_chance_of_improvement():
    result = run(0.0, np.zeros(50))
    assert (result.statistic, result.pvalue, result.effect_size) == (0.0, 1.0, 0.5)
    assert result.interval is None
    assert any("no variation" in note for note in result.notes)


def test_too_few_resamples_to_reach_the_level_are_said_to_be_so():
    assert run(0.0, np.random.default_rng(1).normal(size=999)).notes == ()
    assert any("Too few resamples" in note for note in run(-0.1, np.linspace(-0.2, 0.0, 10)).notes)


def test_few_units_are_said_to_be_so():
    replicates = np.random.default_rng(1).normal(size=999)
    assert any("9, page" in note for note in run(0.0, replicates, unit="page", n=9).notes)
    assert run(0.0, replicates, unit="page", n=10).notes == ()


@pytest.mark.parametrize(
    ("observed", "replicates", "n", "message"),
    [
        (-0.1, np.full(9, -0.1), 1, r"at least 2 units .* got 1 \(speaker\)"),
        (math.nan, np.zeros(9), 60, "observed difference is nan"),
        (-0.1, [-0.1, np.nan, -0.2], 60, "1 of 3"),
    ],
)
def test_one_unit_and_undefined_numbers_are_refused(observed, replicates, n, message):
    with pytest.raises(UndefinedResultError, match=message):
        run(observed, replicates, unit="speaker", n=n)


def test_the_result_names_what_was_drawn_and_how_often():
    result = run(-0.1, np.linspace(-0.2, 0.0, 99), unit="page", n=14)
    assert (result.name, result.unit, result.n, result.dropped) == ("paired_bootstrap", "page", 14, 0)
    assert result.method == "percentile, 99 resamples"
    assert result.interval.confidence == 0.95


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


def test_without_variation_p_is_1_with_it_never_0_and_without_a_difference_there_is_none():
    found = jackknife_test(Estimate(0.1, 0.0, 5.0), unit="page", n=6)
    assert (found.pvalue, found.method) == (1, "none")
    assert jackknife_test(Estimate(1.0, 1e-9, 1e6), unit="page", n=6).pvalue > 0
    with pytest.raises(UndefinedResultError, match="difference is nan"):
        jackknife_test(Estimate(math.nan, 0.1, 5.0), unit="page", n=6)
