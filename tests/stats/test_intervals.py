import json

import numpy as np
import pytest

from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats.intervals import percentile_interval
from misread.stats.resampling import bootstrap_sums


@pytest.fixture
def published(shared_data):
    return json.loads((shared_data / "statistics" / "bootstrap_cases.json").read_text(encoding="utf-8"))


def test_quantiles_are_interpolated_linearly():
    interval = percentile_interval(np.array([4.0, 0.0, 1.0, 2.0, 3.0]), 0.95)
    assert (interval.low, interval.high) == pytest.approx((0.1, 3.9))
    assert (interval.confidence, interval.method) == (0.95, "percentile")


def test_the_same_share_is_left_out_on_either_side():
    interval = percentile_interval(np.arange(1001.0), 0.80)
    assert (interval.low, interval.high) == pytest.approx((100.0, 900.0))


def test_the_interval_of_a_mean_is_the_one_printed_by_r(published):
    case = published["boot_R"]
    halves = np.array([round(value * 10) for value in case["x"]])
    counts = np.column_stack([halves, np.full(len(halves), 10)])
    sums = bootstrap_sums(counts, resamples=200_000, seed=1)
    interval = percentile_interval(sums[:, 0] / sums[:, 1], 0.95)
    assert (interval.low, interval.high) == pytest.approx(case["percentile"], rel=0.005)


def test_the_interval_of_a_rate_is_the_enumerated_one(published):
    case = published["exact_enumeration_n6"]
    sums = bootstrap_sums(np.array(case["A_err_len"]), resamples=100_000, seed=1)
    rates = sums[:, 0] / sums[:, 1]
    interval = percentile_interval(rates, 0.95)
    assert (interval.low, interval.high) == pytest.approx(case["pct95_A"], abs=2e-4)
    assert rates.std() == pytest.approx(case["se_A"], rel=4 / np.sqrt(2 * len(rates)))


def test_a_wider_confidence_gives_a_wider_interval():
    replicates = np.random.default_rng(1).normal(size=500)
    narrow, wide = percentile_interval(replicates, 0.90), percentile_interval(replicates, 0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_order_of_replicates_does_not_matter():
    replicates = np.random.default_rng(1).normal(size=500)
    assert percentile_interval(replicates, 0.9) == percentile_interval(replicates[::-1].copy(), 0.9)


def test_replicates_without_variation_give_a_degenerate_interval(published):
    errors = np.array(published["degenerate"]["all_correct"]["err"])
    sums = bootstrap_sums(np.column_stack([errors, np.full(len(errors), 30)]), resamples=100, seed=1)
    interval = percentile_interval(sums[:, 0] / sums[:, 1], 0.95)
    assert (interval.low, interval.high) == (0.0, 0.0)
    assert interval.is_degenerate


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_replicates_without_a_score_are_counted_and_refused(bad):
    replicates = np.array([0.1, bad, 0.2, bad])
    with pytest.raises(UndefinedResultError, match="2 of 4 bootstrap samples have no finite score"):
        percentile_interval(replicates, 0.95)


def test_no_replicates_are_refused():
    with pytest.raises(UndefinedResultError, match="no bootstrap replicates"):
        percentile_interval(np.array([]), 0.95)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, float("nan")])
def test_a_confidence_outside_zero_to_one_is_refused(confidence):
    with pytest.raises(ConfigurationError, match="confidence"):
        percentile_interval(np.array([0.1, 0.2]), confidence)
