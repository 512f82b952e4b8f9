"""Whole processes: what they take from start to end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Process:
    """What a process took, and what it printed."""

    seconds: float
    wall_seconds: float
    peak_bytes: int
    output: str


def run_process(*command: str) -> Process:
    """Run a command to its end, on one thread; an error of its own ends the measurement."""
    environment = {**os.environ, "NUMBA_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: S603
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}.")
    wall_seconds = time.perf_counter() - start
    return Process(usage.ru_utime + usage.ru_stime, wall_seconds, usage.ru_maxrss * 1024, output)


def run_python(program: str) -> Process:
    """Run a program by this interpreter."""
    return run_process(sys.executable, "-c", program)
