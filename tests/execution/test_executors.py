"""What holds for every executor: order, errors, and results that are the same everywhere."""

import pytest
from tests.execution.tasks import fail_for_odd, square, square_slowly

from misread.errors import ConfigurationError
from misread.execution import Local

pytestmark = pytest.mark.process


def test_results_come_in_the_order_of_the_tasks():
    assert [result for result, _ in Local().map(square_slowly, range(10))] == [n * n for n in range(10)]


def test_every_result_is_told_of_once_as_it_comes():
    told = []
    assert list(Local().map(square, range(7), on_result=told.append)) == [n * n for n in range(7)]
    assert sorted(told) == [n * n for n in range(7)]


def test_the_error_of_the_first_task_that_has_one_is_raised_after_the_results_before_it():
    results = Local().map(fail_for_odd, [0, 2, 3, 5, 7])
    assert [next(results), next(results)] == [0, 2]
    with pytest.raises(ValueError, match="3 is odd"):
        next(results)


@pytest.mark.parametrize("tasks", [[], [3]])
def test_there_may_be_no_task_and_a_single_one(tasks):
    assert list(Local().map(square, tasks)) == [n * n for n in tasks]


def test_few_tasks_are_taken_ahead_of_their_turn(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    taken = []

    def tasks():
        for number in range(40):
            taken.append(number)
            yield number

    results = Local().map(square, tasks())
    assert next(results) == 0
    assert len(taken) <= 10
    assert list(results) == [n * n for n in range(1, 40)]


@pytest.mark.parametrize("workers", [0, -1])
def test_fewer_than_one_worker_is_refused(workers):
    with pytest.raises(ConfigurationError, match=rf"executor\.workers is {workers}, expected 1 or more"):
        Local(workers)


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan")])
def test_a_time_that_is_not_above_zero_is_refused(timeout):
    with pytest.raises(ConfigurationError, match=rf"executor\.timeout is {timeout}, expected seconds above 0"):
        Local(timeout=timeout)
