"""Work on all systems of a data set, or on parts of them, spread over the workers of an executor."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from misread.execution import Executor
from misread.execution.executor import plain_results
from misread.io.console import task_progress

Task = TypeVar("Task")
Result = TypeVar("Result")

_BYTES_WORTH_WORKERS: Final = 1_000_000
"""Of all inputs: to load compiled code once more in each process takes as long as ten thousand lines."""


def results_of(
    work: Callable[[Task], Result], tasks: Sequence[Task], inputs: Iterable[Path], executor: Executor, title: str
) -> Iterator[Result]:
    """Results of tasks in their order.

    `work` is a function of a module, for workers find it by its name. The error of the first task that has one is
    raised. One task alone, or tasks whose files are small all together, are done in this process.
    """
    if len(tasks) < 2 or sum(map(_size, inputs)) < _BYTES_WORTH_WORKERS:
        yield from plain_results(work, tasks)
        return
    with task_progress(title, len(tasks)) as on_result:
        yield from executor.map(work, tasks, on_result=on_result)


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
