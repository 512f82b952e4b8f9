"""Time and memory of whole processes, in this environment or in one that is as a newcomer has it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

ROOT = Path(__file__).resolve().parents[2]
# A process inherits the peak memory of the one that started it, so a small launcher runs in between.
_LAUNCHER = """
import json, os, sys
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as report:
    json.dump([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024], report)
"""


@dataclass(frozen=True, slots=True)
class Process:
    """CPU time, time by the clock and memory of a process."""

    seconds: float
    wall_seconds: float
    peak_bytes: int


def run_process(*command: str, environment: Mapping[str, str] | None = None) -> Process:
    """Run a command, by default in this environment and on one thread; its failure ends the measurement."""
    if environment is None:
        # Keep bytecode, as users do, whatever this environment says.
        environment = {**os.environ, "NUMBA_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}
    with NamedTemporaryFile("r") as report:
        launch = [sys.executable, "-I", "-S", "-c", _LAUNCHER, report.name, *command]
        start = time.perf_counter()
        subprocess.run(launch, stdout=subprocess.DEVNULL, env=environment, check=True)
        wall_seconds = time.perf_counter() - start
        status, seconds, peak_bytes = json.load(report)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} ended with status {status}.")
    return Process(seconds, wall_seconds, peak_bytes)


def run_python(program: str) -> Process:
    """Run a program with this interpreter."""
    return run_process(sys.executable, "-c", program)


def run_command(name: str, *arguments: str) -> Process:
    """Run a command of this environment."""
    return run_process(str(Path(sys.executable).with_name(name)), *arguments)


class FreshInstall:
    """The wheel in an environment of its own, beside the libraries of this one, with nothing kept from before.

    To build the wheel takes pip and its index, or its cache.
    """

    def __init__(self, folder: Path) -> None:
        self._programs = folder / "environment" / "bin"
        self._home = folder / "home"
        self._home.mkdir()
        pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
        subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT], check=True)
        (wheel,) = folder.glob("*.whl")
        venv.create(folder / "environment", symlinks=True)
        target = (*pip, "--python", self._programs / "python", "install", "--no-deps", "--no-index")
        subprocess.run([*target, wheel], check=True)
        (self._libraries,) = (folder / "environment").rglob("site-packages")
        (self._libraries / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")

    def run(self, *arguments: str) -> Process:
        """Run the command `misread` with what was kept by runs before."""
        # As in a container: nothing of this environment, and a home of its own.
        environment = {"PATH": f"{self._programs}:/usr/bin:/bin", "HOME": str(self._home)}
        return run_process(str(self._programs / "misread"), *arguments, environment=environment)

    def run_first(self, *arguments: str) -> Process:
        """Run it as if for the first time ever: machine code, and what says which there is, are gone."""
        for path in [*self._libraries.rglob("*.nbc"), *self._libraries.rglob("*.nbi")]:
            path.unlink()
        return self.run(*arguments)
