import numpy as np
import pytest

from misread.errors import LengthMismatchError, UndefinedResultError
from misread.stats.bootstrap.resampling import two_way_bootstrap_sums

WRITERS, PAGES = (codes.ravel() for codes in np.indices((12, 15)))


def rates(errors, **given):
    counts = np.column_stack([errors, np.full(len(errors), 100)])
    sums = two_way_bootstrap_sums(counts, WRITERS, PAGES, resamples=20_000, seed=1, **given)
    return sums[:, 0] / sums[:, 1]


@pytest.mark.parametrize(("kind", "number"), [(WRITERS, 12), (PAGES, 15)])
def test_where_one_kind_alone_varies_the_spread_is_that_of_its_clusters(kind, number):
    of_cluster = np.random.default_rng(1).integers(0, 40, size=number)
    assert rates(of_cluster[kind]).std() == pytest.approx(of_cluster.std() / 100 / np.sqrt(number), rel=0.03)


def test_where_both_vary_their_variances_add_up():
    rng = np.random.default_rng(1)
    of_writer, of_page = rng.integers(0, 20, size=12), rng.integers(0, 20, size=15)
    expected = np.sqrt(of_writer.var() / 12 + of_page.var() / 15) / 100
    assert rates(of_writer[WRITERS] + of_page[PAGES]).std() == pytest.approx(expected, rel=0.03)


def test_segments_of_one_cell_stay_together_and_their_order_does_not_matter():
    counts = np.random.default_rng(1).integers(0, 9, size=(180, 2))
    order = np.random.default_rng(2).permutation(180)
    kinds = (WRITERS // 3, PAGES // 5)
    first = two_way_bootstrap_sums(counts, *kinds, resamples=99, seed=1)
    moved = two_way_bootstrap_sums(counts[order], *(kind[order] for kind in kinds), resamples=99, seed=1)
    assert np.array_equal(first, moved)


def test_one_cluster_of_either_kind_is_refused():
    counts, one = np.ones((180, 1), dtype=np.int64), np.zeros(180, dtype=np.int64)
    with pytest.raises(UndefinedResultError, match="clusters of the second kind"):
        two_way_bootstrap_sums(counts, WRITERS, one, resamples=9, seed=1)
    with pytest.raises(UndefinedResultError, match="clusters of the first kind"):
        two_way_bootstrap_sums(counts, one, PAGES, resamples=9, seed=1)


def test_codes_of_another_number_are_refused():
    with pytest.raises(LengthMismatchError, match="2 segments have counts"):
        two_way_bootstrap_sums(np.ones((2, 1), dtype=np.int64), WRITERS, PAGES, resamples=9, seed=1)
