"""A line on standard error where a command takes long: what it is doing, once."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from misread.compiled.jit import Kernel

SECONDS: Final = 2.0

_COMPILER: Final = "numba.core"
# By the package that is at work, innermost first.
_ACTIVITIES: Final = {
    "misread.data": "reading the data",
    "misread.io": "reading files",
    "misread.normalize": "normalizing texts",
    "misread.alignment": "aligning texts",
    "misread.metrics": "counting errors",
    "misread.tally": "counting errors",
    "misread.stats": "resampling and testing differences",
}


@contextmanager
def say_what_takes_long() -> Iterator[None]:
    """Say what this thread is doing if it is not done after two seconds of the processor's time.

    A command that waits for a file, or for its turn on a busy machine, does not take long by itself.
    """
    done = threading.Event()
    threading.Thread(target=_watch, args=(done, threading.get_ident(), time.process_time()), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _watch(done: threading.Event, thread: int, start: float) -> None:
    while (left := start + SECONDS - time.process_time()) > 0:
        if done.wait(left):
            return
    if not done.is_set():
        _say(thread)


def _say(thread: int) -> None:
    frames = sys._current_frames()  # noqa: SLF001  documented, for debuggers
    # Kernels may be compiled by the thread that needs them first.
    if any(_COMPILER in map(_package, _stack(frame)) for frame in frames.values()):
        kept = "done once, and kept" if Kernel.are_kept else "in every run, as no folder can be written to keep it in"
        sys.stderr.write(f"note: compiling machine code for this computer ({kept}).\n")
        return
    at_work = (_ACTIVITIES[package] for package in map(_package, _stack(frames[thread])) if package in _ACTIVITIES)
    sys.stderr.write(f"note: {next(at_work, 'starting')}; not done yet.\n")


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    """Frames from the innermost on."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _package(frame: FrameType) -> str:
    """First two parts of the name of the module that a frame runs in."""
    return ".".join(str(frame.f_globals.get("__name__")).split(".")[:2])
