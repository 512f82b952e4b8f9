"""Latencies, peak memory and throughput of reading."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from misread.engines.timing.memory import BlockPeak
from misread.errors import UndefinedResultError
from misread.io.checks.numbers import check_number, check_row
from misread.named_result import Record

_MILLISECONDS = 1000.0


@dataclass
class LatencyMeter:
    """Collects latencies and sums them up, in milliseconds; keeps the peak of memory beside them.

    Parameters
    ----------
    seconds : list of float
        Latencies measured already.
    peak_memory_bytes : int or None
        Most memory that this process and those it started have held inside a measured block, of all blocks; with what
        was held already when the block began, without what was given back before.
    peak_is_of_blocks : bool
        False where the system does not let the peak be set back at the beginning of a block (all but Linux): then
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
        """Measure the time and the memory of a block; one that raises adds neither a latency nor a peak."""
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
        return {
            "mean": self.mean(),
            "p50": self.percentile(50),
            "p90": self.percentile(90),
            "p99": self.percentile(99),
            "n": len(self.seconds),
        }

    def _measured(self) -> list[float]:
        if not self.seconds:
            raise UndefinedResultError("no latency was measured; use `with meter.measure():` around the work.")
        return self.seconds


@dataclass(frozen=True, slots=True)
class Throughput(Record):
    """What is read in a given time; None where the number of lines or pages, or the length of audio, is not known."""

    samples_per_second: float
    lines_per_second: float | None
    pages_per_minute: float | None
    real_time_factor: float | None = None


def throughput(
    samples: int,
    seconds: float,
    *,
    lines: int | None = None,
    pages: int | None = None,
    audio_seconds: float | None = None,
) -> Throughput:
    """Rate of processing.

    Parameters
    ----------
    samples : int
        Number of samples processed.
    seconds : float
        Time that all of them took together, above 0.
    lines, pages : int, optional
        Number of text lines and of document pages among them.
    audio_seconds : float, optional
        Length of the audio among them.

    Raises
    ------
    InputTypeError
        If what is given is not a number; names it.
    UndefinedResultError
        If the time, or the length of audio, is not above 0, or a number is negative.

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
        samples / seconds,
        None if lines is None else lines / seconds,
        None if pages is None else 60 * pages / seconds,
        None if audio_seconds is None else real_time_factor(seconds, audio_seconds),
    )


def real_time_factor(seconds: float, audio_seconds: float) -> float:
    """Seconds of processing per second of audio: below 1 is faster than speech.

    Parameters
    ----------
    seconds : float
        Time of processing, 0 or more.
    audio_seconds : float
        Length of the audio, above 0.

    Raises
    ------
    InputTypeError
        If what is given is not a number; names it.
    UndefinedResultError
        If the length is not above 0, or the time is negative.

    Examples
    --------
    >>> real_time_factor(15.0, 60.0)
    0.25
    """
    if not check_number("audio_seconds", audio_seconds) > 0:
        raise UndefinedResultError(f"the real-time factor needs audio longer than 0, not {audio_seconds} seconds.")
    if not check_number("seconds", seconds) >= 0:
        raise UndefinedResultError(f"processing took {seconds} seconds, expected 0 or more.")
    return seconds / audio_seconds
