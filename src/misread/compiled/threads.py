"""Work over many items, spread over threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# Enough for each thread that one with the longest texts does not finish alone.
_CHUNKS_OF_A_THREAD: Final = 8
# Less than this is done before a thread has started.
_LEAST_UNITS: Final = 1 << 14


def run_in_chunks(kernel: Callable[..., Any], items: int, units: int, *arguments: Any) -> None:
    """Call `kernel(*arguments, first, last)` for ranges that together are all items.

    As many threads as NUMBA_NUM_THREADS says, this one among them, take one range after the other. Numba's own parallel
    loops would compile the whole kernel another three times, and abort where two threads of a program run one at the
    same time.

    The kernel is compiled, releases the GIL, and writes to places of its own for each item, so that neither the number
    of threads nor that of ranges can change a result. `units` measures the work: if there is more than one range, each
    has at least 16,384 of them.
    """
    import numba

    threads = numba.config.NUMBA_NUM_THREADS
    chunks = min(items, threads * _CHUNKS_OF_A_THREAD, units // _LEAST_UNITS) if threads > 1 else 1
    if chunks < 2:
        kernel(*arguments, 0, items)
        return
    left = iter(range(chunks))

    def work() -> None:
        # A step of this iterator is one of the interpreter's: no two threads get the same range.
        for chunk in left:
            kernel(*arguments, items * chunk // chunks, items * (chunk + 1) // chunks)

    # A future for each range would take as long as the ranges of a batch of lines.
    others = [_pool(threads).submit(work) for _ in range(threads - 1)]
    try:
        work()
    finally:
        # All are taken, unless something went wrong here.
        for _ in left:
            pass
        for other in others:
            other.result()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads, thread_name_prefix="misread")


if hasattr(os, "register_at_fork"):
    # Threads do not live on in a forked process.
    os.register_at_fork(after_in_child=_pool.cache_clear)
