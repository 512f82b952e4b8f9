"""Work on all systems of a data set, spread over the workers of an executor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from misread.execution import Executor
from misread.pipeline.task_progress import task_progress

_BYTES_WORTH_WORKERS: Final = 1_000_000
"""Of all inputs: to load compiled code once more in each process takes as long as ten thousand lines."""


def for_each_system(
    work: Callable[[str, str], None],
    dataset_id: str,
    systems: Sequence[str],
    input_of: Callable[[str, str], Path],
    executor: Executor,
) -> None:
    """Call `work(dataset_id, system_id)` for all systems, as many at a time as the executor has workers.

    Small inputs, which are files found by `input_of(dataset_id, system_id)`, are worked on in this process. Each
    writes its own files, so that the order makes no difference and no text comes back; `work` is a function of a
    module, for workers find it by its name. The error of the first system that has one is raised.
    """
    if len(systems) < 2 or sum(_size(input_of(dataset_id, each)) for each in systems) < _BYTES_WORTH_WORKERS:
        for system_id in systems:
            work(dataset_id, system_id)
        return
    with executor, task_progress(f"{work.__name__} {dataset_id}", len(systems)) as on_result:
        for _ in executor.map(partial(work, dataset_id), systems, on_result=on_result):
            pass


def _size(path: Path) -> int:
    """Bytes of a file; one that is not there is for the work to speak of."""
    return path.stat().st_size if path.is_file() else 0
