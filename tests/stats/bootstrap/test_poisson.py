import numpy as np
import pytest

from misread.errors import LengthMismatchError
from misread.stats.bootstrap.resampling import bootstrap_sums, hash_ids, poisson_bootstrap_sums

DRAWN = np.random.default_rng(8)
LENGTHS = DRAWN.integers(4, 60, size=90)
COUNTS = np.column_stack([DRAWN.binomial(LENGTHS, 0.1), LENGTHS])
IDS = [f"s{row}" for row in range(90)]


def test_parts_add_up_to_the_whole_wherever_the_cuts_are():
    whole = poisson_bootstrap_sums(COUNTS, IDS, resamples=99, seed=1)
    order = np.random.default_rng(1).permutation(90)
    parts = [
        poisson_bootstrap_sums(COUNTS[rows], [IDS[row] for row in rows], resamples=99, seed=1)
        for rows in np.split(order, [0, 7, 50])
    ]
    assert np.array_equal(sum(parts), whole)


def test_a_cluster_that_lies_in_two_parts_has_one_weight():
    pages = [f"p{row % 9}" for row in range(90)]
    summed = np.array([COUNTS[page::9].sum(axis=0) for page in range(9)])
    by_segment = poisson_bootstrap_sums(COUNTS, pages, resamples=99, seed=1)
    assert np.array_equal(by_segment, poisson_bootstrap_sums(summed, pages[:9], resamples=99, seed=1))


def test_the_spread_of_a_rate_is_that_of_drawing_with_replacement():
    ours, theirs = (
        sums[:, 0] / sums[:, 1]
        for sums in (
            poisson_bootstrap_sums(COUNTS, IDS, resamples=20_000, seed=1),
            bootstrap_sums(COUNTS, resamples=20_000, seed=1),
        )
    )
    assert ours.std() == pytest.approx(theirs.std(), rel=0.04)
    assert ours.mean() == pytest.approx(theirs.mean(), abs=0.05 * theirs.std())


def test_other_seeds_give_other_weights():
    first, second = (poisson_bootstrap_sums(COUNTS, IDS, resamples=9, seed=seed) for seed in (1, 2))
    assert not np.array_equal(first, second)


def test_a_part_without_segments_adds_nothing():
    assert not poisson_bootstrap_sums(COUNTS[:0], [], resamples=9, seed=1).any()


def test_the_hash_of_an_id_is_the_published_one():
    # RFC 7693 with 8 bytes of output, by an independent implementation (b2sum -l 64).
    assert hex(int(hash_ids(["abc"])[0].byteswap())) == "0xd8bb14d833d59559"


def test_ids_of_another_number_are_refused():
    with pytest.raises(LengthMismatchError, match="90 segments have counts, but 1 have the id"):
        poisson_bootstrap_sums(COUNTS, ["a"], resamples=9, seed=1)
