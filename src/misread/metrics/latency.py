"""How long reading takes: latencies, and how much is read in a given time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from misread.errors import UndefinedResultError
from misread.metrics.record import Record

_MILLISECONDS = 1000.0


@dataclass
class LatencyMeter:
    """Collects latencies and sums them up, in milliseconds.

    Parameters
    ----------
    seconds : list of float
        Latencies measured already.

    References
    ----------
    seeds/001, "Latency" and "Memory Usage" (the example).

    Examples
    --------
    >>> meter = LatencyMeter([0.010, 0.020, 0.030])
    >>> meter.mean(), meter.percentile(90)
    (20.0, 28.0)
    """

    seconds: list[float] = field(default_factory=list)

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Measure the time of a block; one that raises is no latency."""
        start = time.perf_counter()
        yield
        self.seconds.append(time.perf_counter() - start)

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
        if not 0 <= percent <= 100:
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
    """What is read in a given time; None where the number of lines or pages is not known."""

    samples_per_second: float
    lines_per_second: float | None
    pages_per_minute: float | None


def throughput(samples: int, seconds: float, *, lines: int | None = None, pages: int | None = None) -> Throughput:
    """Rate of processing.

    Parameters
    ----------
    samples : int
        Number of samples processed.
    seconds : float
        Time that all of them took together, above 0.
    lines, pages : int, optional
        Number of text lines and of document pages among them.

    Returns
    -------
    Throughput

    Raises
    ------
    UndefinedResultError
        If the time is not above 0.

    References
    ----------
    seeds/001, "Throughput".

    Examples
    --------
    >>> throughput(120, 60.0, pages=12).pages_per_minute
    12.0
    """
    if not seconds > 0:
        raise UndefinedResultError(f"throughput needs a time above 0, not {seconds} seconds.")
    return Throughput(
        samples / seconds,
        None if lines is None else lines / seconds,
        None if pages is None else 60 * pages / seconds,
    )
