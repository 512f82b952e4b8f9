from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.made_results import share_errors

from misread.data.segment_table import SegmentKeys
from misread.sockets import METRICS
from misread.stats.bootstrap.intervals import IntervalMethod
from misread.stats.bootstrap.jackknife import degrees_of_freedom
from misread.stats.compare.bootstrap_replicates import draw_replicates
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.tally.scores import Counts

SETTINGS = StatisticsSettings(seed=1, resamples=500)
METRIC = [METRICS["cer"]]


def shared(lengths, errors=None, clusters=None):
    errors = np.ones(len(lengths)) if errors is None else errors
    return share_errors({"a": errors, "b": errors}, lengths, clusters)


def draw(*args, **settings):
    return draw_replicates(shared(*args, **settings), METRIC, SETTINGS)["cer"]


def test_systems_share_the_draws():
    rates = draw([10, 20, 30], errors=[1, 5, 9]).rates
    assert np.array_equal(rates["a"], rates["b"])


@pytest.mark.parametrize(
    ("clusters", "unit", "n"), [(None, "segment", 4), ([0, 0, 1, 1], "page", 2)], ids=["segments", "pages"]
)
def test_what_was_drawn_and_how_many_is_told(clusters, unit, n):
    found = draw([10] * 4, clusters=clusters)
    assert (found.shared.resampling_unit, found.shared.units, found.reason) == (unit, n, "")


def test_leaving_out_each_unit_gives_the_rate_of_the_others():
    drawn = draw([10, 20, 30], errors=[1, 5, 9])
    assert drawn.observed["a"] == 15 / 60
    assert drawn.leave_one_out["a"].tolist() == [14 / 50, 10 / 40, 6 / 30]


def test_clusters_are_left_out_whole():
    found = draw([10, 10, 20, 20], errors=[1, 5, 9, 3], clusters=[0, 1, 1, 0])
    assert found.leave_one_out["a"].tolist() == [14 / 30, 4 / 30]


@pytest.mark.parametrize("method", get_args(IntervalMethod))
def test_a_difference_to_itself_has_an_interval_without_width(method):
    drawn = draw([10, 20, 30, 25, 15], errors=[1, 5, 9, 2, 3])
    found = replace(drawn, settings=replace(SETTINGS, interval=method)).interval("b", "a")
    assert (found.low, found.high, found.method) == (0.0, 0.0, method)


def compare_counts(first, second, lengths):
    return draw_replicates(share_errors({"a": first, "b": second}, lengths), METRIC, SETTINGS, only_intervals=True)[
        "cer"
    ]


@pytest.mark.parametrize("units", [2, 3, 4, 30])
def test_differences_have_intervals_from_as_many_units_on_as_rates_do(units):
    drawn = compare_counts([1] * units, [3] * units, [10] * units)
    assert (drawn.interval("b", "a") is None) is (drawn.interval("a") is None) is (units < 4)


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(20, 40)), min_size=5, max_size=12)
    | st.builds(lambda row, units: [row] * units, st.tuples(*[st.integers(0, 40)] * 2, st.just(20)), st.integers(5, 30))
)
def test_no_interval_is_narrower_than_that_of_independent_errors(rows):
    first, second, lengths = (np.array(column) for column in zip(*rows, strict=True))
    drawn = compare_counts(first, second, lengths)
    assume(drawn.interval("b", "a") is not None)
    total, (a, b) = lengths.sum(), (first.sum(), second.sum())
    interval = drawn.interval("b", "a")
    # The binomial one of the errors that one system has more.
    more = abs(b - a) / total
    least = 1.95 * np.sqrt(min(more, 1) * abs(1 - more) / total)
    assert interval.high - drawn.observed["b"] + drawn.observed["a"] >= least
    assert (interval.low < interval.high) == (drawn.estimate("b", "a").error > 0 or a != b)
    for name in "ab":
        rate = drawn.intervals[name]
        assert rate is None or rate.low < rate.high


def test_ten_pages_with_one_error_each_are_no_better_known_than_ten_independent_errors():
    drawn = compare_counts([1] * 10, [1] * 9 + [0], [200] * 10)
    for name, low, high in (("a", 0.0024, 0.0092), ("b", 0.0021, 0.0085)):
        interval = drawn.intervals[name]
        assert (interval.low, interval.high) == pytest.approx((low, high), rel=0.15)


def test_one_unit_whose_rate_is_undefined_says_why():
    reason = draw([0, 0], clusters=[0, 0]).reason
    assert reason.endswith("cannot be estimated. The rate of a, b is undefined: too many references are empty.")


def test_samples_of_empty_references_give_a_reason_in_place_of_intervals():
    found = draw([10, 0, 0])
    assert found.intervals == {}
    assert found.reason.endswith("too many references are empty.")


def test_where_only_intervals_are_asked_for_the_jackknife_draws_nothing():
    of = shared([10, 20, 30], errors=[1, 5, 9])
    found = draw_replicates(of, METRIC, SETTINGS, only_intervals=True)["cer"]
    assert found.rates == {}
    assert found.intervals["a"] == draw([10, 20, 30], errors=[1, 5, 9]).intervals["a"]
    percentile = replace(SETTINGS, interval="percentile")
    assert len(draw_replicates(of, METRIC, percentile, only_intervals=True)["cer"].rates["a"]) == 500


def test_a_unit_that_holds_the_whole_reference_gives_a_reason_without_draws():
    found = draw_replicates(shared([10, 0, 0]), METRIC, SETTINGS, only_intervals=True)["cer"]
    assert found.reason == "The rate is undefined without one segment: too many references are empty."


def test_the_estimate_of_a_rate_is_that_of_its_jackknife():
    errors, lengths = np.array([1, 5, 9, 2]), np.array([10, 20, 30, 15])
    without = (17 - errors) / (75 - lengths)
    found = draw(lengths, errors=errors).estimates["a"]
    assert found.value == 17 / 75
    assert found.error == pytest.approx(np.sqrt(3 / 4 * np.sum((without - without.mean()) ** 2)))
    assert found.freedom == pytest.approx(degrees_of_freedom(errors + lengths))


def test_an_error_rate_may_pass_1_and_a_share_may_not():
    lengths = [10] * 8
    assert draw(lengths, errors=[9, 10, 4, 10, 10, 3, 8, 10]).intervals["a"].high > 1
    of = shared(lengths)
    counts = np.stack([np.eye(1, 8, dtype=np.int64)[0], np.ones(8, np.int64)], axis=-1)
    of = replace(of, counts={"a": {"ser": Counts(METRICS["ser"].columns, counts)}})
    interval = draw_replicates(of, [METRICS["ser"]], SETTINGS)["ser"].intervals["a"]
    assert 0 < interval.low < 1 / 8 < interval.high <= 1


def test_crossed_clusters_leave_the_degrees_of_freedom_of_the_fewer():
    of = shared([10] * 12, errors=list(range(12)))
    of = replace(of, keys=replace(of.keys, groups={"pen": ["a", "b", "c", "d"] * 3}))
    settings = replace(SETTINGS, second_cluster="pen")
    found = draw_replicates(of, METRIC, settings)["cer"]
    estimate = found.estimates["a"]
    assert (estimate.freedom, estimate.method) == (3.0, "standard")
    assert estimate.error == pytest.approx(found.rates["a"].std())


def test_the_error_of_a_score_that_jumps_is_that_of_bootstrap_samples():
    metric = METRICS["review_share"]
    rng = np.random.default_rng(1)
    counts = np.zeros((20, len(metric.columns)), np.int64)
    counts[:, -20::2] = rng.integers(0, 9, (20, 10))
    counts[:, -19::2] = rng.binomial(counts[:, -20::2], 0.2)
    keys = SegmentKeys([f"s{row:02}" for row in range(20)], None, {})
    of = SharedSegments(keys, {"a": {metric.id: Counts(metric.columns, counts)}}, None, "", 0)
    for only_intervals in (True, False):
        found = draw_replicates(of, [metric], SETTINGS, only_intervals=only_intervals)[metric.id]
        estimate = found.estimates["a"]
        assert estimate.error == found.rates["a"].std() > 0
        assert found.intervals["a"].low < estimate.value
