"""What holds for every executor: order, errors, and results that are the same everywhere."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from tests.execution.tasks import fail_for_odd, square, square_slowly

from misread.errors import ConfigurationError
from misread.execution import Dask, Local
from misread.execution.executor import results_in_order

pytestmark = pytest.mark.process


@pytest.fixture(params=["local", 1, 2, 8], ids=["local", "one worker", "two workers", "eight workers"])
def executor(request, schedulers):
    return Local() if request.param == "local" else Dask(scheduler=schedulers(request.param))


def test_results_come_in_the_order_of_the_tasks(executor):
    with executor:
        assert [result for result, _ in executor.map(square_slowly, range(10))] == [n * n for n in range(10)]


def test_every_result_is_told_of_once_as_it_comes(executor):
    told = []
    with executor:
        assert list(executor.map(square, range(7), on_result=told.append)) == [n * n for n in range(7)]
    assert sorted(told) == [n * n for n in range(7)]


def test_the_error_of_the_first_task_that_has_one_is_raised_after_the_results_before_it(executor):
    with executor:
        results = executor.map(fail_for_odd, [0, 2, 3, 5, 7])
        assert [next(results), next(results)] == [0, 2]
        with pytest.raises(ValueError, match="3 is odd"):
            next(results)


@pytest.mark.parametrize("tasks", [[], [3]])
def test_there_may_be_no_task_and_a_single_one(executor, tasks):
    with executor:
        assert list(executor.map(square, tasks)) == [n * n for n in tasks]


def test_few_tasks_are_taken_ahead_of_their_turn():
    taken = []

    def tasks():
        for number in range(100):
            taken.append(number)
            yield number

    with ThreadPoolExecutor(1) as pool:
        results = results_in_order(partial(pool.submit, square), tasks(), ahead=3, on_result=lambda _: None)
        assert next(results) == 0
        assert len(taken) <= 6
        assert list(results) == [n * n for n in range(1, 100)]


@pytest.mark.parametrize("kind", [Local, Dask])
@pytest.mark.parametrize("workers", [0, -1])
def test_fewer_than_one_worker_is_refused(kind, workers):
    with pytest.raises(ConfigurationError, match=rf"executor\.workers is {workers}, expected 1 or more"):
        kind(workers)


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan")])
def test_a_time_that_is_not_above_zero_is_refused(timeout):
    with pytest.raises(ConfigurationError, match=rf"executor\.timeout is {timeout}, expected seconds above 0"):
        Local(timeout=timeout)
