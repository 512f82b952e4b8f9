"""Readings by the workers of a scheduler; what they read is kept by the process that asks."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import current_process
from typing import Final

from misread.engines.base import Engine
from misread.engines.child import ChildReader
from misread.execution import Executor
from misread.records import Reading, Source

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
