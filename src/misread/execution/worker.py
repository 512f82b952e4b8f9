"""Work of a worker: one task, in the folder and with the modules of the asking process, running the same code."""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Self

from misread.errors import WorkerError
from misread.provenance.plugins import study_modules_in_use, use_study_modules
from misread.version import __version__

_PACKAGE: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Identity:
    """Versions that results depend on, and the digest of all code of misread."""

    misread: str
    code: str
    python: str
    numpy: str
    numba: str
    pyarrow: str  # whose bytes are in the files that workers encode

    def differences(self, other: Identity) -> str:
        """Differences of the other from this, such as "numpy 2.2.0 in place of 2.3.1"; empty if there are none."""
        versions = ((field.name, getattr(self, field.name), getattr(other, field.name)) for field in fields(self))
        return ", ".join(f"{name} {theirs} in place of {ours}" for name, ours, theirs in versions if ours != theirs)


@cache
def identify() -> Identity:
    """Identity of the process that asks."""
    from importlib.metadata import version

    python = ".".join(platform.python_version_tuple()[:2])
    return Identity(__version__, _digest_code()[:12], python, version("numpy"), version("numba"), version("pyarrow"))


def _digest_code() -> str:
    """SHA-256 of the names and contents of all modules."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(f"{path.relative_to(_PACKAGE).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@dataclass(frozen=True)
class Asker:
    """The asking process: its identity, its folder, and its modules of a study."""

    identity: Identity
    process: tuple[str, int]
    folder: Path
    modules: Mapping[str, Path]

    @classmethod
    def here(cls) -> Self:
        """The asker that describes this process."""
        return cls(identify(), _this_process(), Path.cwd(), study_modules_in_use())


def run_task(pickled_function: bytes, asker: Asker, pickled_task: bytes) -> Any:
    """Result of a function for a task.

    Raises WorkerError if this worker runs other code than the asking process, or does not see its folder. Each task
    checks this, because workers may join later or come back.
    """
    if differences := asker.identity.differences(identify()):
        raise WorkerError(
            f"a worker ({_this_process()[0]}) has {differences}: results would be of two programs. Install the same "
            "on all workers (setting executor), and start them again."
        )
    if asker.process != _this_process():
        _use_one_thread()
    with _in_folder(asker.folder):
        for name, root in asker.modules.items():
            use_study_modules([name], root)
        return _load(pickled_function)(pickle.loads(pickled_task))  # noqa: S301  of the process that asks


@lru_cache(maxsize=4)
def _load(pickled_function: bytes) -> Callable[[Any], Any]:
    """The function; arrays shared by all its tasks are loaded once."""
    function: Callable[[Any], Any] = pickle.loads(pickled_function)  # noqa: S301  of the process that asks
    return function


def _this_process() -> tuple[str, int]:
    return os.uname().nodename if hasattr(os, "uname") else "", os.getpid()


def _use_one_thread() -> None:
    """Use one thread: the scheduler gives each task one processor."""
    os.environ["NUMBA_NUM_THREADS"] = "1"
    if numba := sys.modules.get("numba"):
        numba.config.NUMBA_NUM_THREADS = 1


_changed = threading.Condition()
_tasks: list[Path] = []
"""Folders of the running tasks; all threads of a process share one working directory."""


@contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    """Work in this folder, at the same time as other tasks of the folder and no others."""
    with _changed:
        _changed.wait_for(lambda: not _tasks or _tasks[0] == folder)
        try:
            # Do not ask for the present folder: it may be gone, as after a restart of the worker.
            os.chdir(folder)
        except OSError as error:
            raise WorkerError(
                f"a worker ({_this_process()[0]}) does not see the folder {folder}: {error.strerror}. Keep it on a "
                "file system that all workers of the scheduler (setting executor.scheduler) share, under the same "
                "path."
            ) from None
        _tasks.append(folder)
    try:
        yield
    finally:
        with _changed:
            _tasks.pop()
            _changed.notify_all()
