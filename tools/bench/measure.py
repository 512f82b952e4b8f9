"""Measurements of misread and other tools: interleaved runs, on one thread, in CPU time; memory of whole processes."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import NamedTemporaryFile

from tools.parts import ROOT

# A process inherits the peak memory of the one that started it, so a small launcher runs in between.
_LAUNCHER = """
import json, os, sys
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as report:
    json.dump([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024], report)
"""
# Where commands are looked for: in this environment first.
PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))


@dataclass(frozen=True, slots=True)
class Measured:
    """With what something is compared, the figure as it is shown, and the values of all rounds."""

    beside: str
    figure: str
    values: Sequence[float]
    more_is_better: bool = False


Measure = Callable[[int], Measured]
"""Given the number of rounds."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    work: str
    output: str
    measure: Measure
    goal: str = ""
    stretch: str = ""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another tool with the same result, and the share of the work that it is given."""

    name: str
    run: Callable[[], object]
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Process:
    """CPU time, time by the clock and memory of a process."""

    seconds: float
    wall_seconds: float
    peak_bytes: int


def speed_up(run: Callable[[], object], *peers: Peer) -> Measure:
    """How many times as fast it is as the fastest peer, in CPU time, with the name of that peer."""

    def measure(rounds: int) -> Measured:
        own, *others = interleave([run, *(peer.run for peer in peers)], rounds)
        totals = {
            peer.name: [seconds / peer.share for seconds in spent] for spent, peer in zip(others, peers, strict=True)
        }
        fastest = min(totals, key=lambda name: median(totals[name]))
        ratios = [other / least for other, least in zip(totals[fastest], own, strict=True)]
        return Measured(fastest, f"{median(totals[fastest]) / median(own):.3g} x", ratios, more_is_better=True)

    return measure


def times_as_long(run: Callable[[], object], name: str, other: Callable[[], object]) -> Measure:
    """Its CPU time over that of something else."""

    def measure(rounds: int) -> Measured:
        others, own = interleave([other, run], rounds)
        ratios = [seconds / least for seconds, least in zip(own, others, strict=True)]
        return Measured(name, f"{median(own) / median(others):.3g} x the time", ratios)

    return measure


def by_itself(measure: Callable[[], float], unit: str) -> Measure:
    """What a process takes, which is compared with other versions only."""

    def repeat(rounds: int) -> Measured:
        values = [measure() for _ in range(rounds)]
        return Measured("itself", f"{median(values):.2g} {unit}", values)

    return repeat


def peak_of(run: Callable[[], Process]) -> Measure:
    """Peak memory of a process."""

    def measure(_: int) -> Measured:
        megabytes = run().peak_bytes / 1e6
        return Measured("itself", f"{megabytes:.0f} MB", [megabytes])

    return measure


def costs(run: Callable[[], Process]) -> Measure:
    """CPU time, time by the clock and memory of a process, which is run once."""

    def measure(_: int) -> Measured:
        process = run()
        shown = f"{process.seconds:.1f} CPU-s, {process.wall_seconds:.1f} s, {process.peak_bytes / 1e9:.2f} GB"
        return Measured("itself", shown, [process.seconds])

    return measure


def interleave(runs: list[Callable[[], object]], rounds: int) -> list[list[float]]:
    """Run in turn, once to warm up and then `rounds` times; the CPU seconds of each in every round."""
    measured = [[_cpu_seconds(run) for run in runs] for _ in range(rounds + 1)]
    return [list(seconds) for seconds in zip(*measured[1:], strict=True)]


def _cpu_seconds(run: Callable[[], object]) -> float:
    """CPU time of this process, or of the one that was run."""
    start = time.process_time()
    result = run()
    return result.seconds if isinstance(result, Process) else time.process_time() - start


def run_process(*command: str, environment: Mapping[str, str] | None = None) -> Process:
    """Run a command, by default in this environment and on one thread; its failure ends the measurement."""
    if environment is None:
        # Keep bytecode, as users do, whatever this environment says.
        environment = {**os.environ, "NUMBA_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}
    with NamedTemporaryFile("r") as report:
        launch = [sys.executable, "-I", "-S", "-c", _LAUNCHER, report.name, *command]
        start = time.perf_counter()
        subprocess.run(launch, stdout=subprocess.DEVNULL, env={**environment, "PATH": PATH}, check=True)
        wall_seconds = time.perf_counter() - start
        status, seconds, peak_bytes = json.load(report)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} ended with status {status}.")
    return Process(seconds, wall_seconds, peak_bytes)


def run_python(program: str) -> Process:
    """Run a program with this interpreter."""
    return run_process(sys.executable, "-c", program)


def run_command(name: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Process:
    """Run a command of this environment."""
    return run_process(str(Path(sys.executable).with_name(name)), *arguments, environment=environment)
