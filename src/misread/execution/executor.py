"""Executors: many tasks in processes of this machine, or wherever code of a study has them done."""

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

from misread.errors import ConfigurationError

Task = TypeVar("Task")
Result = TypeVar("Result")


def ignore(_: object) -> None:
    """Do nothing with a result."""


class MapTasks(Protocol):
    """`Executor.map`, or a function that does the same in this process."""

    def __call__(
        self, function: Callable[[Task], Result], tasks: Iterable[Task], *, on_result: Callable[[Result], None] = ignore
    ) -> Iterator[Result]:
        """Results in the order of the tasks."""


@dataclass
class Executor(ABC):
    """Calls a function with many tasks and returns the results in the order of the tasks.

    No result depends on the executor or the number of its workers: tasks depend on the data alone, and results are
    joined in the order of the tasks.

    Parameters
    ----------
    workers : int
        How many segments of a capture are read at a time; with one, latencies are measured without interference.
    timeout : float, optional
        Most seconds that a reading may take. A longer one is stopped, and its segment fails. A remote engine has a
        timeout of its own.

    Raises
    ------
    ConfigurationError
        If there are fewer than one worker, or the time is not above 0.
    """

    workers: int = 2
    timeout: float | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ConfigurationError(f"executor.workers is {self.workers}, expected 1 or more.")
        if self.timeout is not None and not self.timeout > 0:
            raise ConfigurationError(f"executor.timeout is {self.timeout}, expected seconds above 0, or null.")

    @abstractmethod
    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task], *, on_result: Callable[[Result], None] = ignore
    ) -> Iterator[Result]:
        """Results of `function(task)`, in the order of the tasks, taking only a few in advance.

        `on_result` is called in this process with each result as it comes, in any order. The function must be
        importable from a module, or a `functools.partial` of such a function. The first error, in the order of the
        tasks, is raised when the tasks before it are done.
        """


@dataclass
class Local(Executor):
    """Runs tasks in processes of this machine, one per processor.

    Parameters
    ----------
    workers : int
        How many segments of a capture are read at a time; with one, latencies are measured without interference.
    timeout : float, optional
        Most seconds that a reading may take. A longer one is stopped, and its segment fails. A remote engine has a
        timeout of its own.

    Examples
    --------
    >>> from misread.execution import Local
    >>> list(Local().map(len, ["one", "three"]))
    [3, 5]
    """

    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task], *, on_result: Callable[[Result], None] = ignore
    ) -> Iterator[Result]:
        waiting = iter(tasks)
        processors = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
        first = list(islice(waiting, processors))
        if len(first) < 2:
            yield from plain_results(function, chain(first, waiting), on_result=on_result)
            return
        # A forked process has everything imported already; elsewhere than on Linux, forking is not safe.
        context = get_context("fork" if sys.platform == "linux" else "spawn")
        pool = ProcessPoolExecutor(len(first), mp_context=context, initializer=_share, initargs=(len(first),))
        with pool:
            yield from _results_in_order(
                lambda task: pool.submit(function, task),
                chain(first, waiting),
                ahead=2 * len(first),
                on_result=on_result,
            )


def _share(processes: int) -> None:
    """Give each process its share of the processors, if compiled code has been loaded."""
    if numba := sys.modules.get("numba"):
        numba.config.NUMBA_NUM_THREADS = max(1, numba.config.NUMBA_NUM_THREADS // processes)


def _results_in_order(
    submit: Callable[[Task], Future[Result]],
    tasks: Iterable[Task],
    *,
    ahead: int,
    on_result: Callable[[Result], None],
) -> Iterator[Result]:
    """Submit tasks, `ahead` at a time, and give their results in order."""
    numbered = enumerate(tasks)
    running: dict[Future[Result], int] = {}
    ended: dict[int, Result] = {}
    errors: dict[int, Exception] = {}
    turn = 0

    def submit_some(number: int) -> None:
        for index, task in islice(numbered, number):
            running[submit(task)] = index

    try:
        submit_some(ahead)
        while running:
            done = wait(running, return_when=FIRST_COMPLETED).done
            for future in sorted(done, key=running.__getitem__):
                index = running.pop(future)
                try:
                    ended[index] = future.result()
                except Exception as error:  # noqa: BLE001 - raised below, in its turn
                    errors[index] = error
                else:
                    on_result(ended[index])
            if not errors:
                submit_some(len(done))
            while turn in ended:
                yield ended.pop(turn)
                turn += 1
        if errors:
            raise errors[min(errors)]
    finally:
        for future in running:
            future.cancel()


def plain_results(
    function: Callable[[Task], Result], tasks: Iterable[Task], *, on_result: Callable[[Any], None] = ignore
) -> Iterator[Result]:
    """Results computed one after the other in this process, as `Executor.map` returns them."""
    for task in tasks:
        result = function(task)
        on_result(result)
        yield result
