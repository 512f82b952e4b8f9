"""Inputs given to a target in a process of its own, with limits of time and memory."""

from __future__ import annotations

import gc
import json
import logging
import os
import random
import resource
import signal
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final

from misread.errors import MisreadError
from tools.fuzz.targets import Target

CPU_SECONDS: Final = 5.0
MEGABYTES: Final = 500
# The process is ended where nothing of Python's runs any more; the interval before only asks.
_HARD_SECONDS: Final = 30
# What became of an input, as a byte of the file of progress.
_ACCEPTED, _REFUSED, _WRONG = b"a", b"r", b"w"


class TooLongError(BaseException):
    """An input took more CPU time than any may."""


@dataclass
class Outcome:
    """What came of the inputs of a target."""

    target: str
    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    findings: dict[str, str] = field(default_factory=dict)  # file of the first input, by what happened and where


def run(target: Target, inputs: int, seed: int, folder: Path) -> Outcome:
    """Give a target so many inputs; those that it should have survived are kept in `folder`.

    They are given in a process, and in another one where that ended, until all were taken. RuntimeError where no input
    was at fault.
    """
    folder.mkdir(parents=True, exist_ok=True)
    findings, progress, failure = (folder / f"{target.name}.{kind}" for kind in ("json", "progress", "traceback"))
    findings.write_text("{}", encoding="utf-8")
    progress.write_bytes(b"")
    failure.unlink(missing_ok=True)

    def make(number: int) -> bytes:
        return target.make(random.Random(f"{seed} {target.name} {number}"))

    while (taken := progress.stat().st_size) < inputs:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                _take_all(target, map(make, range(taken, inputs)), findings, progress)
                status = 0
            except BaseException:  # noqa: BLE001  nothing may run on in a copy of the process
                failure.write_text(traceback.format_exc(), encoding="utf-8")
            finally:
                os._exit(status)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if failure.exists():
            raise RuntimeError(f"{target.name}: inputs could not be taken:\n{failure.read_text(encoding='utf-8')}")
        if code != 0:
            what = f"the process ended ({f'signal {-code}' if code < 0 else f'status {code}'})"
            _note(findings, what, target.name, make(progress.stat().st_size))
            with progress.open("ab") as file:
                file.write(_WRONG)
    ends = progress.read_bytes()
    found = json.loads(findings.read_text(encoding="utf-8"))
    return Outcome(target.name, len(ends), ends.count(_ACCEPTED), ends.count(_REFUSED), found)


def _take_all(target: Target, inputs: Iterator[bytes], findings: Path, progress: Path) -> None:
    """Take inputs in a process that says nothing, in an empty working directory."""
    warnings.simplefilter("ignore")
    logging.disable()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    findings = findings.resolve()
    with progress.open("ab", buffering=0) as file, tempfile.TemporaryDirectory(prefix="misread-fuzz-") as name:
        work = Path(name)
        os.chdir(work)
        for sample in target.samples:
            # What is imported or compiled at first use is not an input's doing.
            with suppress(MisreadError):
                target.take(sample, work)
        before = _megabytes()
        for data in inputs:
            wrong = check(target, data, work)
            now = _megabytes()
            if now - before > MEGABYTES:
                wrong = wrong or f"took {now - before:,.0f} MB"
            before = now
            if wrong:
                _note(findings, wrong, target.name, data)
            file.write(_WRONG if wrong else _ACCEPTED if wrong is None else _REFUSED)


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


def _note(findings: Path, what: str, name: str, data: bytes) -> None:
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
