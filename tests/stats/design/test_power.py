import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.stats.bootstrap.resampling import bootstrap_sums, cluster_rows
from misread.stats.design.power import (
    design_effect,
    detectable_difference,
    effective_segments,
    units_to_detect,
    units_to_equate,
)


@pytest.fixture(scope="module")
def oracle():
    from statsmodels.stats.power import TTestPower

    return TTestPower()


@pytest.mark.parametrize("units", [3, 6, 20, 300, 1000, 1001, 50_000])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 28])
def test_the_detectable_difference_has_the_power_of_the_paired_t_test(oracle, units, alpha):
    difference = detectable_difference(2.5, units, alpha=alpha)
    power = oracle.power(difference / 2.5, units, alpha / 2, alternative="larger")
    assert power == pytest.approx(0.80, abs=0.003)


@pytest.mark.parametrize("effect", [0.03, 0.2, 0.5, 1.5])
def test_so_many_units_have_the_power_and_one_fewer_has_not(oracle, effect):
    units = units_to_detect(effect, 1.0, alpha=0.05)
    expected = oracle.solve_power(effect_size=effect, alpha=0.05, power=0.80)
    assert units == pytest.approx(np.ceil(expected), abs=0.001 * expected + 1e-9)


@given(st.floats(0.001, 3), st.integers(10, 10_000))
def test_the_two_questions_have_the_same_answer(deviation, units):
    found = units_to_detect(detectable_difference(deviation, units, alpha=0.05), deviation, alpha=0.05)
    assert abs(found - units) <= 1


def test_no_number_of_units_finds_nothing():
    assert units_to_detect(0.0, 1.0, alpha=0.05) is None


def test_equivalence_takes_the_published_number_of_units():
    # (z(.05) + z(.10))^2 / margin^2, for a difference of 0: Julious (2004), section 5.
    assert units_to_equate(0.0, 1.0, margin=0.1, alpha=0.05) == np.ceil((1.6448536 + 1.2815516) ** 2 / 0.01)


def test_a_difference_near_the_margin_takes_more_units_and_one_outside_never_enough():
    near, far = (units_to_equate(difference, 1.0, margin=0.1, alpha=0.05) for difference in (0.05, -0.05))
    assert near == far > units_to_equate(0.0, 1.0, margin=0.1, alpha=0.05)
    assert units_to_equate(0.1, 1.0, margin=0.1, alpha=0.05) is None


@pytest.mark.parametrize(("units", "alpha", "power"), [(1, 0.05, 0.8), (9, 0.0, 0.8), (9, 0.05, 1.0), (9, 0.9, 0.8)])
def test_a_question_without_an_answer_is_refused(units, alpha, power):
    with pytest.raises(ConfigurationError):
        detectable_difference(1.0, units, alpha=alpha, power=power)


def sample(clusters=20, size=15, spread=0.4):
    rng = np.random.default_rng(3)
    codes = np.repeat(np.arange(clusters), size)
    lengths = rng.integers(4, 60, size=codes.size)
    logs = np.log(0.1) + rng.normal(0, spread, size=clusters)[codes] + rng.normal(0, 0.3, size=codes.size)
    return rng.binomial(lengths, np.exp(logs).clip(max=1)), lengths, codes


def test_it_is_the_ratio_of_the_sandwich_variances_of_statsmodels():
    from statsmodels.regression.linear_model import WLS

    errors, lengths, clusters = sample()
    # Weighted by 1 / length, regression through the origin has the corpus rate as its slope.
    model = WLS(errors, lengths, weights=1 / lengths)
    clustered = model.fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False})
    independent = model.fit(cov_type="HC0")
    assert clustered.params[0] == pytest.approx(errors.sum() / lengths.sum())
    expected = clustered.cov_params()[0, 0] / independent.cov_params()[0, 0]
    assert design_effect(errors, lengths, clusters) == pytest.approx(expected)


def test_it_predicts_how_much_the_cluster_bootstrap_widens():
    errors, lengths, clusters = sample()
    counts = np.column_stack([errors, lengths])
    variances = []
    for codes in (clusters, None):
        sums = bootstrap_sums(cluster_rows(counts, codes), resamples=20_000, seed=1)
        variances.append(np.var(sums[:, 0] / sums[:, 1]))
    assert variances[0] / variances[1] == pytest.approx(design_effect(errors, lengths, clusters), rel=0.06)


def test_clusters_that_err_together_have_an_effect_above_one_in_any_order_and_at_any_size():
    errors, lengths, clusters = sample()
    effect = design_effect(errors, lengths, clusters)
    assert effect > 2
    assert design_effect(errors, lengths, np.arange(len(clusters))) == pytest.approx(1.0)
    twins = np.repeat(np.arange(len(errors)), 2)
    assert design_effect(errors[twins], lengths[twins], twins) == pytest.approx(2.0)
    order = np.random.default_rng(1).permutation(len(errors))
    assert design_effect(errors[order], lengths[order], clusters[order]) == pytest.approx(effect)
    # No sum overflows.
    assert design_effect(errors * 1_000_000, lengths * 1_000_000, clusters) == pytest.approx(effect)


@pytest.mark.parametrize("errors", [[0, 0, 0, 0], [1, 2, 3, 1]])
def test_segments_of_equal_rate_have_an_effect_of_one(errors):
    lengths = np.array([7, 14, 21, 7])
    assert design_effect(np.array(errors), lengths, np.array([0, 0, 1, 1])) == 1.0


def test_clusters_of_equal_rate_have_no_variance_left():
    lengths = np.full(4, 10)
    assert design_effect(np.array([1, 3, 3, 1]), lengths, np.array([0, 0, 1, 1])) == 0.0


@pytest.mark.parametrize(
    ("lengths", "clusters", "error", "message"),
    [
        ([9, 9], [0, 0], UndefinedResultError, "at least 2 clusters"),
        ([0, 0], [0, 1], UndefinedResultError, "the reference is empty"),
        ([9, 9], [0], LengthMismatchError, "2 errors, 2 lengths and 1 cluster codes"),
    ],
)
def test_one_cluster_an_empty_reference_and_other_lengths_are_refused(lengths, clusters, error, message):
    with pytest.raises(error, match=message):
        design_effect(np.array([1, 2]), np.array(lengths), np.array(clusters))


@pytest.mark.parametrize(("deff", "segments"), [(8.0, 150.0), (1.0, 1200.0), (0.5, 1200.0), (0.0, 1200.0)])
def test_effective_segments_are_segments_over_the_effect_and_never_more_than_there_are(deff, segments):
    assert effective_segments(1200, deff) == segments
