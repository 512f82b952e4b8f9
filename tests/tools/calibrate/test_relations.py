import numpy as np
import pytest
from tools.calibrate.relations import CLUSTERED, RELATIONS, THREADS, check, threads_change_nothing

from misread.compiled import threads as compiled_threads


@pytest.fixture
def sample():
    return CLUSTERED.draw(np.random.default_rng(1))


@pytest.mark.parametrize("relation", RELATIONS)
def test_relations_hold(relation):
    assert check(RELATIONS[relation])


def test_every_way_to_draw_is_tried_with_several_threads(monkeypatch, sample):
    asked, pool = [], compiled_threads._pool
    monkeypatch.setattr(compiled_threads, "_pool", lambda number: asked.append(number) or pool(number))
    assert threads_change_nothing(sample)
    ways = 3
    # The thread that asks works, too.
    assert asked == [number for number in THREADS for _ in range(number - 1)] * ways


def test_threads_that_change_a_draw_are_noticed(monkeypatch, sample):
    monkeypatch.setattr(compiled_threads, "iter", lambda ranges: iter(ranges[:-1]), raising=False)
    assert not threads_change_nothing(sample)
