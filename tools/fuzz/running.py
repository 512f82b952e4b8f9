"""Inputs given to a target in a process of its own, with limits of time and memory."""

from __future__ import annotations

import gc
import json
import logging
import mmap
import os
import random
import resource
import signal
import struct
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final

from misread.errors import MisreadError
from tools.fuzz.outcomes import Outcome
from tools.fuzz.targets import Target

CPU_SECONDS: Final = 5.0
MEGABYTES: Final = 500
# The process is ended where nothing of Python's runs any more; the interval before only asks.
_HARD_SECONDS: Final = 30


class TooLongError(BaseException):
    """An input took more CPU time than any may."""


def run(target: Target, inputs: int, seed: int, folder: Path) -> Outcome:
    """Give a target so many inputs; those that it should have survived are kept in `folder`."""

    def made(number: int) -> bytes:
        return target.make(random.Random(f"{seed} {target.name} {number}"))

    def take_rest(counts: Counts, findings: Path) -> None:
        with quiet_workplace() as work:
            taker = Taker(target, work, findings, counts)
            for number in range(counts.inputs, inputs):
                taker.take(made(number))

    return run_apart(target.name, inputs, folder, take_rest, made)


def run_apart(
    name: str,
    inputs: int,
    folder: Path,
    take_rest: Callable[[Counts, Path], None],
    fatal: Callable[[int], bytes],
) -> Outcome:
    """Give inputs to a target in processes of their own, the next where one ended, until so many were taken.

    `take_rest` takes what `counts` says is left; `fatal` is the input, by its number, that a process did not survive.
    RuntimeError where no input was at fault.
    """
    folder.mkdir(parents=True, exist_ok=True)
    findings = folder / f"{name}.json"
    findings.write_text("{}", encoding="utf-8")
    failure = folder / f"{name}.traceback"
    counts = Counts()
    while counts.inputs < inputs:
        failure.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            _end_after(lambda: take_rest(counts, findings), failure)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if failure.exists():
            raise RuntimeError(f"{name}: inputs could not be taken:\n{failure.read_text(encoding='utf-8')}")
        if code != 0:
            what = f"the process ended ({f'signal {-code}' if code < 0 else f'status {code}'})"
            note_finding(findings, what, name, fatal(counts.inputs))
            counts.add(inputs=1)
    found = json.loads(findings.read_text(encoding="utf-8"))
    return Outcome(name, counts.inputs, counts.accepted, counts.refused, found)


def _end_after(work: Callable[[], None], failure: Path) -> None:
    """End this process after its work; what goes wrong beside an input is written down, for it says nothing else."""
    status = 1
    try:
        work()
        status = 0
    except BaseException:  # noqa: BLE001  nothing may run on in a copy of the process
        failure.write_text(traceback.format_exc(), encoding="utf-8")
    finally:
        os._exit(status)


def check(target: Target, data: bytes, folder: Path) -> str | None:
    """What was wrong with how a target took an input; None where it was accepted, "" where it was refused rightly."""
    try:
        with _limited():
            target.take(data, folder)
    except MisreadError as error:
        if "\n" in str(error) or "\x1b" in str(error):
            return f"{type(error).__name__} of several lines or with control characters"
        return ""
    except TooLongError as error:
        return f"took more than {CPU_SECONDS:g} s in {_place(error)}"
    except BaseException as error:  # noqa: BLE001  whatever it is, it is what is looked for
        return f"{type(error).__name__} in {_place(error)}"
    return None


@contextmanager
def quiet_workplace() -> Iterator[Path]:
    """An empty working directory for a process that is to say nothing."""
    warnings.simplefilter("ignore")
    logging.disable()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    with tempfile.TemporaryDirectory(prefix="misread-fuzz-") as work:
        os.chdir(work)
        yield Path(work)


class Taker:
    """Gives a target one input after the other; counts them, and keeps those that it should have survived."""

    def __init__(self, target: Target, work: Path, findings: Path, counts: Counts) -> None:
        self._target, self._work, self._findings, self._counts = target, work, findings, counts
        for sample in target.samples:
            # What is imported or compiled at first use is not an input's doing.
            with suppress(MisreadError):
                target.take(sample, work)
        self._before = _megabytes()

    def take(self, data: bytes) -> None:
        """Give the target an input."""
        wrong = check(self._target, data, self._work)
        now = _megabytes()
        if now - self._before > MEGABYTES:
            wrong = wrong or f"took {now - self._before:,.0f} MB"
        self._before = now
        if wrong:
            note_finding(self._findings, wrong, self._target.name, data)
        self._counts.add(inputs=1, accepted=int(wrong is None), refused=int(wrong == ""))


@contextmanager
def _limited() -> Iterator[None]:
    def stop(_: int, __: FrameType | None) -> None:
        raise TooLongError

    # Where an input is nested deeply, nothing of others can be closed: garbage has time until it was taken.
    is_collecting = gc.isenabled()
    gc.disable()
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    used = resource.getrusage(resource.RUSAGE_SELF)
    end = int(used.ru_utime + used.ru_stime) + _HARD_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        if is_collecting:
            gc.enable()


class Counts:
    """Numbers that a process shares with the one that waits for it."""

    _FORM: Final = struct.Struct("qqq")

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, self._FORM.size)

    def add(self, *, inputs: int = 0, accepted: int = 0, refused: int = 0) -> None:
        """Count an input."""
        self._memory[:] = self._FORM.pack(self.inputs + inputs, self.accepted + accepted, self.refused + refused)

    @property
    def inputs(self) -> int:
        return int(self._FORM.unpack(self._memory[:])[0])

    @property
    def accepted(self) -> int:
        return int(self._FORM.unpack(self._memory[:])[1])

    @property
    def refused(self) -> int:
        return int(self._FORM.unpack(self._memory[:])[2])


def note_finding(findings: Path, what: str, name: str, data: bytes) -> None:
    """Keep the first input that had such an effect."""
    known = json.loads(findings.read_text(encoding="utf-8"))
    if what not in known:
        file = findings.with_name(f"{name}-{len(known) + 1}.input")
        file.write_bytes(data)
        findings.write_text(json.dumps({**known, what: file.name}, indent=1), encoding="utf-8")


def _place(error: BaseException) -> str:
    """Last line of misread in a traceback."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/src/misread/" in frame.filename]
    if not frames:
        return "no line of misread"
    return f"{frames[-1].filename.rpartition('/src/misread/')[2]} {frames[-1].name}"


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
