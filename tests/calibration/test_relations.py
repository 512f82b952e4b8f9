from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest
from calibration.relations import CLUSTERED, RELATIONS, THREADS, threads, threads_change_nothing

from misread.compiled import threads as compiled_threads


@pytest.fixture
def sample():
    return CLUSTERED.draw(np.random.default_rng(1))


class Pool:
    """Threads that note how many ranges they were given, and may forget the last one."""

    def __init__(self, threads, given, *, forgets=False):
        self.pool, self.threads, self.given, self.forgets = ThreadPoolExecutor(threads), threads, given, forgets

    def map(self, call, firsts, lasts):
        self.given.append((self.threads, len(firsts)))
        until = len(firsts) - self.forgets
        with self.pool as pool:
            return list(pool.map(call, firsts[:until], lasts[:until]))


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.words)
def test_relations_hold(relation):
    assert relation.check()


def test_every_way_to_draw_is_tried_with_several_threads(monkeypatch, sample):
    given = []
    monkeypatch.setattr(compiled_threads, "_pool", lambda number: Pool(number, given))
    assert threads_change_nothing(sample)
    ways = 4
    assert [number for number, _ in given] == [number for number in THREADS if number > 1] * ways
    assert min(ranges for _, ranges in given) > 1


def test_threads_that_change_a_draw_are_noticed(monkeypatch, sample):
    monkeypatch.setattr(compiled_threads, "_pool", lambda number: Pool(number, [], forgets=True))
    assert not threads_change_nothing(sample)


def test_the_number_of_threads_is_as_before_afterwards():
    before = numba.config.NUMBA_NUM_THREADS
    with threads(7):
        during = numba.config.NUMBA_NUM_THREADS
    assert (during, before) == (7, numba.config.NUMBA_NUM_THREADS)
