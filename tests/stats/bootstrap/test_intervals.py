import numpy as np
import pytest
import scipy.stats

from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats.bootstrap.intervals import percentile_interval
from misread.stats.bootstrap.jackknife import acceleration
from misread.stats.bootstrap.resampling import bootstrap_sums


@pytest.fixture
def mean_of_r(published_numbers):
    return published_numbers["bootstrap"]["mean"]


def test_quantiles_are_interpolated_linearly():
    interval = percentile_interval(np.array([4.0, 0.0, 1.0, 2.0, 3.0]), 0.95)
    assert (interval.low, interval.high) == pytest.approx((0.1, 3.9))
    assert (interval.confidence, interval.method) == (0.95, "percentile")


def test_the_interval_of_a_mean_is_the_one_printed_by_r(mean_of_r):
    halves = np.array([round(value * 10) for value in mean_of_r["x"]])
    counts = np.column_stack([halves, np.full(len(halves), 10)])
    sums = bootstrap_sums(counts, resamples=200_000, seed=1)
    interval = percentile_interval(sums[:, 0] / sums[:, 1], 0.95)
    assert (interval.low, interval.high) == pytest.approx(mean_of_r["percentile"], rel=0.005)


def test_the_interval_of_a_rate_is_the_enumerated_one(published_numbers):
    case = published_numbers["bootstrap"]["enumerated"]
    sums = bootstrap_sums(np.array(case["A_err_len"]), resamples=100_000, seed=1)
    rates = sums[:, 0] / sums[:, 1]
    interval = percentile_interval(rates, 0.95)
    assert (interval.low, interval.high) == pytest.approx(case["pct95_A"], abs=2e-4)
    assert rates.std() == pytest.approx(case["se_A"], rel=4 / np.sqrt(2 * len(rates)))


@pytest.mark.parametrize(
    ("replicates", "confidence", "error", "message"),
    [
        *(
            ([0.1, bad, 0.2, bad], 0.95, UndefinedResultError, "2 of 4 bootstrap samples have no finite score")
            for bad in (np.nan, np.inf)
        ),
        ([], 0.95, UndefinedResultError, "no bootstrap replicates"),
        *(([0.1, 0.2], confidence, ConfigurationError, "confidence") for confidence in (0.0, 1.0, 95.0, np.nan)),
    ],
)
def test_replicates_without_a_score_and_a_confidence_outside_zero_to_one_are_refused(
    replicates, confidence, error, message
):
    with pytest.raises(error, match=message):
        percentile_interval(np.array(replicates), confidence)


def sample(units=40, seed=3):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(4, 23, size=units)
    return np.column_stack([rng.binomial(lengths, rng.beta(1, 6, size=units)), lengths])


def of_scipy(counts, confidence):
    return scipy.stats.bootstrap(
        (counts[:, 0], counts[:, 1]),
        lambda errors, lengths, axis: errors.sum(axis=axis) / lengths.sum(axis=axis),
        paired=True,
        vectorized=True,
        method="percentile",
        confidence_level=confidence,
        n_resamples=2000,
        rng=np.random.default_rng(5),
    )


@pytest.mark.parametrize("units", [5, 40, 200])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_from_the_same_replicates_the_interval_is_that_of_scipy(units, confidence):
    oracle = of_scipy(sample(units), confidence)
    interval = percentile_interval(oracle.bootstrap_distribution, confidence)
    expected = oracle.confidence_interval
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), rel=1e-9)
    assert (interval.method, interval.confidence) == ("percentile", confidence)


@pytest.mark.parametrize("value", [0.0, 1.0, 1 / 3])
def test_without_variation_there_is_no_width(value):
    interval = percentile_interval(np.full(50, value), 0.95)
    assert (interval.low, interval.high) == pytest.approx((value, value))
    assert interval.is_degenerate


def test_the_acceleration_is_that_of_the_definition_and_zero_without_variation():
    leave_one_out = np.array([0.10, 0.10, 0.10, 0.06])
    influence = leave_one_out.mean() - leave_one_out
    skewness = scipy.stats.skew(influence)
    assert acceleration(leave_one_out) == pytest.approx(skewness / 6 / np.sqrt(4))
    assert acceleration(np.full(4, 0.1)) == 0
