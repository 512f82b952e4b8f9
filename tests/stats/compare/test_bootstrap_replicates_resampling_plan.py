from dataclasses import replace

import numpy as np
import pytest

from misread.data.segment_table import SegmentKeys
from misread.errors import UnknownNameError
from misread.stats import StatisticsSettings
from misread.stats.bootstrap.resampling import bootstrap_sums, cluster_rows, two_way_bootstrap_sums
from misread.stats.compare.bootstrap_replicates import (
    MOST_DRAWN_UNITS,
    draw_sums,
    draws_normal_sums,
    reason_not_to_draw,
)
from misread.stats.compare.shared_segments import SharedSegments

ERRORS = np.random.default_rng(1).integers(0, 9, size=(60, 2))
PAGES = [f"p{row % 12:02}" for row in range(60)]
GROUPS_OF = {"ink": ["black", "red"] * 30, "writer": [f"w{row // 12}" for row in range(60)], "one": ["x"] * 60}


def shared(clusters=True, rows=60):
    keys = SegmentKeys([f"s{row:02}" for row in range(rows)], PAGES[:rows] if clusters else None, GROUPS_OF)
    codes = np.unique(PAGES[:rows], return_inverse=True)[1].astype(np.int64) if clusters else None
    return SharedSegments(keys, {}, codes, "page" if clusters else "", 0)


def settings(**changes):
    return StatisticsSettings(seed=1, resamples=50, **changes)


def codes(column):
    return np.unique(GROUPS_OF[column], return_inverse=True)[1]


def test_clusters_are_drawn_whole_where_there_are_any():
    expected = bootstrap_sums(cluster_rows(ERRORS, shared().cluster_codes), resamples=50, seed=1)
    of_units = cluster_rows(ERRORS, shared().cluster_codes)
    assert np.array_equal(draw_sums(of_units, shared(), settings()), expected)


def test_a_second_kind_of_cluster_crosses_the_first():
    expected = two_way_bootstrap_sums(ERRORS, shared().cluster_codes, codes("writer"), resamples=50, seed=1)
    assert np.array_equal(draw_sums(ERRORS, shared(), settings(second_cluster="writer")), expected)


def test_without_clusters_the_second_kind_crosses_segments():
    expected = two_way_bootstrap_sums(ERRORS, np.arange(60), codes("writer"), resamples=50, seed=1)
    assert np.array_equal(draw_sums(ERRORS, shared(clusters=False), settings(second_cluster="writer")), expected)


def test_a_column_that_is_not_there_lists_those_that_are():
    with pytest.raises(UnknownNameError, match=r"'inks' in second_cluster\. Did you mean 'ink'"):
        draw_sums(ERRORS, shared(), settings(second_cluster="inks"))


@pytest.mark.parametrize(("changes", "reason"), [({}, ""), ({"second_cluster": "one"}, "There is only 1 one")])
def test_too_few_units_have_a_reason(changes, reason):
    assert reason_not_to_draw(shared(), settings(**changes)).startswith(reason)
    assert bool(reason_not_to_draw(shared(), settings(**changes))) == bool(reason)


@pytest.fixture(scope="module")
def many():
    rows = MOST_DRAWN_UNITS + 1
    keys = SegmentKeys([f"s{row:06}" for row in range(rows)], None, {})
    rng = np.random.default_rng(1)
    lengths = rng.integers(20, 80, size=rows)
    return SharedSegments(keys, {}, None, "", 0), np.column_stack([rng.binomial(lengths, 0.1), lengths])


def test_sums_of_very_many_units_are_normal_with_the_mean_and_covariance_of_drawn_ones(many):
    shared_units, counts = many
    sums = draw_sums(counts, shared_units, replace(settings(), resamples=100_000))
    assert draws_normal_sums(shared_units, settings())
    expected = len(counts) * np.cov(counts.T, bias=True)
    assert sums.mean(axis=0) == pytest.approx(counts.sum(axis=0), rel=1e-4)
    assert np.cov(sums.T) == pytest.approx(expected, rel=0.03)
    rate = counts[:, 0].sum() / counts[:, 1].sum()
    deviation = np.sqrt(np.sum((counts[:, 0] - rate * counts[:, 1]) ** 2)) / counts[:, 1].sum()
    assert (sums[:, 0] / sums[:, 1]).std() == pytest.approx(deviation, rel=0.01)


def test_they_do_not_depend_on_the_order_of_the_units(many):
    shared_units, counts = many
    reordered = counts[np.argsort(counts[:, 0] / counts[:, 1])]
    assert np.array_equal(draw_sums(counts, shared_units, settings()), draw_sums(reordered, shared_units, settings()))


def test_the_units_themselves_are_drawn_up_to_a_limit(many):
    shared_units, counts = many
    at_the_limit = SharedSegments(shared_units.keys.take(range(MOST_DRAWN_UNITS)), {}, None, "", 0)
    assert not draws_normal_sums(at_the_limit, settings())
    expected = bootstrap_sums(counts[:-1], resamples=50, seed=1)
    assert np.array_equal(draw_sums(counts[:-1], at_the_limit, settings()), expected)
