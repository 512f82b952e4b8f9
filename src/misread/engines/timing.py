"""Latencies, peak memory and throughput of reading."""

import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

import numpy as np

from misread.data.segment_table import Origin
from misread.errors import UndefinedResultError
from misread.io.checks.numbers import check_number, check_row
from misread.named_result import Record
from misread.types import BoolArray, FloatArray, IntArray

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Timings:
    """Cost of reading, one entry per segment that was read; recorded outputs have none. NaN means unknown."""

    origin: Origin
    latency_seconds: FloatArray
    peak_memory_bytes: FloatArray  # of the reading processes, during this segment
    _: KW_ONLY
    warm_up: BoolArray  # first readings of an engine, which take longer
    start_up_seconds: FloatArray
    first_byte_seconds: FloatArray
    input_tokens: FloatArray
    output_tokens: FloatArray
    attempts: FloatArray  # 1 where the first one succeeded
    segment_id: Sequence[str] = ()
    usd: FloatArray = field(default_factory=lambda: np.zeros(0))  # empty where none was recorded: a price says it then

    @property
    def warm_rows(self) -> IntArray:
        """Rows with a latency: all but the first readings, or these if no other row has one."""
        is_known = ~np.isnan(self.latency_seconds)
        return np.flatnonzero(is_known & (~self.warm_up | self.warm_up[is_known].all()))

    @property
    def warm_seconds(self) -> FloatArray:
        """Latencies of these rows."""
        return self.latency_seconds[self.warm_rows]


_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
_SELF = Path("/proc/self")
# Linux counts in kibibytes, macOS in bytes.
_UNIT = 1 if sys.platform == "darwin" else 1024


def peak_memory_bytes() -> int:
    """Peak resident memory of this process, of its running descendants, and of the largest one that has ended.

    Peaks are added although they need not fall on one moment: the sum may be too high, never too low, except for pages
    that processes share. Running descendants are counted on Linux only, ended ones not on Windows. See getrusage(2),
    proc_pid_status(5).
    """
    return _own_peak() + _ended_peak() + sum(_peak_of(process) for process in _descendants(_SELF))


class BlockPeak:
    """Peak of memory from now on.

    Linux counts a peak since a process began and lets it be reset. Where it cannot be reset, `since_block` is False and
    the peak counts from the start of this process. A child that began and ended inside the block is counted if it was
    larger than all that ended before.
    """

    def __init__(self) -> None:
        with _LOCK:
            # Enclosing blocks, and those of other threads, must not lose their peak by this reset.
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
        """Peak up to now; it survives a reset of the system's own."""
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


def _own_peak() -> int:
    if resource is None:
        import psutil

        memory = psutil.Process().memory_info()
        return int(getattr(memory, "peak_wset", memory.rss))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


def _ended_peak() -> int:
    return 0 if resource is None else resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _UNIT


def _reset_peak(process: Path) -> bool:
    """Reset the peak to what a process holds now; False if the system does not allow it."""
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
    match = _PEAK.search(_read(process / "status"))
    return int(match.group(1)) * 1024 if match else 0


def _read(path: Path) -> str:
    """Text of a file that may vanish with its process."""
    try:
        return path.read_text()
    except OSError:
        return ""


_MILLISECONDS = 1000.0


@dataclass
class LatencyMeter:
    """Collects latencies and sums them up, in milliseconds; keeps the peak of memory, too.

    Parameters
    ----------
    seconds : list of float
        Latencies measured already.
    peak_memory_bytes : int or None
        Most memory that this process and its children held inside any measured block, including what they held when the
        block began.
    peak_is_of_blocks : bool
        False if the system cannot reset the peak at the beginning of a block (all but Linux): then
        `peak_memory_bytes` is the peak since this process began.

    Raises
    ------
    InputTypeError
        If the latencies are not numbers in a row.

    References
    ----------
    Evaluation Metrics (Thulium suite), "Latency" and "Memory Usage" (the example).

    Examples
    --------
    >>> meter = LatencyMeter([0.010, 0.020, 0.030])
    >>> meter.mean(), meter.percentile(90)
    (20.0, 28.0)
    """

    seconds: list[float] = field(default_factory=list)
    peak_memory_bytes: int | None = None
    peak_is_of_blocks: bool = True

    def __post_init__(self) -> None:
        self.seconds = check_row("seconds", self.seconds).tolist()

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Measure the time and the memory of a block; a block that raises adds neither."""
        peak = BlockPeak()
        start = time.perf_counter()
        try:
            yield
            self.seconds.append(time.perf_counter() - start)
        finally:
            held = peak.close()
        self.peak_memory_bytes = max(held, self.peak_memory_bytes or 0)
        self.peak_is_of_blocks = peak.since_block

    def mean(self) -> float:
        """Mean latency in milliseconds.

        Raises
        ------
        UndefinedResultError
            If nothing was measured.
        """
        return float(np.mean(self._measured())) * _MILLISECONDS

    def percentile(self, percent: float) -> float:
        """Latency in milliseconds that this share of measurements does not exceed, by linear interpolation.

        Parameters
        ----------
        percent : float
            From 0 to 100.

        Raises
        ------
        UndefinedResultError
            If nothing was measured, or `percent` is out of range.
        """
        if not 0 <= check_number("percent", percent) <= 100:
            raise UndefinedResultError(f"a percentile lies between 0 and 100, not at {percent}.")
        return float(np.percentile(self._measured(), percent, method="linear")) * _MILLISECONDS

    def summary(self) -> dict[str, float]:
        """Mean, p50, p90 and p99 in milliseconds, and n."""
        percentiles = {f"p{percent}": self.percentile(percent) for percent in (50, 90, 99)}
        return {"mean": self.mean(), **percentiles, "n": len(self.seconds)}

    def _measured(self) -> list[float]:
        if not self.seconds:
            raise UndefinedResultError("no latency was measured; use `with meter.measure():` around the work.")
        return self.seconds


@dataclass(frozen=True, slots=True)
class Throughput(Record):
    """Units read per unit of time; None if the number of lines or pages is unknown.

    As a number, and in a format such as `f"{pace:.2f}"`, it is the samples per second.
    """

    samples_per_second: float
    lines_per_second: float | None
    pages_per_minute: float | None

    def __float__(self) -> float:
        return self.samples_per_second

    def __format__(self, pattern: str) -> str:
        return format(float(self), pattern) if pattern else str(self)


def throughput(samples: int, seconds: float, *, lines: int | None = None, pages: int | None = None) -> Throughput:
    """Rate of processing.

    Parameters
    ----------
    samples : int
        Number of samples processed.
    seconds : float
        Total time, above 0.
    lines, pages : int, optional
        Number of text lines and of document pages in the samples.

    Raises
    ------
    InputTypeError
        If an argument is not a number; names it.
    UndefinedResultError
        If the time is not above 0, or a number is negative.

    References
    ----------
    Evaluation Metrics (Thulium suite), "Throughput".

    Examples
    --------
    >>> throughput(120, 60.0, pages=12).pages_per_minute
    12.0
    """
    if not check_number("seconds", seconds) > 0:
        raise UndefinedResultError(f"throughput needs a time above 0, not {seconds} seconds.")
    for kind, number in (("samples", check_number("samples", samples)), ("lines", lines), ("pages", pages)):
        if number is not None and not check_number(kind, number) >= 0:
            raise UndefinedResultError(f"the number of {kind} is {number}, expected 0 or more.")
    return Throughput(
        samples / seconds, None if lines is None else lines / seconds, None if pages is None else 60 * pages / seconds
    )
