"""Peak memory of this process and those it started: since it began, or inside one block."""

import re
import resource
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
_SELF = Path("/proc/self")
# Linux counts in kibibytes, macOS in bytes.
_UNIT = 1 if sys.platform == "darwin" else 1024


def peak_memory_bytes() -> int:
    """Peak resident memory of this process, of its running descendants, and of the largest one that has ended.

    Peaks are added although they need not fall on one moment: the sum may be too high, never too low, except for pages
    that processes share. Running descendants are seen on Linux only. See getrusage(2), proc_pid_status(5).
    """
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT
    return own + _ended_peak() + sum(_peak_of(process) for process in _descendants(_SELF))


class BlockPeak:
    """Peak of memory from now on.

    Linux counts a peak since a process began and lets it be set back. Where it cannot be, `since_block` is False and
    the peak is that since this process began. A child that began and ended inside the block is counted if it was
    larger than all that had ended before.
    """

    def __init__(self) -> None:
        with _LOCK:
            # Blocks around this one, or of other threads, lose nothing by the peak being set back.
            for other in _OPEN:
                other.look()
            self._seen = 0
            self._ended_before = _ended_peak()
            self.since_block = _reset_peak(_SELF)
            for child in _descendants(_SELF):
                _reset_peak(child)
            _OPEN.append(self)

    def close(self) -> int:
        """Peak in bytes up to now, of this process and its descendants, added as in `peak_memory_bytes`."""
        with _LOCK:
            _OPEN.remove(self)
            return self.look()

    def look(self) -> int:
        """Peak up to now, kept when the system's own is set back."""
        if self.since_block:
            ended = _ended_peak()
            running = sum(_peak_of(process) for process in (_SELF, *_descendants(_SELF)))
            peak = running + (ended if ended > self._ended_before else 0)
        else:
            peak = peak_memory_bytes()
        self._seen = max(self._seen, peak)
        return self._seen


_OPEN: list[BlockPeak] = []
_LOCK = threading.Lock()


def _ended_peak() -> int:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _UNIT


def _reset_peak(process: Path) -> bool:
    """Set the peak back to what a process holds now; False where the system does not let it be."""
    try:
        # proc_pid_clear_refs(5): 5 resets VmHWM.
        (process / "clear_refs").write_text("5")
    except OSError:
        return False
    return True


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
