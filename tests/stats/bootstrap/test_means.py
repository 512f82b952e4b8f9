import numpy as np
import pytest
from scipy import stats

from misread.errors import ConfigurationError, UndefinedResultError, UnknownNameError
from misread.stats.bootstrap.means import _resampled_means, bootstrap_ci

EXAMPLE = [0.02, 0.018, 0.023, 0.019, 0.021]


@pytest.mark.parametrize(("interval", "method"), [("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")])
def test_it_agrees_with_scipy(interval, method):
    values = np.random.default_rng(3).gamma(2.0, 0.02, 40)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method=method, rng=5).confidence_interval
    ours = bootstrap_ci(values, interval=interval, resamples=20_000)
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.02 * values.std())


def test_higher_confidence_is_wider_and_the_mean_lies_inside():
    narrow, wide = bootstrap_ci(EXAMPLE, 0.5), bootstrap_ci(EXAMPLE, 0.99)
    assert wide.lower < narrow.lower < np.mean(EXAMPLE) < narrow.upper < wide.upper


def test_a_seed_decides_all_draws_however_many_are_held_at_a_time(monkeypatch):
    whole = _resampled_means(np.array(EXAMPLE), 1000, 7)
    monkeypatch.setattr("misread.stats.bootstrap.means._CELLS", 35)
    assert (_resampled_means(np.array(EXAMPLE), 1000, 7) == whole).all()
    assert bootstrap_ci(EXAMPLE, seed=7) == bootstrap_ci(EXAMPLE, seed=7)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "at least 2 values"),
        ([0.1], "at least 2 values"),
        ([[0.1, 0.2]], "expected a row of numbers"),
        ([0.1, float("nan")], "value 1 is nan"),
    ],
)
def test_values_without_an_interval_are_refused(values, message):
    with pytest.raises(UndefinedResultError, match=message):
        bootstrap_ci(values)


@pytest.mark.parametrize("setting", [{"confidence": 1.5}, {"resamples": 0}, {"seed": -1}, {"interval": "normal"}])
def test_a_setting_out_of_range_is_refused(setting):
    with pytest.raises((ConfigurationError, UnknownNameError), match=next(iter(setting))):
        bootstrap_ci(EXAMPLE, **setting)
