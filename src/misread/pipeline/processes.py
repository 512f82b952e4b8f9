"""Work on all systems of a data set, spread over processes."""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

_BYTES_WORTH_PROCESSES: Final = 1_000_000
"""Of all inputs: to load compiled code once more in each process takes as long as ten thousand lines."""


def for_each_system(
    work: Callable[[str, str], None], dataset_id: str, systems: Sequence[str], input_of: Callable[[str, str], Path]
) -> None:
    """Call `work(dataset_id, system_id)` for all systems, as many at a time as there are processors.

    Small inputs, which are files found by `input_of(dataset_id, system_id)`, are worked on in this process. Each
    writes its own files, so that the order makes no difference; `work` is a function of a module, for processes find
    it by its name. The error of the first system that has one is raised.
    """
    processes = min(len(systems), len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1)
    if processes < 2 or sum(_size(input_of(dataset_id, each)) for each in systems) < _BYTES_WORTH_PROCESSES:
        for system_id in systems:
            work(dataset_id, system_id)
        return
    # A forked process has everything imported already; elsewhere than on Linux, forking is not safe.
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_share, initargs=(processes,)) as pool:
        running = [pool.submit(work, dataset_id, system_id) for system_id in systems]
    for each in running:
        each.result()


def _size(path: Path) -> int:
    """Bytes of a file; one that is not there is for the work to speak of."""
    return path.stat().st_size if path.is_file() else 0


def _share(processes: int) -> None:
    """Leave each process its share of the processors, where compiled code has been loaded at all."""
    if numba := sys.modules.get("numba"):
        numba.config.NUMBA_NUM_THREADS = max(1, numba.config.NUMBA_NUM_THREADS // processes)
