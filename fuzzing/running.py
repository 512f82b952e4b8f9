"""Inputs given to a target in a process of its own, with limits of time and memory."""

from __future__ import annotations

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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final

from fuzzing.outcomes import Outcome
from fuzzing.targets import Target
from misread.errors import MisreadError

CPU_SECONDS: Final = 5.0
MEGABYTES: Final = 500
# The process is ended where nothing of Python's runs any more; the interval before only asks.
_HARD_SECONDS: Final = 30


class TooLongError(BaseException):
    """An input took more CPU time than any may."""


def run(target: Target, inputs: int, seed: int, folder: Path) -> Outcome:
    """Give a target so many inputs; those that it should have survived are kept in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    findings = folder / f"{target.name}.json"
    findings.write_text("{}", encoding="utf-8")
    counts = Counts()
    while counts.inputs < inputs:
        child = os.fork()
        if child == 0:
            _run_here(target, inputs, seed, findings, counts)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code != 0:
            # The process did not survive this input.
            what = f"the process ended ({f'signal {-code}' if code < 0 else f'status {code}'})"
            note_finding(findings, what, target.name, target.make(_generator(seed, target, counts.inputs)))
            counts.add(inputs=1)
    return outcome_of(target.name, findings, counts)


def outcome_of(name: str, findings: Path, counts: Counts) -> Outcome:
    """What came of the inputs so far."""
    found = json.loads(findings.read_text(encoding="utf-8"))
    return Outcome(name, counts.inputs, counts.accepted, counts.refused, found)


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


def _run_here(target: Target, inputs: int, seed: int, findings: Path, counts: Counts) -> None:
    """Take inputs in this process and end it."""
    status = 1
    try:
        with quiet_workplace() as work:
            taker = Taker(target, work, findings, counts)
            for number in range(counts.inputs, inputs):
                taker.take(target.make(_generator(seed, target, number)))
        status = 0
    finally:
        os._exit(status)


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


def _generator(seed: int, target: Target, number: int) -> random.Random:
    return random.Random(f"{seed} {target.name} {number}")


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
