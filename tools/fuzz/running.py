"""Inputs given to a target in a process of its own, with limits of time and memory."""

import gc
import logging
import os
import random
import signal
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from types import FrameType
from typing import Final

from misread.errors import MisreadError
from tools.fuzz.targets import Target

CPU_SECONDS: Final = 5.0
MEGABYTES: Final = 500
# The alarm ends a process in which nothing of Python's runs any more; the interval before only asks.
_HARD_SECONDS: Final = 60


class TooLongError(BaseException):
    """An input took more CPU time than any may."""


@dataclass
class Outcome:
    """What came of the inputs of a target."""

    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    findings: dict[str, str] = field(default_factory=dict)  # the first input, or its file, by what happened and where


def run(target: Target, inputs: int, seed: int, folder: Path) -> Outcome:
    """Give a target so many inputs in a process of its own; those that it should have survived are kept in `folder`.

    A process that ends is the last finding. RuntimeError where no input was at fault.
    """
    folder.mkdir(parents=True, exist_ok=True)
    receiver, sender = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=_take_all, args=(target, inputs, seed, folder, sender))
    process.start()
    sender.close()
    try:
        done = receiver.recv()
    except EOFError:
        process.join()
        what = f"the process ended (status {process.exitcode}, negative for a signal)"
        return Outcome(findings={what: str(folder / f"{target.name}.input")})
    if isinstance(done, RuntimeError):
        raise done
    return done


def _take_all(target: Target, inputs: int, seed: int, folder: Path, sender: Connection) -> None:
    """Take inputs in a process that says nothing, in an empty working directory; each lies in a file meanwhile."""
    warnings.simplefilter("ignore")
    logging.disable()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    done, current = Outcome(), folder / f"{target.name}.input"
    with tempfile.TemporaryDirectory(prefix="misread-fuzz-") as name:
        os.chdir(name)
        try:
            for sample in target.samples:
                # What is imported or compiled at first use is not an input's doing.
                with suppress(MisreadError):
                    target.take(sample, Path(name))
            for number in range(inputs):
                data = target.make(random.Random(f"{seed} {target.name} {number}"))
                current.write_bytes(data)
                signal.alarm(_HARD_SECONDS)
                verdict = check(target, data, Path(name))
                done.inputs += 1
                done.accepted += verdict is None
                done.refused += verdict == ""
                if verdict and verdict not in done.findings:
                    file = folder / f"{target.name}-{len(done.findings) + 1}.input"
                    done.findings[verdict] = str(current.replace(file))
            signal.alarm(0)
            current.unlink(missing_ok=True)
            sender.send(done)
        except Exception:  # noqa: BLE001  no input did it
            sender.send(RuntimeError(f"{target.name}: inputs could not be taken:\n{traceback.format_exc()}"))


def check(target: Target, data: bytes, folder: Path) -> str | None:
    """What was wrong with how a target took an input; None where it was accepted, "" where it was refused rightly."""
    before = getrusage(RUSAGE_SELF).ru_maxrss
    verdict = None
    try:
        with _limited():
            target.take(data, folder)
    except MisreadError as error:
        is_line = "\n" not in str(error) and "\x1b" not in str(error)
        verdict = "" if is_line else f"{type(error).__name__} of several lines or with control characters"
    except TooLongError as error:
        return f"took more than {CPU_SECONDS:g} s in {_place(error)}"
    except BaseException as error:  # noqa: BLE001  whatever it is, it is what is looked for
        return f"{type(error).__name__} in {_place(error)}"
    megabytes = (getrusage(RUSAGE_SELF).ru_maxrss - before) / 1024
    return verdict or f"took {megabytes:,.0f} MB" if megabytes > MEGABYTES else verdict


@contextmanager
def _limited() -> Iterator[None]:
    def stop(_: int, __: FrameType | None) -> None:
        raise TooLongError

    # Where an input is nested deeply, nothing of others can be closed: garbage has time until it was taken.
    is_collecting = gc.isenabled()
    gc.disable()
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        if is_collecting:
            gc.enable()


def _place(error: BaseException) -> str:
    """Last line of misread in a traceback."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/src/misread/" in frame.filename]
    if not frames:
        return "no line of misread"
    return f"{frames[-1].filename.rpartition('/src/misread/')[2]} {frames[-1].name}"
