"""Reading of many sources at the same time, in processes or threads of this machine."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from queue import SimpleQueue
from typing import Final, TypeAlias

from misread.data.segment_table import Source
from misread.engines.base import BatchEngine, Engine, Reading, RemoteEngine
from misread.engines.child import ChildReader
from misread.engines.reading import OpenedReader

_MOMENT: Final = 1.0
_Read: TypeAlias = Callable[[Sequence[Source]], list[Reading]]


@dataclass(frozen=True)
class Processes:
    """Reads in several processes; with a remote engine, in as many threads as its concurrency.

    Parameters
    ----------
    workers : int
        Number of processes; with one, latencies are measured without interference.
    timeout : float, optional
        Seconds after which the process of an unfinished reading is stopped, and that segment fails; for a batch, as
        many times as it has segments. A remote engine has its own time-out.
    """

    workers: int = 2
    timeout: float | None = None

    def run(
        self, engine: Engine, sources: Iterable[Source], keep: Callable[[Reading], None] = lambda _: None
    ) -> Iterator[Reading]:
        """Read every source once, in order of completion; only a few sources are taken in advance.

        `keep` is called at once with each reading, by the thread that made it: if a run is abandoned or breaks off, all
        answers so far are kept, and no failures caused by abandoning it.
        """
        threads = engine.concurrency if isinstance(engine, RemoteEngine) else self.workers
        size = engine.batch if isinstance(engine, BatchEngine) else 1
        waiting = iter(sources)
        is_given_up = threading.Event()

        def read_and_keep(batch: Sequence[Source]) -> list[Reading]:
            readings = read(batch)
            for reading in readings:
                if reading.reason and signal.SIGTERM.name in reading.reason:
                    # Who ends a run may tell all of its processes, and this one hears of it in a moment.
                    is_given_up.wait(_MOMENT)
                if reading.reason is None or not is_given_up.is_set():
                    keep(reading)
            return readings

        with ExitStack() as opened:
            if isinstance(engine, RemoteEngine):
                read = self._remote(engine, opened)
            else:
                read = self._local(engine, opened, is_given_up)
            pool = ThreadPoolExecutor(threads)
            try:
                yield from _spread(pool, read_and_keep, iter(lambda: [*islice(waiting, size)], []), 2 * threads)
            finally:
                is_given_up.set()
                # Close the readers first, which wakes waiting threads.
                pool.shutdown(wait=False, cancel_futures=True)
                opened.close()
                pool.shutdown()

    def _remote(self, engine: RemoteEngine, opened: ExitStack) -> _Read:
        reader = OpenedReader(engine)
        opened.callback(reader.close)
        return lambda batch: [
            replace(reading, concurrency=engine.concurrency) for reading in reader.read(batch, measure_memory=False)
        ]

    def _local(self, engine: Engine, opened: ExitStack, is_given_up: threading.Event) -> _Read:
        thread = threading.local()
        lock = threading.Lock()

        def read(batch: Sequence[Source]) -> list[Reading]:
            if not hasattr(thread, "reader"):
                thread.reader = ChildReader(engine, self.timeout)
                with lock:
                    opened.callback(thread.reader.close)
                if is_given_up.is_set():
                    # Opened too late to be closed with the others.
                    thread.reader.close()
            readings: list[Reading] = thread.reader.read(batch)
            return readings

        return read


def _spread(
    pool: ThreadPoolExecutor, read: _Read, batches: Iterator[Sequence[Source]], ahead: int
) -> Iterator[Reading]:
    ended: SimpleQueue[Future[list[Reading]]] = SimpleQueue()

    def submit(most: int) -> int:
        number = 0
        for number, batch in enumerate(islice(batches, most), start=1):  # noqa: B007  how many there were
            pool.submit(read, batch).add_done_callback(ended.put)
        return number

    running = submit(ahead)
    while running:
        readings = ended.get()
        running += submit(1) - 1
        yield from readings.result()
