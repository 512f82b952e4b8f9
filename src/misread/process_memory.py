"""Most memory that this process and those it started have held."""

from __future__ import annotations

import re
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)


def peak_memory_bytes() -> int:
    """Peak resident memory of this process, of its running descendants, and of the largest one that has ended.

    Peaks are added although they need not fall on one moment: what is told may be too much, never too little, except
    for pages that processes share. Running descendants are seen on Linux only.

    Returns
    -------
    int

    References
    ----------
    getrusage(2), proc_pid_status(5).

    Examples
    --------
    >>> peak_memory_bytes() > 1_000_000
    True
    """
    # Linux counts in kibibytes, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    ended = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(ended) * unit + sum(_peak_of(process) for process in _descendants(Path("/proc/self")))


def _descendants(process: Path) -> Iterator[Path]:
    for children in process.glob("task/*/children"):
        for number in _read(children).split():
            child = Path("/proc") / number
            yield child
            yield from _descendants(child)


def _peak_of(process: Path) -> int:
    found = _PEAK.search(_read(process / "status"))
    return int(found.group(1)) * 1024 if found else 0


def _read(path: Path) -> str:
    """Text of a file that may vanish with its process."""
    try:
        return path.read_text()
    except OSError:
        return ""
