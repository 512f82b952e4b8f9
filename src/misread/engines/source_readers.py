"""Reading of many sources at the same time: here, or by the workers of an executor."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from multiprocessing import current_process
from queue import SimpleQueue
from typing import Final, Protocol

from misread.data.segment_table import Source
from misread.engines.base import Engine, Reading, RemoteEngine
from misread.engines.child import ChildReader
from misread.engines.reading import OpenedReader
from misread.execution import Executor

_IDLE_SECONDS: Final = 20.0


@dataclass(frozen=True)
class WorkerReadings:
    """Reads on all workers of an executor at the same time, each source in one task."""

    executor: Executor

    def run(
        self, engine: Engine, sources: Iterable[Source], keep: Callable[[Reading], None] = lambda _: None
    ) -> Iterator[Reading]:
        """Read every source once, in the order of the sources; few of them are taken ahead of their turn.

        `keep` is called in this process with each reading as it comes.
        """
        read = partial(_read, pickle.dumps(engine), self.executor.timeout)
        return self.executor.map(read, sources, on_result=keep)


def _read(pickled_engine: bytes, timeout: float | None, source: Source) -> Reading:
    """Read a source on a worker, in a process of its own: one that crashes or takes too long costs no worker."""
    with _opened.reader(pickled_engine, timeout) as reader:
        return reader.read(source)


@dataclass
class _OpenedReaders:
    """Readers that wait for the next source of their engine; after a while without one they are closed."""

    _idle: list[ChildReader] = field(default_factory=list)
    _of: tuple[bytes, float | None] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _timer: threading.Timer | None = None

    @contextmanager
    def reader(self, pickled_engine: bytes, timeout: float | None) -> Iterator[ChildReader]:
        """A reader for one thread; readers of another engine are closed first."""
        of = (pickled_engine, timeout)
        with self._lock:
            if self._timer:
                self._timer.cancel()
            if self._of != of:
                self._close_idle()
                self._of = of
            found = self._idle.pop() if self._idle else None
        reader = found or _start(pickled_engine, timeout)
        try:
            yield reader
        except BaseException:
            reader.close()
            raise
        with self._lock:
            if self._of == of:
                self._idle.append(reader)
            else:
                reader.close()
            self._timer = threading.Timer(_IDLE_SECONDS, self.close)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """Close the readers that wait."""
        with self._lock:
            self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()


_opened: Final = _OpenedReaders()


def _start(pickled_engine: bytes, timeout: float | None) -> ChildReader:
    # Dask's workers are marked as processes that must not start others, which could outlive them. Readers do not.
    current_process()._config["daemon"] = False  # type: ignore[attr-defined]  # noqa: SLF001
    engine: Engine = pickle.loads(pickled_engine)  # noqa: S301  of the process that asks
    return ChildReader(engine, timeout)


class SourceReaders(Protocol):
    """What reads many sources with one engine."""

    def run(
        self, engine: Engine, sources: Iterable[Source], keep: Callable[[Reading], None] = lambda _: None
    ) -> Iterator[Reading]:
        """Read every source once; `keep` is called in this process with each reading as it comes."""


def readers_for(engine: Engine, executor: Executor) -> SourceReaders:
    """Readers on the workers of an executor or, for an engine that only waits for a server, in threads here."""
    if executor.spans_machines and not isinstance(engine, RemoteEngine):
        return WorkerReadings(executor)
    return Processes(executor.workers, executor.timeout)


@dataclass(frozen=True)
class Processes:
    """Reads in several processes at a time; a remote engine in as many threads as it takes.

    Parameters
    ----------
    workers : int
        Number of processes; one measures latencies without interference.
    timeout : float, optional
        Seconds after which the process of a reading that has not ended is stopped, and that segment fails. A remote
        engine has its own.
    """

    workers: int = 2
    timeout: float | None = None

    def run(
        self, engine: Engine, sources: Iterable[Source], keep: Callable[[Reading], None] = lambda _: None
    ) -> Iterator[Reading]:
        """Read every source once, in order of completion; few of them are taken ahead of their turn.

        `keep` is called with each reading by the thread that made it, at once: of a run that is given up or breaks off,
        everything is kept that was answered, and no failure that comes of giving up.
        """
        threads = engine.concurrency if isinstance(engine, RemoteEngine) else self.workers
        is_given_up = threading.Event()

        def read_and_keep(source: Source) -> Reading:
            reading = read(source)
            if reading.reason is None or not is_given_up.is_set():
                keep(reading)
            return reading

        with ExitStack() as opened:
            if isinstance(engine, RemoteEngine):
                read = self._remote(engine, opened)
            else:
                read = self._local(engine, opened, is_given_up)
            pool = ThreadPoolExecutor(threads)
            try:
                yield from _spread(pool, read_and_keep, iter(sources), 2 * threads)
            finally:
                is_given_up.set()
                # Readers are closed first, which ends what threads wait for.
                pool.shutdown(wait=False, cancel_futures=True)
                opened.close()
                pool.shutdown()

    def _remote(self, engine: RemoteEngine, opened: ExitStack) -> Callable[[Source], Reading]:
        reader = OpenedReader(engine)
        opened.callback(reader.close)
        return lambda source: reader.read(source, measure_memory=False)

    def _local(self, engine: Engine, opened: ExitStack, is_given_up: threading.Event) -> Callable[[Source], Reading]:
        here = threading.local()
        lock = threading.Lock()

        def read(source: Source) -> Reading:
            if not hasattr(here, "reader"):
                here.reader = ChildReader(engine, self.timeout)
                with lock:
                    opened.callback(here.reader.close)
                if is_given_up.is_set():
                    # It was opened too late to be closed with the others.
                    here.reader.close()
            reading: Reading = here.reader.read(source)
            return reading

        return read


def _spread(
    pool: ThreadPoolExecutor, read: Callable[[Source], Reading], sources: Iterator[Source], ahead: int
) -> Iterator[Reading]:
    ended: SimpleQueue[Future[Reading]] = SimpleQueue()

    def begin(most: int) -> int:
        number = 0
        for number, source in enumerate(islice(sources, most), start=1):  # noqa: B007  how many there were
            pool.submit(read, source).add_done_callback(ended.put)
        return number

    running = begin(ahead)
    while running:
        reading = ended.get()
        running += begin(1) - 1
        yield reading.result()
