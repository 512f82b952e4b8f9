import math

import numpy as np
import pytest
import scipy.stats
import statsmodels.api as sm

from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats.bootstrap.jackknife import Estimate, degrees_of_freedom, jackknife_interval
from misread.stats.planning.power import jackknife_deviation


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


def test_unequal_units_have_fewer_degrees():
    assert degrees_of_freedom(np.array([100, *[10] * 11])) < 4


@pytest.mark.parametrize("sizes", [[7, 0, 0], [0, 0], [10**12, 1]])
def test_a_unit_that_holds_everything_leaves_one_degree(sizes):
    assert degrees_of_freedom(np.array(sizes)) == pytest.approx(1.0)


def test_one_unit_has_no_degrees_of_freedom():
    with pytest.raises(UndefinedResultError, match="at least 2 units; got 1"):
        degrees_of_freedom(np.array([3]))


def test_the_jackknife_error_is_that_of_a_weighted_regression_with_residuals_divided_by_1_minus_leverage():
    errors, lengths = cluster_sums()
    leave_one_out = (errors.sum() - errors) / (lengths.sum() - lengths)
    error = jackknife_deviation(leave_one_out) / math.sqrt(len(errors))
    fit = sm.WLS(errors / lengths, np.ones(len(errors)), weights=lengths).fit(cov_type="HC3")
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


@pytest.mark.parametrize(("lowest", "highest"), [(0.0, math.inf), (0.0, 1.0)])
@pytest.mark.parametrize("value", [1e-9, 0.01, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("error", [1e-6, 0.1, 5.0])
def test_the_interval_of_a_rate_stays_in_its_range_and_holds_the_rate(lowest, highest, value, error):
    interval = jackknife_interval(Estimate(value, error, 1.5), 0.95, lowest=lowest, highest=highest)
    assert lowest <= interval.low <= value <= interval.high <= highest
    assert not interval.is_degenerate


def test_with_a_small_error_the_scale_makes_no_difference():
    estimate = Estimate(0.3, 1e-5, 20.0)
    plain = jackknife_interval(estimate, 0.95)
    for highest in (1.0, math.inf):
        found = jackknife_interval(estimate, 0.95, lowest=0.0, highest=highest)
        assert (found.low, found.high) == pytest.approx((plain.low, plain.high), rel=1e-8)


def test_a_share_and_its_complement_have_mirrored_intervals():
    share, rest = (jackknife_interval(Estimate(of, 0.04, 9.0), 0.95, lowest=0.0, highest=1.0) for of in (0.9, 0.1))
    assert (share.low, share.high) == pytest.approx((1 - rest.high, 1 - rest.low))


def test_a_rate_reaches_further_away_from_zero_than_towards_it():
    interval = jackknife_interval(Estimate(0.05, 0.02, 9.0), 0.95, lowest=0.0)
    assert interval.high - 0.05 > 0.05 - interval.low > 0


def test_a_difference_is_symmetric_and_ends_where_no_difference_can_be():
    interval = jackknife_interval(Estimate(-0.02, 0.01, 9.0), 0.95, lowest=-1.0, highest=1.0)
    assert interval.low + interval.high == pytest.approx(-0.04)
    wide = jackknife_interval(Estimate(-0.02, 2.0, 1.0), 0.95, lowest=-1.0, highest=1.0)
    assert (wide.low, wide.high) == (-1.0, 1.0)


def test_a_value_outside_of_its_range_has_no_bounds():
    interval = jackknife_interval(Estimate(1.2, 0.1, 9.0), 0.95, lowest=0.0, highest=1.0)
    assert interval.low + interval.high == pytest.approx(2.4)


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("highest", [1.0, math.inf])
def test_without_variation_the_interval_has_no_width(value, highest):
    assert jackknife_interval(Estimate(value, 0.0, 9.0), 0.95, lowest=0.0, highest=highest).is_degenerate


def hall(t, g):
    """Hall's (1992) transformation of t, which removes its skewness."""
    return t + g * (2 * t**2 + 1) / 6 + g**2 * t**3 / 27


@pytest.mark.parametrize("skewness", [0.05, 0.4, 0.9, -0.4])
@pytest.mark.parametrize("highest", [1.0, math.inf])
def test_the_end_on_the_side_of_the_skewness_is_that_of_halls_transformation(skewness, highest):
    estimate = Estimate(0.5, 1e-3, 9.0, skewness)
    found = jackknife_interval(estimate, 0.95, lowest=0.0, highest=highest)
    end = found.high if skewness > 0 else found.low
    assert hall((0.5 - end) / 1e-3, skewness) == pytest.approx(-math.copysign(scipy.stats.t.isf(0.025, 9), skewness))
    other = jackknife_interval(Estimate(0.5, 1e-3, 9.0), 0.95, lowest=0.0, highest=highest)
    assert (found.low == other.low) if skewness > 0 else (found.high == other.high)


def test_skewness_moves_no_end_of_a_difference():
    skewed = jackknife_interval(Estimate(0.01, 0.01, 9.0, 0.8), 0.95, lowest=-1.0, highest=1.0)
    assert skewed == jackknife_interval(Estimate(0.01, 0.01, 9.0), 0.95, lowest=-1.0, highest=1.0)


def test_fewer_degrees_and_more_confidence_make_it_wider():
    def width(freedom, confidence):
        found = jackknife_interval(Estimate(0.1, 0.01, freedom), confidence)
        return found.high - found.low

    assert width(30.0, 0.95) < width(3.0, 0.95) < width(3.0, 0.99)


@pytest.mark.parametrize(("value", "error"), [(math.nan, 0.1), (0.1, math.nan), (math.inf, 0.1)])
def test_what_is_not_finite_is_refused(value, error):
    with pytest.raises(UndefinedResultError, match="there is no interval"):
        jackknife_interval(Estimate(value, error, 9.0), 0.95)


def test_a_confidence_outside_zero_to_one_is_refused():
    with pytest.raises(ConfigurationError, match="confidence is 95"):
        jackknife_interval(Estimate(0.1, 0.1, 9.0), 95)


@pytest.mark.parametrize(("value", "expected"), [(0.0, (0.0, 0.3)), (1.0, (0.7, 1.0))])
def test_at_an_end_of_the_range_the_interval_lies_within_it(value, expected):
    reach = 0.3 / scipy.stats.t.ppf(0.975, 9)
    interval = jackknife_interval(Estimate(value, reach, 9.0), 0.95, lowest=0.0, highest=1.0)
    assert (interval.low, interval.high) == pytest.approx(expected)
