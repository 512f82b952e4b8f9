"""Time and memory of whole processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Process:
    """Time, memory and output of a process."""

    seconds: float
    wall_seconds: float
    peak_bytes: int
    output: str


# A process inherits the peak memory of the one that started it, so a small launcher runs in between.
_LAUNCHER = """
import json, os, sys
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as report:
    json.dump([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024], report)
"""


def run_process(*command: str, environment: Mapping[str, str] | None = None) -> Process:
    """Run a command, by default in this environment and on one thread; its failure ends the measurement."""
    if environment is None:
        # Keep bytecode, as users do, whatever this environment says.
        environment = {**os.environ, "NUMBA_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}
    with NamedTemporaryFile("r") as report:
        launch = [sys.executable, "-I", "-S", "-c", _LAUNCHER, report.name, *command]
        start = time.perf_counter()
        done = subprocess.run(launch, stdout=subprocess.PIPE, text=True, env=environment, check=True)
        wall_seconds = time.perf_counter() - start
        status, seconds, peak_bytes = json.load(report)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} ended with status {status}.")
    return Process(seconds, wall_seconds, peak_bytes, done.stdout)


def run_python(program: str) -> Process:
    """Run a program with this interpreter."""
    return run_process(sys.executable, "-c", program)


def run_misread(*arguments: str) -> Process:
    """Run the command of this environment."""
    return run_process(str(Path(sys.executable).with_name("misread")), *arguments)
