"""Parallel reading with several readers."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from misread.engines.base import Engine, Reader
from misread.errors import ConfigurationError
from misread.records import Reading, Source


@dataclass(frozen=True)
class Threads:
    """Reads with several readers in one process, one per thread.

    Engines spend their time in native code that releases the interpreter, so threads use all cores, share the
    memory of models, and die with the process. One worker measures latencies without interference.
    """

    workers: int = 2

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ConfigurationError(f"executor.workers is {self.workers}, expected 1 or more.")

    def run(
        self, engine: Engine, sources: Sequence[Source], read: Callable[[Reader, Source], Reading]
    ) -> Iterator[Reading]:
        """Read every source once, in order of completion; an engine per thread, and `read` must not raise."""
        here = threading.local()
        opened: list[Reader] = []

        def read_in_thread(source: Source) -> Reading:
            if not hasattr(here, "reader"):
                here.reader = engine.open()
                opened.append(here.reader)
            return read(here.reader, source)

        pool = ThreadPoolExecutor(self.workers)
        try:
            for done in as_completed([pool.submit(read_in_thread, source) for source in sources]):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)
            for reader in opened:
                reader.close()
