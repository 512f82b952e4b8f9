"""The interface of executors, and the loop by which all of them hand out tasks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import Any, ClassVar, Final, Protocol, Self, TypeVar

from misread.errors import ConfigurationError

Task = TypeVar("Task")
Result = TypeVar("Result")

_SECONDS_BETWEEN_LOOKS: Final = 1.0


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

    It opens its resources at the first task and closes them at the end of its `with` block. No result depends on the
    executor or the number of its workers: tasks depend on the data alone, and results are joined in the order of the
    tasks.

    Parameters
    ----------
    workers : int
        How many segments of a capture are read at a time; with one, latencies are measured without interference. Also
        the number of workers to start.
    timeout : float, optional
        Seconds after which a reading that has not ended is stopped, and that segment fails. A remote engine has its
        own.

    Raises
    ------
    ConfigurationError
        If there are fewer than one worker, or the time is not above 0.
    """

    workers: int = 2
    timeout: float | None = None

    spans_machines: ClassVar[bool] = False
    """Whether workers may be on other machines."""

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ConfigurationError(f"executor.workers is {self.workers}, expected 1 or more.")
        if self.timeout is not None and not self.timeout > 0:
            raise ConfigurationError(f"executor.timeout is {self.timeout}, expected seconds above 0, or null.")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task], *, on_result: Callable[[Result], None] = ignore
    ) -> Iterator[Result]:
        """Results of `function(task)`, in the order of the tasks, taking only a few in advance.

        `on_result` is called in this process with each result as it comes, in any order. The function must be
        importable from a module, or a `functools.partial` of such a function; a task may run twice if a worker dies.
        The first error, in the order of the tasks, is raised when the tasks before it are done.
        """

    @abstractmethod
    def close(self) -> None:
        """Close all resources; another task opens them again."""


def results_in_order(
    submit: Callable[[Task], Future[Result]],
    tasks: Iterable[Task],
    *,
    ahead: int,
    on_result: Callable[[Result], None],
    while_waiting: Callable[[], None] = lambda: None,
) -> Iterator[Result]:
    """Submit tasks, `ahead` at a time, and give their results in order; `while_waiting` may raise an error."""
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
            done = wait(running, timeout=_SECONDS_BETWEEN_LOOKS, return_when=FIRST_COMPLETED).done
            if not done:
                while_waiting()
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
