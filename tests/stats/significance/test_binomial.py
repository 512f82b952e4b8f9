import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from misread.stats.significance.binomial import binomial_tail, clopper_pearson


@given(trials=st.integers(1, 10**7), share=st.floats(0, 1), probability=st.floats(0.001, 0.999))
def test_the_tail_is_that_of_scipy(trials, share, probability):
    least = round(share * trials)
    expected = scipy.stats.binom.sf(least - 1, trials, probability)
    assert binomial_tail(least, trials, probability) == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_no_success_is_certain_and_more_than_all_trials_are_impossible():
    assert [binomial_tail(least, 3, 0.5) for least in (-1, 0, 1, 3, 4)] == [1.0, 1.0, 0.875, 0.125, 0.0]


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (3, 10), (10, 10), (499, 1000), (2, 10**6)])
@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_the_interval_is_that_of_scipy(successes, trials, confidence):
    expected = scipy.stats.binomtest(successes, trials).proportion_ci(confidence, method="exact")
    assert clopper_pearson(successes, trials, confidence) == pytest.approx((expected.low, expected.high), rel=1e-12)
