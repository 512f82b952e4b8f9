"""Predictions of the rate of what was not checked."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import ConfigurationError, UndefinedResultError
from misread.features.planning.prediction import predict_rest
from misread.stats.bootstrap.jackknife import Estimate, jackknife_interval


def rate(counts):
    return counts[..., 0] / counts[..., 1]


def pages(number, seed=1, hardness=0.3):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(100, 300, number)
    errors = rng.binomial(lengths, np.minimum(0.1 * np.exp(rng.normal(0, hardness, number)), 1))
    return np.stack([errors, lengths], axis=-1)


def width(interval):
    return interval.high - interval.low


def test_of_very_many_pages_it_is_the_interval_of_the_rate():
    counts = pages(20)
    without = rate(counts.sum(axis=0) - counts)
    error = math.sqrt(19 / 20 * np.sum((without - without.mean()) ** 2))
    found = predict_rest(counts, rate).interval
    sure = jackknife_interval(Estimate(float(rate(counts.sum(axis=0))), error, 19), 0.95, lowest=0)
    # But for unequal sizes and skewness.
    assert (found.low, found.high) == pytest.approx((sure.low, sure.high), rel=0.03)


def test_a_small_rest_is_less_sure_than_a_large_one_and_all_together_surer_than_either():
    counts = pages(20)
    few, many, endless = (predict_rest(counts, rate, rest=rest) for rest in (5, 500, None))
    assert width(few.interval) > width(many.interval) > width(endless.interval)
    assert width(few.whole) < width(many.whole) < width(endless.interval)
    assert endless.whole is None


@given(st.integers(8, 30), st.integers(0, 50), st.sampled_from([None, 40, 400]), st.floats(0.005, 0.2))
def test_so_many_further_pages_are_enough_and_one_less_is_not(number, seed, rest, target):
    counts = pages(number, seed)
    found = predict_rest(counts, rate, rest=rest, target_width=target)
    if found.further == 0:
        assert width(found.interval) <= target
        return
    assert width(found.interval) > target
    if found.further_whole is not None:
        assert 0 < found.further_whole <= rest or width(found.whole) <= target
    if found.further is not None and rest is not None:
        assert found.further <= rest


def test_the_width_that_is_promised_is_about_the_one_that_is_found():
    promised = predict_rest(pages(40), rate, target_width=0.02).further
    widths = [width(predict_rest(pages(40 + promised, seed), rate).interval) for seed in range(2, 30)]
    assert np.median(widths) == pytest.approx(0.02, rel=0.15)


def test_a_width_of_just_the_interval_needs_no_more_pages():
    counts = pages(12)
    exact = width(predict_rest(counts, rate, rest=100).interval)
    assert predict_rest(counts, rate, rest=100, target_width=exact).further == 0
    assert predict_rest(counts, rate, rest=100, target_width=exact * 0.999).further != 0


def test_all_pages_together_are_known_when_all_are_checked_or_none_varies():
    prediction = predict_rest(pages(12), rate, rest=30, target_width=1e-9)
    assert (prediction.further, prediction.further_whole) == (None, 30)
    prediction = predict_rest(np.array([[1, 10]] * 5), rate, rest=7, target_width=0.001)
    assert (prediction.interval.low, prediction.interval.high, prediction.further) == (0.1, 0.1, 0)


@pytest.mark.parametrize(
    ("counts", "options", "error", "words"),
    [
        (pages(1), {}, UndefinedResultError, "at least 2 checked clusters .*; got 1"),
        (np.array([[1, 10], [0, 0], [0, 0]]), {}, UndefinedResultError, "undefined without one cluster"),
        (pages(5), {"rest": 0}, ConfigurationError, "rest is 0, expected 1 or more"),
        (pages(5), {"target_width": 0.0}, ConfigurationError, "the wanted width is 0.0"),
        (pages(5), {"target_width": math.nan}, ConfigurationError, "the wanted width is nan"),
        (pages(5), {"confidence": 1.0}, ConfigurationError, "confidence is 1.0"),
    ],
)
def test_what_cannot_be_predicted_is_refused(counts, options, error, words):
    with pytest.raises(error, match=words), np.errstate(invalid="ignore", divide="ignore"):
        predict_rest(counts, rate, **options)


def in_strata(checked=(12, 8), seed=1):
    """Pages of two strata, of which the second is three times as hard, and their strata."""
    rng = np.random.default_rng(seed)
    strata = np.repeat(np.arange(len(checked)), checked)
    lengths = rng.integers(100, 300, len(strata))
    chances = np.minimum(np.array([0.05, 0.15])[strata] * np.exp(rng.normal(0, 0.3, len(strata))), 1)
    return np.stack([rng.binomial(lengths, chances), lengths], axis=-1), strata


def test_in_strata_it_is_the_combined_ratio_estimate_of_the_textbook():
    """Cochran (1977), 6.11: sum of N_h mean(e_h) over sum of N_h mean(l_h), with the linearised variance."""
    counts, strata = in_strata()
    rest = np.array([40, 120])
    sums = np.stack([counts[strata == code].mean(axis=0) for code in (0, 1)])
    errors, length = rest @ sums
    variance = 0.0
    for code in (0, 1):
        rows = counts[strata == code]
        residuals = rows[:, 0] - errors / length * rows[:, 1]
        variance += rest[code] ** 2 * residuals.var(ddof=1) * (1 / len(rows) + 1 / rest[code]) / length**2
    found = predict_rest(counts, rate, strata=strata, rest=rest, bounds=(-math.inf, math.inf))
    assert found.rate == pytest.approx(errors / length)
    freedom = scipy.stats.t.ppf(0.975, 8)
    assert width(found.interval) == pytest.approx(2 * freedom * math.sqrt(variance), rel=0.08)
    of_all = (rest + np.array([12, 8])) @ sums
    assert found.whole_rate == pytest.approx(of_all[0] / of_all[1])


def test_strata_sampled_in_proportion_have_the_rate_of_the_sample_and_a_narrower_interval():
    counts, strata = in_strata((15, 15))
    found = predict_rest(counts, rate, strata=strata, rest=[100, 100])
    plain = predict_rest(counts, rate, rest=200)
    assert found.rate == pytest.approx(plain.rate)
    assert width(found.interval) < width(plain.interval)


def test_one_stratum_is_no_stratum():
    counts = pages(20)
    found, plain = (
        predict_rest(counts, rate, rest=rest, strata=strata, target_width=0.03)
        for rest, strata in (([60], np.zeros(20, int)), (60, None))
    )
    assert (found.interval.low, found.interval.high) == pytest.approx((plain.interval.low, plain.interval.high))
    assert (found.whole.low, found.whole.high) == pytest.approx((plain.whole.low, plain.whole.high))
    assert (found.further, found.further_whole) == (plain.further, plain.further_whole)


def test_a_stratum_checked_to_the_last_page_counts_for_all_and_not_for_the_rest():
    counts, strata = in_strata()
    found = predict_rest(counts, rate, strata=strata, rest=[0, 50])
    hard = counts[strata == 1].sum(axis=0)
    assert found.rate == pytest.approx(hard[0] / hard[1])
    assert found.whole_rate < found.rate


@pytest.mark.slow
def test_the_rest_of_strata_is_covered_as_often_as_promised():
    covered = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        counts, strata = in_strata((90, 60), seed)
        checked = np.concatenate([rng.permutation(90)[:15], 90 + rng.permutation(60)[:15]])
        rest = np.delete(counts, checked, axis=0).sum(axis=0)
        found = predict_rest(counts[checked], rate, strata=strata[checked], rest=[75, 45]).interval
        covered += found.low <= rest[0] / rest[1] <= found.high
    assert covered / 400 >= scipy.stats.binom.ppf(0.001, 400, 0.94) / 400


@pytest.mark.parametrize(
    ("rest", "strata", "error", "words"),
    [
        (None, [0, 0, 1, 1, 1], ConfigurationError, "rest is None, expected the number of unchecked clusters per"),
        (9, [0, 0, 1, 1, 1], ConfigurationError, "rest is 9, expected the number of unchecked clusters per stratum"),
        ([9, 9], [0, 1, 1, 1, 1], UndefinedResultError, "in each of 2 strata; there are 1 and 4"),
        ([9], [0, 0, 1, 1, 1], UndefinedResultError, "in each of 1 strata; there are 2 and 3"),
        ([0, 0], [0, 0, 1, 1, 1], ConfigurationError, r"rest is \[0, 0\], expected numbers of 0 or more"),
        ([5, -1], [0, 0, 1, 1, 1], ConfigurationError, r"rest is \[5, -1\], expected numbers of 0 or more"),
    ],
)
def test_strata_that_say_too_little_are_refused(rest, strata, error, words):
    with pytest.raises(error, match=words):
        predict_rest(pages(5), rate, rest=rest, strata=np.array(strata))
