"""Predictions of the rate of what was not checked."""

import math

import numpy as np
import pytest
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
