"""Work on all systems of a data set, or on parts of them, spread over the workers of an executor."""

from collections.abc import Callable, Iterable, Iterator, Sequence
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

    `work` is a function of a module, or a partial of one, for workers find it by its name. The error of the first task
    that has one is raised. One task alone, or tasks whose files are small all together, are done in this process.
    """
    # A file that is not there is for the work to speak of.
    size = sum(path.stat().st_size for path in inputs if path.is_file())
    run = plain_results if len(tasks) < 2 or size < _BYTES_WORTH_WORKERS else executor.map
    with task_progress(title, len(tasks)) as on_result:
        yield from run(work, tasks, on_result=on_result)
