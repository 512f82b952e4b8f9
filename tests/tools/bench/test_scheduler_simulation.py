"""The simulation of many workers, against cases that can be worked out by hand."""

import math
from dataclasses import replace

import pytest
from tools.bench.scheduler_simulation import Load, simulate

# A second for each of a hundred partitions, and nothing else.
PLAIN = Load(
    segments=1000,
    workers=1,
    rows=10,
    segment_seconds=0.1,
    spread=0.0,
    stragglers=0.0,
    task_seconds=0.0,
    driver_segment_seconds=0.0,
)


@pytest.mark.parametrize(("workers", "seconds"), [(1, 100), (4, 25), (100, 1), (1000, 1)])
def test_partitions_of_one_length_are_done_side_by_side(workers, seconds):
    found = simulate(replace(PLAIN, workers=workers))
    assert found.seconds == pytest.approx(seconds)
    assert found.efficiency == pytest.approx(100 / (workers * seconds))


def test_a_driver_that_needs_more_time_than_the_workers_sets_the_pace():
    found = simulate(replace(PLAIN, workers=50, driver_segment_seconds=0.1))
    assert found.seconds == pytest.approx(1 + 100)
    assert found.driver_share == pytest.approx(100 / 101)


def test_a_scheduler_that_needs_more_time_than_the_workers_sets_the_pace():
    assert simulate(replace(PLAIN, workers=100, task_seconds=0.5)).seconds == pytest.approx(100 * 0.5 + 1)


def test_workers_that_die_cost_time_and_no_partition():
    calm, deadly = (simulate(replace(PLAIN, workers=4, lifetime=lifetime, restart=2.0)) for lifetime in (math.inf, 5.0))
    assert (calm.repeated, deadly.repeated > 0) == (0, True)
    assert deadly.seconds > calm.seconds
    assert deadly.efficiency * deadly.seconds == pytest.approx(calm.efficiency * calm.seconds)


def test_results_wait_for_a_straggler_but_no_more_of_them_than_are_handed_out_meanwhile():
    found = simulate(replace(PLAIN, workers=10, stragglers=0.05, slowness=20.0))
    assert 0 < found.most_waiting < 100
    assert found.efficiency < 1


def test_the_same_seed_gives_the_same_outcome():
    load = replace(PLAIN, spread=0.5, lifetime=20.0, workers=3)
    assert simulate(load, seed=5) == simulate(load, seed=5) != simulate(load, seed=6)
