import numpy as np
import pytest

from misread.data.segment_table import SegmentKeys
from misread.stats.bootstrap.resampling import normal_sums
from misread.stats.compare.bootstrap_replicates import MOST_DRAWN_UNITS, draws_normal_sums, reason_not_to_draw
from misread.stats.compare.shared_segments import SharedSegments


def shared(rows, clusters=None):
    codes = None if clusters is None else np.zeros(rows, np.int64) + np.arange(rows) % clusters
    keys = SegmentKeys([f"s{row:06}" for row in range(rows)], None, {})
    return SharedSegments(keys, {}, codes, "" if clusters is None else "page", 0)


@pytest.mark.parametrize(
    ("units", "reason"),
    [
        (shared(2), ""),
        (shared(1), "There is only 1 segment: the variation between segments cannot be estimated."),
        (shared(9, clusters=1), "There is only 1 page: the variation between pages cannot be estimated."),
    ],
)
def test_too_few_units_have_a_reason(units, reason):
    assert reason_not_to_draw(units) == reason


def test_the_units_themselves_are_drawn_up_to_a_limit():
    limits = (shared(MOST_DRAWN_UNITS), shared(MOST_DRAWN_UNITS + 1), shared(MOST_DRAWN_UNITS + 1, clusters=9))
    assert [draws_normal_sums(units) for units in limits] == [False, True, False]


def test_normal_sums_have_the_moments_of_drawn_ones_and_do_not_depend_on_the_order_of_the_units():
    rng = np.random.default_rng(1)
    lengths = rng.integers(20, 80, size=MOST_DRAWN_UNITS + 1)
    counts = np.column_stack([rng.binomial(lengths, 0.1), lengths])
    sums = normal_sums(counts, resamples=100_000, seed=1)
    assert sums.mean(axis=0) == pytest.approx(counts.sum(axis=0), rel=1e-4)
    assert np.cov(sums.T) == pytest.approx(len(counts) * np.cov(counts.T, bias=True), rel=0.03)
    rate = counts[:, 0].sum() / counts[:, 1].sum()
    deviation = np.sqrt(np.sum((counts[:, 0] - rate * counts[:, 1]) ** 2)) / counts[:, 1].sum()
    assert (sums[:, 0] / sums[:, 1]).std() == pytest.approx(deviation, rel=0.01)
    reordered = counts[np.argsort(counts[:, 0] / counts[:, 1])]
    assert np.array_equal(*(normal_sums(rows, resamples=50, seed=1) for rows in (counts, reordered)))
