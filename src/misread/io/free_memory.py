"""Free memory: reading within it, since a small file may expand beyond any machine's memory, and giving it back."""

from __future__ import annotations

import ctypes
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final

from misread.errors import InputFileError

_CGROUP: Final = Path("/sys/fs/cgroup")
_lock = Lock()
_within = 0
_before = (0, 0)


@contextmanager
def within_free_memory(path: Path) -> Iterator[None]:
    """Limit this process to the free memory while a file is read, so that the system does not kill it.

    Raises InputFileError, which names the file, if that is not enough. The limit holds for all threads until the last
    one leaves such a block. Only Linux reports and limits memory; elsewhere nothing is limited.
    """
    free = free_memory()
    _enter(free)
    try:
        yield
    except MemoryError:
        size = "" if free is None else f" ({free / 1e9:.1f} GB)"
        raise InputFileError(
            f"{path} takes more memory than is free{size}: a file that repeats values may be far smaller than its "
            "table; cut it into several, or read it on a larger machine."
        ) from None
    finally:
        _leave()


def free_memory() -> int | None:
    """Free bytes of the machine, with its swap, or of the container of this process; None if unknown."""
    try:
        kilobytes = _numbers(Path("/proc/meminfo"))
        free = 1024 * (kilobytes["MemAvailable"] + kilobytes["SwapFree"])
    except (OSError, KeyError, ValueError):
        return None
    try:
        limit, used = (int((_CGROUP / name).read_text(encoding="ascii")) for name in ("memory.max", "memory.current"))
    except (OSError, ValueError):
        # No container, or one without a limit ("max").
        return free
    return min(free, max(0, limit - used))


def release_memory() -> None:
    """Give back to the system what freed arrays and texts held.

    Arrow and the C library keep it for later, in pieces that seldom fit: a process that writes long texts would grow
    with their number, though it uses few at a time. Among C libraries, only that of GNU can be asked.
    """
    import pyarrow as pa

    # Arrow's pool of the C library asks it only where it is the default one.
    pa.default_memory_pool().release_unused()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)


def _enter(free: int | None) -> None:
    global _within, _before
    with _lock:
        if _within == 0:
            _before = resource.getrlimit(resource.RLIMIT_DATA)
            if free is not None:
                taken = 1024 * _numbers(Path("/proc/self/status"))["VmData"]
                soft, hard = _before
                most = [limit for limit in (taken + free, soft, hard) if limit != resource.RLIM_INFINITY]
                resource.setrlimit(resource.RLIMIT_DATA, (min(most), hard))
        _within += 1


def _leave() -> None:
    global _within
    with _lock:
        _within -= 1
        if _within == 0:
            resource.setrlimit(resource.RLIMIT_DATA, _before)


def _numbers(path: Path) -> dict[str, int]:
    """Kilobytes by name in a file of the kernel."""
    lines = (line.partition(":") for line in path.read_text(encoding="ascii", errors="replace").splitlines())
    return {name: int(value.removesuffix(" kB")) for name, _, value in lines if value.endswith(" kB")}
