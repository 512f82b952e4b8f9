import numpy as np
import pytest
import scipy.stats

from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats.bootstrap.intervals import (
    acceleration,
    basic_interval,
    bca_interval,
    bootstrap_interval,
    percentile_interval,
)
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


METHODS = {
    "percentile": lambda _, replicates, confidence: percentile_interval(replicates, confidence),
    "basic": basic_interval,
    "bca": lambda observed, replicates, confidence: bca_interval(observed, replicates, replicates, confidence),
}


@pytest.mark.parametrize("method", METHODS)
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
    method, replicates, confidence, error, message
):
    with pytest.raises(error, match=message):
        METHODS[method](0.1, np.array(replicates), confidence)


def sample(units=40, seed=3):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(4, 23, size=units)
    return np.column_stack([rng.binomial(lengths, rng.beta(1, 6, size=units)), lengths])


def rate(counts):
    return counts[..., 0] / counts[..., 1]


def drawn(counts, resamples=2000, seed=1):
    """Observed rate, replicates and jackknife of a ratio of sums."""
    total = counts.sum(axis=0)
    return float(rate(total)), rate(bootstrap_sums(counts, resamples=resamples, seed=seed)), rate(total - counts)


def of_scipy(counts, method, confidence=0.95, resamples=2000):
    return scipy.stats.bootstrap(
        (counts[:, 0], counts[:, 1]),
        lambda errors, lengths, axis: errors.sum(axis=axis) / lengths.sum(axis=axis),
        paired=True,
        vectorized=True,
        method=method,
        confidence_level=confidence,
        n_resamples=resamples,
        rng=np.random.default_rng(5),
    )


@pytest.mark.parametrize("units", [5, 40, 200])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("method", "theirs"), [("basic", "basic"), ("bca", "BCa"), ("percentile", "percentile")])
def test_from_the_same_replicates_the_interval_is_that_of_scipy(units, confidence, method, theirs):
    counts = sample(units)
    oracle = of_scipy(counts, theirs, confidence)
    observed, _, leave_one_out = drawn(counts)
    replicates = oracle.bootstrap_distribution
    interval = bootstrap_interval(method, observed, replicates, leave_one_out, confidence=confidence)
    expected = oracle.confidence_interval
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), rel=1e-9)
    assert (interval.method, interval.confidence) == (method, confidence)


@pytest.mark.parametrize(("method", "key"), [("basic", "basic"), ("bca", "BCa")])
def test_the_interval_of_a_mean_by_other_methods_is_the_one_printed_by_r(mean_of_r, method, key):
    halves = np.array([round(value * 10) for value in mean_of_r["x"]])
    interval = bootstrap_interval(
        method, *drawn(np.column_stack([halves, np.full(len(halves), 10)]), 200_000), confidence=0.95
    )
    assert (interval.low, interval.high) == pytest.approx(mean_of_r[key], abs=0.005 * 84)


@pytest.mark.parametrize("value", [0.0, 1.0, 1 / 3])
def test_without_variation_no_method_has_width_or_nan(value):
    same = np.full(50, value)
    for method in ("percentile", "basic", "bca"):
        interval = bootstrap_interval(method, value, same, same[:5], confidence=0.95)
        assert (interval.low, interval.high) == pytest.approx((value, value))
        assert interval.is_degenerate


@pytest.mark.parametrize("observed", [-5.0, 5.0])
def test_replicates_on_one_side_of_the_observed_value_still_give_an_interval(observed):
    interval = bca_interval(observed, np.linspace(-1.0, 1.0, 99), np.array([0.1, 0.2, 0.9]), 0.95)
    assert -1.0 <= interval.low <= interval.high <= 1.0


@pytest.mark.parametrize("confidence", [0.95, 0.999999999])
def test_extreme_skewness_still_gives_an_interval(confidence):
    leave_one_out = np.array([0.0, *[1.0] * 10_000])
    interval = bca_interval(0.9, np.linspace(0.0, 1.0, 999), leave_one_out, confidence)
    assert 0.0 <= interval.low <= interval.high <= 1.0


def test_a_jackknife_without_a_score_leaves_the_bias_correction():
    replicates = np.linspace(0.0, 1.0, 999)
    undefined = bca_interval(0.4, replicates, np.array([0.1, np.nan, 0.9]), 0.95)
    assert undefined == bca_interval(0.4, replicates, np.array([0.5, 0.5, 0.5]), 0.95)


@pytest.mark.parametrize("method", ["basic", "bca"])
def test_an_observed_value_that_is_none_is_refused(method):
    with pytest.raises(UndefinedResultError, match="observed value is nan"):
        METHODS[method](np.nan, np.array([0.1, 0.2]), 0.95)


def test_the_acceleration_is_that_of_the_definition_and_zero_without_variation():
    leave_one_out = np.array([0.10, 0.10, 0.10, 0.06])
    influence = leave_one_out.mean() - leave_one_out
    skewness = scipy.stats.skew(influence)
    assert acceleration(leave_one_out) == pytest.approx(skewness / 6 / np.sqrt(4))
    assert acceleration(np.full(4, 0.1)) == 0
