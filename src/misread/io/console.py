"""Output of stages and commands: results to standard output; progress, warnings and errors to standard error."""

import errno
import gc
import inspect
import io
import logging
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final, Protocol, TypeVar

from misread.errors import ConfigurationError, MisreadError, spell_as_key, spelled_by
from misread.io.atomic import DISK_REMEDIES
from misread.provenance.environment import unchanged_process
from misread.text.display import shorten_label, show_label

_CANNOT_WRITE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EPIPE})
# Longer than any path.
_ENDLESS: Final = re.compile(r"\S{4097,}")
_INTERRUPTED: Final = 128 + signal.SIGINT
_OBJECTS_BEFORE_COLLECTION: Final = 100_000
_SECONDS_BEFORE_BAR: Final = 2
_IS_COMMAND: Final = ContextVar("is_command", default=False)

Item = TypeVar("Item")


@contextmanager
def errors_as_answers() -> Iterator[None]:
    """Run a command or a stage: a MisreadError is printed as one line and ends the process with status 1.

    The same holds for a file that the system refuses, for standard output that cannot be written, such as on a full
    disk, for memory that is used up, and for an interrupt from the keyboard or SIGTERM, with status 130 or 143. Letters
    that standard output does not have are written as escapes.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # It was closed: output is discarded.
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  open to the end
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine("warning: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    # Modules are a million objects that live until the end: by default the collector scans them again and again.
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTION)
    terminations: list[int] = []
    token = _IS_COMMAND.set(True)
    try:
        try:
            with _interrupted_by(signal.SIGTERM, terminations):
                yield
        finally:
            _IS_COMMAND.reset(token)
            # The interpreter would scan everything once more before the process ends.
            gc.freeze()
            # A full disk is noticed here, where it can still be reported.
            sys.stdout.flush()
    except MisreadError as error:
        print_error(error)
        sys.exit(1)
    except (KeyboardInterrupt, SystemExit) as end:
        # Typer makes the one of the other.
        if isinstance(end, SystemExit) and end.code != _INTERRUPTED:
            raise
        how = "ended by SIGTERM" if terminations else "interrupted"
        print_error(f"{how}; the file being written is as it was before. Run the same command again to go on.")
        sys.exit(128 + terminations[0] if terminations else _INTERRUPTED)
    except MemoryError:
        print_error("there is not enough memory; the file being written is as it was before.")
        sys.exit(1)
    except OSError as error:
        if error.filename is not None:
            remedy = f"; {DISK_REMEDIES[error.errno]}" if error.errno in DISK_REMEDIES else ""
            print_error(f"{os.fsdecode(error.filename)}: {error.strerror}{remedy}.")
        elif error.errno in _CANNOT_WRITE:
            # What is left would be written at the very end, and fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            # A closed pipe means that the reader has enough.
            if error.errno != errno.EPIPE:
                print_error(f"standard output cannot be written: {error.strerror}.")
        else:
            raise
        sys.exit(1)


@contextmanager
def _interrupted_by(number: int, received: list[int]) -> Iterator[None]:
    """Let a signal interrupt this process as Ctrl-C does, and note it, where it would have killed it."""
    process = os.getpid()

    def interrupt(number: int, _: FrameType | None) -> None:
        if os.getpid() != process:
            # A forked process dies of it, as its parent expects.
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        received.append(number)
        raise KeyboardInterrupt

    # Only the main thread may handle signals; one that is ignored or handled stays so.
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(number) is not signal.SIG_DFL:
        yield
        return
    signal.signal(number, interrupt)
    try:
        yield
    finally:
        signal.signal(number, signal.SIG_DFL)


def run_stage(main: Callable[..., None]) -> None:
    """Run a stage script's main function with the ids on the command line, as `errors_as_answers` does."""
    with spelled_by(spell_as_key), errors_as_answers():
        check_number_of_ids(main, sys.argv[1:], command=f"python {sys.argv[0]}")
        with unchanged_process(f"the code that stage {Path(sys.argv[0]).stem} runs"):
            main(*sys.argv[1:])


def check_number_of_ids(main: Callable[..., None], ids: Sequence[str], *, command: str) -> None:
    """Raise ConfigurationError, which says what a stage takes, for a wrong number of ids."""
    expected = [name.removesuffix("_id").upper() for name in inspect.signature(main).parameters]
    if len(ids) != len(expected):
        takes, got = " ".join(expected) or "no ids", " ".join(map(repr, ids)) or "none"
        raise ConfigurationError(f"{command} takes {takes}, got {got}.")


def write_out(text: str, *, end: str = "\n") -> None:
    """Write results to standard output as they are, in its encoding."""
    sys.stdout.write(text + end)


def note(text: str) -> None:
    """Write lines that are not results to standard error."""
    sys.stderr.write(f"{text}\n")


def print_error(error: MisreadError | str) -> None:
    """Print an error as one line on standard error."""
    sys.stderr.write(f"error: {_one_line(str(error))}\n")


def warn(message: str) -> None:
    """Print a warning as one line on standard error."""
    sys.stderr.write(f"warning: {_one_line(message)}\n")


def _one_line(message: str) -> str:
    """A message in which names neither break the line nor fill the screen."""
    return show_label(_ENDLESS.sub(lambda match: shorten_label(match[0]), message))


class _OneLine(logging.Formatter):
    """Line breaks in names do not end the message's line."""

    def format(self, record: logging.LogRecord) -> str:
        return _one_line(super().format(record))


def steps(items: Sequence[Item], title: str) -> Iterator[Item]:
    """Items one after the other; while a command or a stage is done with each of them, `task_progress` shows it."""
    with task_progress(title, len(items)) as on_result:
        for item in items:
            yield item
            on_result(item)


@contextmanager
def task_progress(title: str, total: int) -> Iterator[Callable[[object], None]]:
    """Give a function to call with the result of each task; it shows a bar with the time left after two seconds.

    Only commands and stages show it, and only on a terminal.
    """
    start, done = time.monotonic(), 0
    show: Callable[..., None] | None = None
    with ExitStack() as stack:

        def on_result(_: object) -> None:
            nonlocal done, show
            done += 1
            if show is None and time.monotonic() - start > _SECONDS_BEFORE_BAR:
                show = stack.enter_context(progress_bar(title, total))
            if show is not None:
                show(completed=done)

        yield on_result if _IS_COMMAND.get() and sys.stderr.isatty() else lambda _: None


@contextmanager
def progress_bar(title: str, total: int, *more: Any) -> Iterator[Callable[..., None]]:
    """Show a bar with the time left, and more columns of rich; what it gives updates it, as with `completed`."""
    from rich import progress as rich
    from rich.console import Console

    columns = (rich.TextColumn("{task.description}", markup=False), rich.BarColumn(), rich.MofNCompleteColumn())
    times = (rich.TimeElapsedColumn(), rich.TimeRemainingColumn())
    with rich.Progress(*columns, *times, *more, console=Console(stderr=True)) as progress:
        yield partial(progress.update, progress.add_task(show_label(title), total=total))


class HasNotes(Protocol):
    """Facts of texts, with sentences on their doubts."""

    @property
    def sentences(self) -> Sequence[str]:
        """Whole sentences."""


class HasFacts(Protocol):
    """An object with facts of its texts."""

    @property
    def facts(self) -> HasNotes:
        """Facts of the texts."""


def warn_of_notes(origins: Iterable[HasFacts]) -> None:
    """Warn of doubts about the data, once if several systems share one."""
    for note in dict.fromkeys(note for origin in origins for note in origin.facts.sentences):
        warn(note)
