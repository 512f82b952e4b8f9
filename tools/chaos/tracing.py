"""Calls of the system that a command makes on files of a study, as strace lists them, and lets one of them fail."""

import ctypes
import os
import random
import re
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

_OPENING: Final = ("open", "openat")
_NAMES: Final = (
    *(*_OPENING, "mkdir", "mkdirat", "rename", "renameat", "renameat2"),
    *("write", "writev", "pwrite64", "ftruncate", "fsync", "fdatasync"),
)
LISTING: Final = (f"--trace={','.join(_NAMES)}",)
"""Options by which all calls are listed that write, and those that open a file."""

_LINE: Final = re.compile(r"(\d+) +(\w+)\((.*)")
# A path that is given, or that of a file that is open.
_PATH: Final = re.compile(r'"([^"]*)"|\b\d+<(/[^>]*)>')
_WRITING: Final = re.compile("O_WRONLY|O_RDWR|O_CREAT")
_PROCESS: Final = re.compile(r"\.\d+\.part\b")
_HIDDEN: Final = re.compile(r"\.(.+?)(\.made)?(\.\{process\})?\.(part|lock)")
_LONGEST_WAIT: Final = 20.0
_PR_SET_PTRACER: Final = 0x59616D61


@dataclass(frozen=True)
class Call:
    """The n-th call of this name, by one thread, that has this file."""

    name: str
    path: str  # from the folder of the study, if it is in it; {process} stands for the number of the process
    number: int

    @property
    def names(self) -> tuple[str, str]:
        """Names under which the user knows what cannot be written: of the file, and of what it is a part of."""
        path = Path(self.path)
        folder = path.parent
        # Files of a run, on their way into its folder or out of it.
        whole = folder.parent if folder.name.startswith((".new.", ".old.")) else folder
        return _HIDDEN.sub(r"\1", path.name), _HIDDEN.sub(r"\1", whole.name)

    def failing(self, root: Path, error: str, process: int) -> list[str]:
        """Options by which this call fails, and those before it are listed."""
        path = self.path.replace("{process}", str(process))
        injection = f"--inject={self.name}:error={error}:when={self.number}"
        return [f"--trace={self.name}", injection, f"--trace-path={path}", f"--trace-path={root / path}"]


def reason_not_to_trace() -> str:
    """Why calls cannot be made to fail here, and what to do; empty where they can."""
    try:
        subprocess.run(["strace", "--output=/dev/null", "true"], check=True, capture_output=True)
    except FileNotFoundError:
        return "strace is not installed: `apt-get install strace`"
    except subprocess.CalledProcessError as error:
        return f"strace may not trace: {error.stderr.decode().strip().splitlines()[-1]}"
    return ""


def traced(log: Path, *options: str) -> list[str]:
    """The command line of strace, which goes before a command or the number of a process."""
    return ["strace", "--follow-forks", "--decode-fds=path", "--string-limit=0", f"--output={log}", *options]


@contextmanager
def attached(log: Path, options: Callable[[int], Sequence[str]], process: int) -> Iterator[None]:
    """Trace a process of this one, which waits for that, to its end."""
    command = [*traced(log, *options(process)), f"--attach={process}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        yield


def wait_for_tracer(folder: Path, seen: int) -> None:
    """At the start of a process, wait until it is traced; its temporary files are in a folder and have fixed names."""
    if seen:
        return
    tempfile.tempdir = str(folder)
    # Files without a name, or with one that is drawn, would be others in every run.
    vars(tempfile).update(_name_sequence=map(str, count()), _O_TMPFILE_WORKS=False)
    os.urandom = random.Random(0).randbytes
    if prctl := getattr(ctypes.CDLL(None), "prctl", None):
        # Systems let a process trace its own children alone, unless these allow it.
        prctl(_PR_SET_PTRACER, ctypes.c_ulong(-1), 0, 0, 0)
    deadline = time.monotonic() + _LONGEST_WAIT
    while "TracerPid:\t0\n" in Path("/proc/self/status").read_text(encoding="ascii"):
        if time.monotonic() > deadline:
            raise SystemExit("nobody traces this process")
        time.sleep(0.002)


def writing_calls(log: Path, root: Path, folders: Sequence[str]) -> list[Call]:
    """Calls in a log that write into these folders, which are in the study or absolute, in their order."""
    counts: Counter[tuple[str, str, str]] = Counter()
    calls: dict[Call, None] = {}
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        if not (match := _LINE.match(line)):
            continue
        thread, name, arguments = match.groups()
        paths = [_from(root, given or opened) for given, opened in _PATH.findall(arguments) if given or opened]
        for path in dict.fromkeys(paths):
            counts[thread, name, path] += 1
        if not paths or (name in _OPENING and not _WRITING.search(arguments)):
            continue
        path = paths[0]
        if path.startswith(tuple(folders)):
            calls[Call(name, _PROCESS.sub(".{process}.part", path), counts[thread, name, path])] = None
    return list(calls)


def _from(root: Path, path: str) -> str:
    return os.path.normpath(root / path).removeprefix(f"{root}/")
