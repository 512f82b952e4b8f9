"""Tasks in processes of this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import get_context

from misread.execution.executor import Executor, Result, Task, ignore, plain_results, results_in_order


@dataclass
class Local(Executor):
    """Runs tasks in processes of this machine, one per processor.

    Parameters
    ----------
    workers : int
        How many segments of a capture are read at a time; with one, latencies are measured without interference.
    timeout : float, optional
        Seconds after which a reading that has not ended is stopped, and that segment fails. A remote engine has its
        own.

    Examples
    --------
    >>> from misread.execution import Local
    >>> with Local() as executor:
    ...     list(executor.map(len, ["one", "three"]))
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
            yield from results_in_order(
                lambda task: pool.submit(function, task),
                chain(first, waiting),
                ahead=2 * len(first),
                on_result=on_result,
            )

    def close(self) -> None:
        """Nothing to close: processes end with their results."""


def _share(processes: int) -> None:
    """Give each process its share of the processors, if compiled code has been loaded."""
    if numba := sys.modules.get("numba"):
        numba.config.NUMBA_NUM_THREADS = max(1, numba.config.NUMBA_NUM_THREADS // processes)
