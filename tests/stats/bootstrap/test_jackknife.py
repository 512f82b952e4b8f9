import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats.bootstrap.jackknife import (
    Estimate,
    degrees_of_freedom,
    independent_error,
    jackknife_deviation,
    jackknife_interval,
    symmetric_interval,
)
from misread.stats.bootstrap.means import ratio_interval


def cluster_sums(units=15, seed=3):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(50, 400, size=units)
    return rng.binomial(lengths, rng.beta(2, 12, size=units)), lengths


def matrix_freedom(sizes):
    """Bell & McCaffrey's degrees of freedom from matrices, for the ratio as a weighted mean of unit rates."""
    sizes = np.array([size for size in sizes if size], dtype=float)
    share = sizes / sizes.sum()
    units = len(sizes)
    residual_maker = np.eye(units) - np.outer(np.ones(units), share)
    # A rate varies as 1 / size; CR3 divides each residual by 1 minus its leverage.
    g = np.diag(share / (1 - share)) @ residual_maker
    covariance = g @ np.diag(1 / sizes) @ g.T
    return np.trace(covariance) ** 2 / np.sum(covariance**2)


@pytest.mark.parametrize("sizes", [[5, 5], [1, 2, 3], [900, 300, 300, 300], list(range(1, 40)), [0, 3, 4, 5]])
def test_degrees_of_freedom_are_those_of_the_matrices(sizes):
    assert degrees_of_freedom(np.array(sizes)) == pytest.approx(max(1.0, matrix_freedom(sizes)))


@pytest.mark.parametrize("units", [2, 12, 1_000_000])
def test_units_of_one_size_have_one_degree_less_than_there_are(units):
    assert degrees_of_freedom(np.full(units, 7)) == pytest.approx(units - 1)


@pytest.mark.parametrize("sizes", [[7, 0, 0], [0, 0], [10**12, 1]])
def test_a_unit_that_holds_everything_leaves_one_degree(sizes):
    assert degrees_of_freedom(np.array(sizes)) == pytest.approx(1.0)


def test_the_jackknife_of_a_mean_is_its_standard_deviation():
    values = np.random.default_rng(1).normal(size=50)
    assert jackknife_deviation((values.sum() - values) / 49) == pytest.approx(np.std(values, ddof=1))


@pytest.mark.parametrize("without", [[], [1.0], [2.0, 2.0, 2.0], [1.0, np.nan]])
def test_without_variation_there_is_no_deviation(without):
    assert jackknife_deviation(np.array(without)) is None


def test_the_jackknife_error_is_that_of_a_weighted_regression_with_residuals_divided_by_1_minus_leverage():
    from statsmodels.regression.linear_model import WLS

    errors, lengths = cluster_sums()
    leave_one_out = (errors.sum() - errors) / (lengths.sum() - lengths)
    error = jackknife_deviation(leave_one_out) / math.sqrt(len(errors))
    fit = WLS(errors / lengths, np.ones(len(errors)), weights=lengths).fit(cov_type="HC3")
    # statsmodels leaves out the factor (K - 1) / K, and is centred at the estimate in place of the mean.
    assert error == pytest.approx(fit.bse[0] * math.sqrt(1 - 1 / len(errors)), rel=0.01)


def test_for_equal_units_the_interval_is_that_of_students_t():
    values = np.random.default_rng(1).normal(0.01, 0.05, 12)
    leave_one_out = (values.sum() - values) / 11
    error = jackknife_deviation(leave_one_out) / math.sqrt(12)
    estimate = Estimate(values.mean(), error, degrees_of_freedom(np.ones(12)))
    interval = jackknife_interval(estimate, 0.95)
    assert (interval.low, interval.high) == pytest.approx(scipy.stats.ttest_1samp(values, 0).confidence_interval(0.95))
    assert (interval.confidence, interval.method) == (0.95, "jackknife")


RANGES = pytest.mark.parametrize("highest", [math.inf, 1.0])


def rate_interval(value, error, freedom=9.0, skewness=0.0, *, highest=math.inf, step=0.0):
    return jackknife_interval(Estimate(value, error, freedom, skewness, step=step), 0.95, lowest=0.0, highest=highest)


def corpus_interval(errors, lengths):
    """The interval that tables show of a corpus of clusters."""
    return ratio_interval(errors, lengths, None, 0.95)


@RANGES
@pytest.mark.parametrize("value", [1e-9, 0.01, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("error", [1e-6, 0.1, 5.0])
@pytest.mark.parametrize("skewness", [-2.0, 0.0, 0.2, 2.0])
def test_the_interval_of_a_rate_stays_in_its_range_and_holds_the_rate(highest, value, error, skewness):
    interval = rate_interval(value, error, 3.0, skewness, highest=highest)
    assert 0 < interval.low <= value <= interval.high <= highest
    assert not interval.is_degenerate


@pytest.mark.parametrize(("count", "trials"), [(3, 10), (30, 100), (1, 400), (399, 400)])
def test_the_interval_of_a_share_of_independent_trials_is_wilsons(count, trials):
    from statsmodels.stats.proportion import proportion_confint

    share = count / trials
    found = rate_interval(share, math.sqrt(share * (1 - share) / trials), 1e12, highest=1.0)
    assert (found.low, found.high) == pytest.approx(proportion_confint(count, trials, method="wilson"), rel=1e-6)


@pytest.mark.parametrize("value", [0.001, 0.05, 0.8, 3.0])
@pytest.mark.parametrize("error", [0.001, 0.03])
def test_an_end_of_a_rate_is_as_far_away_as_t_times_its_own_error(value, error):
    t = scipy.stats.t.ppf(0.975, 9)
    found = rate_interval(value, error)
    for end in (found.low, found.high):
        assert abs(value - end) == pytest.approx(t * error * math.sqrt(end / value))


@pytest.mark.parametrize("errors", [1, 5, 20, 100])
def test_the_interval_of_a_rate_of_independent_errors_is_the_score_interval_of_poisson_counts(errors):
    from statsmodels.stats.rates import confint_poisson

    found = rate_interval(errors / 1000, math.sqrt(errors) / 1000, 1e12)
    assert (found.low, found.high) == pytest.approx(confint_poisson(errors, 1000, method="score"), rel=1e-6)


def test_the_sign_of_a_tiny_skewness_moves_no_end():
    ends = [rate_interval(0.0455, 0.01673, 4.89, skewness) for skewness in (-1e-6, 1e-6)]
    assert ends[0].low == pytest.approx(ends[1].low, abs=1e-7)
    assert ends[0].high == pytest.approx(ends[1].high, abs=1e-7)


@RANGES
@pytest.mark.parametrize("freedom", [3.0, 5.2, 30.0])
def test_more_skewness_moves_an_end_a_little_at_a_time_and_not_for_ever(highest, freedom):
    ends = np.array(
        [
            (found.low, found.high)
            for skewness in np.linspace(-1, 1, 401)
            for found in [rate_interval(0.10, 0.015, freedom, skewness, highest=highest)]
        ]
    )
    # A step of .005 in the skewness; a slope without bound would show as a jump.
    assert np.abs(np.diff(ends, axis=0)).max() < 0.02 * 0.015
    assert (np.diff(ends, axis=0) >= 0).all()
    # No further than with the fewest degrees of freedom that an interval has.
    widest = rate_interval(0.10, 0.015, 3.0, highest=highest)
    assert (ends.min(), ends.max()) == (pytest.approx(widest.low), pytest.approx(widest.high))


def test_a_rate_as_skewed_as_counts_of_independent_errors_has_no_correction():
    # Poisson with a mean of 16: relative error and skewness are both 1/4.
    assert rate_interval(16.0, 4.0, 9.0, 0.25) == rate_interval(16.0, 4.0, 9.0)
    assert rate_interval(16.0, 4.0, 9.0, 0.35).high > rate_interval(16.0, 4.0, 9.0).high


@RANGES
def test_skewness_moves_the_end_on_its_side_alone(highest):
    plain, right, left = (rate_interval(0.4, 0.02, 9.0, skewness, highest=highest) for skewness in (0.0, 0.3, -0.3))
    assert (right.low == plain.low, right.high > plain.high) == (True, True)
    assert (left.high == plain.high, left.low < plain.low) == (True, True)


@pytest.mark.parametrize(("freedom", "has_one"), [(3.0, True), (3.0 - 1e-12, True), (2.99, False), (1.0, False)])
@RANGES
def test_a_rate_with_fewer_than_three_degrees_of_freedom_has_no_interval(freedom, has_one, highest):
    assert (rate_interval(0.1, 0.01, freedom, highest=highest) is not None) is has_one


@given(
    errors=st.lists(st.integers(0, 60), min_size=5, max_size=30),
    lengths=st.lists(st.integers(60, 240), min_size=30, max_size=30),
    data=st.data(),
)
def test_one_error_more_moves_no_end_by_more_than_one_standard_error(errors, lengths, data):
    errors, lengths = np.array(errors), np.array(lengths[: len(errors)])
    more = errors.copy()
    more[data.draw(st.integers(0, len(errors) - 1))] += 1
    before, after = corpus_interval(errors, lengths), corpus_interval(more, lengths)
    # Each of a few errors moves even the exact interval by more than its standard error, and where clusters are more
    # alike than chance would have them, one error changes the standard error by more than itself.
    assume(before is not None and errors.sum() >= 30)
    error = jackknife_deviation((errors.sum() - errors) / (lengths.sum() - lengths)) or 0.0
    error /= math.sqrt(len(errors))
    assume(error >= math.sqrt(errors.sum()) / lengths.sum())
    assert abs(after.low - before.low) <= error
    assert abs(after.high - before.high) <= error


@pytest.mark.parametrize("clusters", [4, 12, 200])
def test_where_no_error_was_seen_the_interval_ends_where_it_would_with_one(clusters):
    from statsmodels.stats.rates import confint_poisson

    lengths = np.full(clusters, 100)
    none, one = np.zeros(clusters, dtype=int), np.eye(1, clusters, dtype=int)[0]
    found, of_one = corpus_interval(none, lengths), corpus_interval(one, lengths)
    assert found.low == 0
    assert found.high == pytest.approx(of_one.high)
    assert of_one.low > 0
    # No less than the exact bound for independent errors.
    assert found.high * lengths.sum() > confint_poisson(0, 1, method="exact-c")[1]


def test_where_all_are_right_an_accuracy_has_the_interval_of_no_error():
    accuracy = rate_interval(1.0, 0.0, 11.0, highest=1.0, step=0.001)
    rate = rate_interval(0.0, 0.0, 11.0, highest=1.0, step=0.001)
    assert (accuracy.low, accuracy.high) == pytest.approx((1 - rate.high, 1.0))


def test_a_share_and_its_complement_have_mirrored_intervals():
    share, rest = (jackknife_interval(Estimate(of, 0.04, 9.0), 0.95, lowest=0.0, highest=1.0) for of in (0.9, 0.1))
    assert (share.low, share.high) == pytest.approx((1 - rest.high, 1 - rest.low))


def test_a_difference_is_symmetric_without_regard_to_skewness_and_ends_where_no_difference_can_be():
    interval = symmetric_interval(Estimate(-0.02, 0.01, 9.0), 0.95, lowest=-1.0, highest=1.0)
    assert interval.low + interval.high == pytest.approx(-0.04)
    assert interval == symmetric_interval(Estimate(-0.02, 0.01, 9.0, 0.8), 0.95, lowest=-1.0, highest=1.0)
    few = symmetric_interval(Estimate(0.01, 0.01, 1.0), 0.95, lowest=-1.0, highest=1.0)
    assert few.low < 0.01 < few.high
    wide = symmetric_interval(Estimate(-0.02, 2.0, 1.0), 0.95, lowest=-1.0, highest=1.0)
    assert (wide.low, wide.high) == (-1.0, 1.0)


def test_a_value_outside_of_its_range_has_no_bounds():
    interval = jackknife_interval(Estimate(1.2, 0.1, 9.0), 0.95, lowest=0.0, highest=1.0)
    assert interval == symmetric_interval(Estimate(1.2, 0.1, 9.0), 0.95)
    assert interval.low + interval.high == pytest.approx(2.4)


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("highest", [1.0, math.inf])
def test_a_score_that_counts_nothing_has_no_width_without_variation(value, highest):
    assert jackknife_interval(Estimate(value, 0.0, 9.0), 0.95, lowest=0.0, highest=highest).is_degenerate


@pytest.mark.parametrize("errors", [4, 10, 40, 400])
def test_a_rate_that_does_not_vary_has_the_score_interval_of_as_many_rare_errors(errors):
    estimate = Estimate(errors / 10**6, 0.0, 9.0, independent=independent_error(errors / 10**6, 1e-6))
    interval = jackknife_interval(estimate, 0.95, lowest=0.0)
    normal = scipy.stats.norm.ppf(0.975)
    middle, reach = errors + normal**2 / 2, normal * (errors + normal**2 / 4) ** 0.5
    assert (interval.low * 10**6, interval.high * 10**6) == pytest.approx((middle - reach, middle + reach), rel=1e-3)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_share_that_does_not_vary_has_the_interval_of_wilson(share):
    estimate = Estimate(share, 0.0, 9.0, independent=independent_error(share, 1 / 50, is_share=True))
    interval = jackknife_interval(estimate, 0.95, lowest=0.0, highest=1.0)
    oracle = scipy.stats.binomtest(round(50 * share), 50).proportion_ci(method="wilson")
    assert (interval.low, interval.high) == pytest.approx((oracle.low, oracle.high))


@pytest.mark.parametrize("items", [9, 90, 900])
def test_a_rate_of_errors_alone_reaches_as_far_down_as_the_interval_of_wilson(items):
    estimate = Estimate(1.0, 0.0, 9.0, independent=independent_error(1.0, 1 / items))
    low = jackknife_interval(estimate, 0.95, lowest=0.0).low
    assert 1 - low == pytest.approx(1 - scipy.stats.binomtest(items, items).proportion_ci(method="wilson").low, rel=0.2)


@given(
    value=st.floats(-2, 2),
    error=st.floats(0, 0.5),
    independent=st.floats(0, 0.5),
    freedom=st.floats(1, 100),
    confidence=st.floats(0.5, 0.999),
)
def test_the_tail_beyond_an_end_is_that_of_the_confidence(value, error, independent, freedom, confidence):
    assume(error > 1e-6 or independent > 1e-6)
    estimate = Estimate(value, error, freedom, independent=independent)
    interval = symmetric_interval(estimate, confidence)
    assert estimate.tail(interval.high - value) == pytest.approx((1 - confidence) / 2, rel=1e-4)


@pytest.mark.parametrize(("value", "error"), [(math.nan, 0.1), (0.1, math.nan), (math.inf, 0.1)])
def test_what_is_not_finite_is_refused(value, error):
    with pytest.raises(UndefinedResultError, match="there is no interval"):
        jackknife_interval(Estimate(value, error, 9.0), 0.95)


def test_a_confidence_outside_zero_to_one_and_one_unit_are_refused():
    with pytest.raises(ConfigurationError, match="confidence is 95"):
        jackknife_interval(Estimate(0.1, 0.1, 9.0), 95)
    with pytest.raises(UndefinedResultError, match="at least 2 units; got 1"):
        degrees_of_freedom(np.array([3]))
