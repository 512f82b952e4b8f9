"""Stages in processes of their own, disturbed at a point that can be chosen again."""

import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from misread.pipeline.stages import STAGES
from tools.chaos.study import RESULTS, Stage, Study

# Operations on files as Python tells them (PEP 578); those on results are points at which a stage may be disturbed.
_OF_FILES: Final = frozenset({"open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.scandir", "fcntl.flock"})
YEARS: Final = 10 * 365 * 86_400.0
# What stages import when they run, which took most of their time.
_IMPORTED: Final = (
    *("misread.cli.stage", "misread.study.template", "pyarrow.parquet", "yaml"),
    *("rich.progress", "tenacity", "httpx", "scipy.stats"),
    *("fontTools.subset", "jinja2", "lxml.etree", "matplotlib.figure", "matplotlib.style"),
)


@dataclass(frozen=True)
class Ended:
    """How a command ended: its arguments, its status, negative for a signal, and what it said."""

    arguments: tuple[str, ...]
    status: int
    said: str
    points: int  # operations on results

    def unlike(self, status: int, *words: str) -> str:
        """A complaint if it did not end with this status, and a bad one with one line that has these words."""
        errors = [line for line in self.said.splitlines() if line.startswith("error: ")]
        is_answer = len(errors) == bool(status) and "Traceback" not in self.said
        is_like = self.status == status and is_answer and all(word in line for line in errors for word in words)
        return "" if is_like else f"{' '.join(self.arguments)} ended with {self.status} and said: {self.said}"


Disturb = Callable[[int], None]
"""Called in the stage with 0 at its start, and before every operation on results with its number."""


def run_stage(root: Path, stage: Stage, disturb: Disturb = lambda _: None) -> Ended:
    """Run a stage in a forked process."""
    return run_command(root, ("stage", *stage), disturb)


def run_command(
    root: Path,
    arguments: tuple[str, ...],
    disturb: Disturb = lambda _: None,
    attend: Callable[[int], AbstractContextManager[object]] = lambda _: nullcontext(),
) -> Ended:
    """Run `misread` with these arguments in a forked process, whose number is given to `attend` until it has ended."""
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as counted:
        child = os.fork()
        if not child:
            try:
                _be_the_command(root, arguments, disturb, said.fileno(), counted.fileno())
            finally:
                os._exit(70)
        with attend(child):
            _, status = os.waitpid(child, 0)
        said.seek(0)
        counted.seek(0)
        points = int(counted.read() or b"0")
        return Ended(arguments, os.waitstatus_to_exitcode(status), said.read().decode(errors="replace"), points)


def _be_the_command(root: Path, arguments: tuple[str, ...], disturb: Disturb, said: int, counted: int) -> None:
    from misread.cli import main

    os.setsid()
    # What a shell starts in the background ignores it, and all that it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(root)
    for stream in (1, 2):
        os.dup2(said, stream)
    sys.argv = ["misread", *arguments]
    disturb(points := 0)

    def count(event: str, details: tuple[object, ...]) -> None:
        nonlocal points
        if event in _OF_FILES and (event == "fcntl.flock" or str(details[0]).startswith(RESULTS)):
            points += 1
            disturb(points)

    sys.addaudithook(count)
    try:
        main()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException as error:  # noqa: BLE001  it is what the stage would end with
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
        status = 1
    os.pwrite(counted, str(points).encode(), 0)
    os._exit(status)


def load_stages(study: Study) -> None:
    """Import what stages import, once for all forked processes; nothing is run, so that no thread is there to fork."""
    for module in (*_IMPORTED, *(STAGES[name] for name, *_ in study.stages)):
        import_module(module)


def signalled(number: int, point: int, delay: float = 0.0) -> Disturb:
    """Send a signal to the stage, so many seconds after its n-th operation on results."""

    def disturb(seen: int) -> None:
        if seen == point and delay:
            threading.Timer(delay, os.kill, (os.getpid(), number)).start()
        elif seen == point:
            os.kill(os.getpid(), number)

    return disturb


def with_jumping_clock(seed: int) -> Disturb:
    """Let the clock of the stage jump by up to ten years, back and forth, whenever it is looked at."""

    def disturb(seen: int) -> None:
        if seen:
            return
        rng = random.Random(seed)
        now, now_ns = time.time, time.time_ns
        time.time = lambda: now() + rng.uniform(-YEARS, YEARS)
        time.time_ns = lambda: now_ns() + int(rng.uniform(-YEARS, YEARS) * 1e9)

    return disturb
