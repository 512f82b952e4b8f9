"""Reading of many sources at the same time, on this machine or on the workers of an executor."""

from __future__ import annotations

import pickle
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
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
_MOMENT: Final = 1.0


@dataclass(frozen=True)
class WorkerReadings:
    """Reads on all workers of an executor, each source in one task."""

    executor: Executor

    def run(
        self, engine: Engine, sources: Iterable[Source], keep: Callable[[Reading], None] = lambda _: None
    ) -> Iterator[Reading]:
        """Read every source once, in order, taking only a few in advance.

        `keep` is called in this process with each reading as it comes.
        """
        read = partial(_read, pickle.dumps(engine), self.executor.timeout)
        return self.executor.map(read, sources, on_result=keep)


def _read(pickled_engine: bytes, timeout: float | None, source: Source) -> Reading:
    """Read a source on a worker, in a separate process: a crash or a time-out does not cost the worker."""
    with _opened.reader(pickled_engine, timeout) as reader:
        return reader.read(source)


@dataclass
class _OpenedReaders:
    """Readers that wait for the next source of their engine, and are closed when idle for a while."""

    _idle: list[ChildReader] = field(default_factory=list)
    _engine_settings: tuple[bytes, float | None] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _timer: threading.Timer | None = None

    @contextmanager
    def reader(self, pickled_engine: bytes, timeout: float | None) -> Iterator[ChildReader]:
        """A reader for one thread; readers of another engine are closed first."""
        settings = (pickled_engine, timeout)
        with self._lock:
            if self._timer:
                self._timer.cancel()
            if self._engine_settings != settings:
                self._close_idle()
                self._engine_settings = settings
            idle = self._idle.pop() if self._idle else None
        reader = idle or _start(pickled_engine, timeout)
        try:
            yield reader
        except BaseException:
            reader.close()
            raise
        with self._lock:
            if self._engine_settings == settings:
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
    # Dask marks its workers as processes that must not start others, which could outlive them. Readers cannot.
    current_process()._config["daemon"] = False  # type: ignore[attr-defined]  # noqa: SLF001
    engine: Engine = pickle.loads(pickled_engine)  # noqa: S301  from the process that asks
    return ChildReader(engine, timeout)


class SourceReaders(Protocol):
    """Reads many sources with one engine."""

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
    """Reads in several processes; with a remote engine, in as many threads as its concurrency.

    Parameters
    ----------
    workers : int
        Number of processes; with one, latencies are measured without interference.
    timeout : float, optional
        Seconds after which the process of an unfinished reading is stopped, and that segment fails. A remote engine has
        its own time-out.
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
        is_given_up = threading.Event()

        def read_and_keep(source: Source) -> Reading:
            reading = read(source)
            if reading.reason and signal.SIGTERM.name in reading.reason:
                # Who ends a run may tell all of its processes, and this one hears of it in a moment.
                is_given_up.wait(_MOMENT)
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
                # Close the readers first, which wakes waiting threads.
                pool.shutdown(wait=False, cancel_futures=True)
                opened.close()
                pool.shutdown()

    def _remote(self, engine: RemoteEngine, opened: ExitStack) -> Callable[[Source], Reading]:
        reader = OpenedReader(engine)
        opened.callback(reader.close)
        return lambda source: replace(reader.read(source, measure_memory=False), concurrency=engine.concurrency)

    def _local(self, engine: Engine, opened: ExitStack, is_given_up: threading.Event) -> Callable[[Source], Reading]:
        thread = threading.local()
        lock = threading.Lock()

        def read(source: Source) -> Reading:
            if not hasattr(thread, "reader"):
                thread.reader = ChildReader(engine, self.timeout)
                with lock:
                    opened.callback(thread.reader.close)
                if is_given_up.is_set():
                    # Opened too late to be closed with the others.
                    thread.reader.close()
            reading: Reading = thread.reader.read(source)
            return reading

        return read


def _spread(
    pool: ThreadPoolExecutor, read: Callable[[Source], Reading], sources: Iterator[Source], ahead: int
) -> Iterator[Reading]:
    ended: SimpleQueue[Future[Reading]] = SimpleQueue()

    def submit(most: int) -> int:
        number = 0
        for number, source in enumerate(islice(sources, most), start=1):  # noqa: B007  how many there were
            pool.submit(read, source).add_done_callback(ended.put)
        return number

    running = submit(ahead)
    while running:
        reading = ended.get()
        running += submit(1) - 1
        yield reading.result()
