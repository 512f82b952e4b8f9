"""A copy of the project in which faults are inserted, and processes that run tests there."""

from __future__ import annotations

import importlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

CPU_SECONDS: Final = 120
# For tests that start programs or take long.
MOST_CPU_SECONDS: Final = 400
MEMORY: Final = 6_000_000_000
# Imported once, before the tests of each fault run in a process of their own that has them already.
HEAVY: Final = ("hypothesis", "numba", "numpy", "pandas", "pyarrow.parquet", "pydantic", "rapidfuzz", "scipy.stats")
NEVER: Final = "not (browser or engine or latex or sclite)"
FAST: Final = "not (browser or engine or latex or pipeline or process or sclite or slow)"
# Names of tests may have blanks; the reason stands behind a dash.
FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


class Bench:
    """A copy of the files that Git knows, with the machine code that was kept beside the sources."""

    def __init__(self, root: Path, copy: Path, *, slow_tests: bool) -> None:
        self.root = root
        self.copy = copy
        self._marks = NEVER if slow_tests else FAST
        self._cpu_seconds = MOST_CPU_SECONDS if slow_tests else CPU_SECONDS
        listed = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True, check=True,
        )  # fmt: skip
        names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
        for name in names:
            source, target = root / name, copy / name
            if source.is_file() and not (target.is_file() and target.stat().st_mtime == source.stat().st_mtime):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        known = set(names)
        for path in [*(copy / "src").rglob("*.py"), *(copy / "tests").rglob("*.py")]:
            if path.relative_to(copy).as_posix() not in known:
                path.unlink()
        self._lend_machine_code()
        for name in HEAVY:
            importlib.import_module(name)

    @contextmanager
    def inserted(self, module: str, changed: bytes) -> Iterator[None]:
        """Have a module changed within the block."""
        path = self.copy / "src/misread" / module
        before, times = path.read_bytes(), path.stat()
        try:
            self._write(path, changed)
            yield
        finally:
            self._write(path, before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            self._lend_machine_code()

    def first_failure(self, tests: Sequence[str]) -> str:
        """Run tests up to the first that fails, which is returned, or what ended them; "" if all pass."""
        code, failed = self._run(tests, "-x")
        if code in (0, 5):
            return ""
        return failed[0] if failed else f"signal {-code}" if code < 0 else f"exit status {code}"

    def failures(self, tests: Sequence[str]) -> list[str]:
        """Run tests, and list those that fail."""
        return self._run(tests)[1] if tests else []

    def _run(self, tests: Sequence[str], *options: str) -> tuple[int, list[str]]:
        """Run tests in a process of their own with limits of time and memory: its end, and the tests that failed."""
        log = self.copy / "build/tests.log"
        log.parent.mkdir(exist_ok=True)
        child = os.fork()
        if child == 0:
            self._run_here([*options, *tests], log)
        code = os.waitstatus_to_exitcode(_wait(child, self._cpu_seconds * 20))
        return code, FAILED.findall(log.read_text(encoding="utf-8", errors="replace"))

    def _run_here(self, tests: Sequence[str], log: Path) -> None:
        """Run tests in this process and end it."""
        code = 99
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (self._cpu_seconds, self._cpu_seconds + 5))
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            os.chdir(self.copy)
            output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(output, 1)
            os.dup2(output, 2)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            sys.dont_write_bytecode = False
            sys.path[:0] = [str(self.copy / "src"), str(self.copy)]
            sys.path[:] = [entry for entry in sys.path if Path(entry) not in (self.root, self.root / "src")]
            os.environ["PYTHONPATH"] = str(self.copy / "src")
            # Nobody waits for one mutant: as many examples as there are in CI.
            os.environ["CI"] = "true"
            options = ("-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "--hypothesis-seed=1")
            # A module that is asked for its examples may have functions such as `tests_of`.
            options += ("-o", "python_functions=test_*")
            code = int(pytest.main([*options, "-m", self._marks, *tests]))
        finally:
            sys.stdout.flush()
            os._exit(code)

    def _write(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        # Python tells by size and whole seconds whether this is still the module's.
        for kept in (path.parent / "__pycache__").glob(f"{path.stem}.cpython-*.pyc"):
            kept.unlink()

    def _lend_machine_code(self) -> None:
        for kept in (self.root / "src").rglob("*.nb[ic]"):
            target = self.copy / kept.relative_to(self.root)
            if not target.exists() or target.stat().st_mtime != kept.stat().st_mtime:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(kept, target)


def _wait(child: int, seconds: float) -> int:
    """Status of a child, which is ended if it only waits."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]
