"""A reader in a process of its own, which can be stopped and may crash."""

import os
import pickle
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from pathlib import Path

from misread.data.segment_table import Source
from misread.engines.base import Engine, Reading
from misread.engines.reading import OpenedReader, signal_name
from misread.errors import MisreadError
from misread.provenance.plugins import study_modules_in_use, use_study_modules

_PATIENCE = 5.0


class ChildReader:
    """Opens an engine in a new process, and again after that process crashed or was stopped; used by one thread.

    Forking with everything imported would be faster, but a forked process may wait for ever for locks that other
    threads held.
    """

    def __init__(self, engine: Engine, timeout: float | None) -> None:
        self._engine = engine
        self._timeout = timeout
        self._closed = False
        self._busy = False
        # The thread that reads and the one that gives up may start and close at the same time.
        self._changing = threading.RLock()
        self._start()

    def read(self, sources: Sequence[Source]) -> list[Reading]:
        """Read sources together; a crash or a time-out becomes the reason of the one that is read when it happens.

        Raises
        ------
        MisreadError
            If the engine cannot be opened, now or after a crash.
        """
        if not self._process.is_alive():
            self._start()
        start = time.perf_counter()
        self._busy = True
        try:
            self._connection.send(sources)
            if self._connection.poll(self._timeout and self._timeout * len(sources)):
                return self._receive()
            reason = f"reading it took longer than {self._timeout:g} s and was stopped"
        except (EOFError, OSError):
            self._process.join()
            reason = f"reading it ended the process{_how(self._process.exitcode)}"
        finally:
            self._busy = False
        self._kill()
        if len(sources) > 1 and not self._closed:
            half = len(sources) // 2
            return [*self.read(sources[:half]), *self.read(sources[half:])]
        seconds = time.perf_counter() - start
        return [Reading(source.segment_id, None, reason, seconds, None, run=source.run) for source in sources]

    def close(self) -> None:
        """End the process, even during a reading; an idle process may close its engine first."""
        self._closed = True
        # Wait for a process that is just starting: nobody else would end it.
        with self._changing:
            if not self._busy:
                self._disconnect()
                self._process.join(_PATIENCE)
            self._kill()

    def _start(self) -> None:
        with self._changing:
            if self._closed:
                raise MisreadError("the capture is given up.")
            context = get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(
                target=_serve, args=(theirs, study_modules_in_use(), pickle.dumps(self._engine)), daemon=True
            )
            self._process.start()
            theirs.close()

    def _receive(self) -> list[Reading]:
        received: list[Reading] | BaseException = self._connection.recv()
        if isinstance(received, BaseException):
            raise received
        return received

    def _kill(self) -> None:
        self._process.kill()
        self._process.join()
        self._disconnect()

    def _disconnect(self) -> None:
        with self._changing:
            if not self._connection.closed:
                self._connection.close()


def _how(status: int | None) -> str:
    if status is None or status >= 0:
        return f" (status {status})"
    return f" ({signal_name(-status)})"


def _end_with_parent() -> None:
    """End, even during a reading, if the process that started this one was killed."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _serve(connection: Connection, modules: Mapping[str, Path], pickled: bytes) -> None:
    """Read incoming sources until the other end closes, as it also does when the other process dies.

    The engine may come from one of a study's modules, which can be imported only while they are in use.
    """
    # An interrupt from the keyboard goes to all processes of a terminal; the one that started this one handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    reader = None
    try:
        while True:
            sources = connection.recv()
            try:
                if reader is None:
                    for name, root in modules.items():
                        use_study_modules([name], root)
                    engine: Engine = pickle.loads(pickled)  # noqa: S301  of the process that started this one
                    reader = OpenedReader(engine)
                connection.send(reader.read(sources, measure_memory=True))
            except MisreadError as error:
                connection.send(error)
            except Exception as error:  # noqa: BLE001 - an engine may break while it is opened
                connection.send(MisreadError(f"the engine cannot be opened: {type(error).__name__}: {error}"))
    except (EOFError, OSError):
        if reader is not None:
            reader.close()
