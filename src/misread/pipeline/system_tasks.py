"""Work on all systems of a data set, or on parts of them, spread over the workers of an executor."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from misread.execution import Executor
from misread.execution.executor import MapTasks, ignore, plain_results
from misread.text.display import show_label


@contextmanager
def task_progress(title: str, total: int) -> Iterator[Callable[[object], None]]:
    """Show a bar with the time left; what it gives is called with the result of each task."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    shown = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*shown, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        task = progress.add_task(show_label(title), total=total)
        yield lambda _: progress.advance(task)


Task = TypeVar("Task")
Result = TypeVar("Result")

_BYTES_WORTH_WORKERS: Final = 1_000_000
"""Of all inputs: to load compiled code once more in each process takes as long as ten thousand lines."""


@contextmanager
def at_work(
    tasks: Sequence[object], inputs: Iterable[Path], executor: Executor, title: str
) -> Iterator[tuple[MapTasks, Callable[[object], None]]]:
    """What gives the results of tasks, and of others that follow from these, and what shows how many are done.

    Where there is one task alone, or the files that all read are small, they are done in this process.
    """
    if len(tasks) < 2 or sum(map(_size, inputs)) < _BYTES_WORTH_WORKERS:
        yield plain_results, ignore
        return
    with task_progress(title, len(tasks)) as on_result:
        yield executor.map, on_result


def results_of(
    work: Callable[[Task], Result], tasks: Sequence[Task], inputs: Iterable[Path], executor: Executor, title: str
) -> Iterator[Result]:
    """Results of tasks in their order.

    `work` is a function of a module, for workers find it by its name. The error of the first task that has one is
    raised.
    """
    with at_work(tasks, inputs, executor, title) as (map_tasks, on_result):
        yield from map_tasks(work, tasks, on_result=on_result)


def for_each_system(
    work: Callable[[str, str], None],
    dataset_id: str,
    systems: Sequence[str],
    input_of: Callable[[str, str], Path],
    executor: Executor,
) -> None:
    """Call `work(dataset_id, system_id)` for all systems, whose inputs are the files `input_of(dataset_id, system_id)`.

    Each writes its own files, so that the order makes no difference and no text comes back.
    """
    inputs = [input_of(dataset_id, system) for system in systems]
    for _ in results_of(partial(work, dataset_id), systems, inputs, executor, f"{work.__name__} {dataset_id}"):
        pass


def _size(path: Path) -> int:
    """Bytes of a file; one that is not there is for the work to speak of."""
    return path.stat().st_size if path.is_file() else 0
