"""Failures of a capture: how many there are, which to name, and which signal ended a process."""

from __future__ import annotations

import signal
from bisect import insort
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Final

from misread.errors import CaptureFailedError
from misread.records import Reading

_MOST_NAMED: Final = 20


@dataclass
class Failures:
    """Counts failed readings as they come, in any order, and names the first by their places, so that runs agree."""

    most: int | None  # that may fail
    number: int = field(default=0, init=False)
    _first: list[tuple[int, Reading]] = field(default_factory=list, init=False, repr=False)

    def add(self, place: int, reading: Reading) -> None:
        """Count a reading that failed; CaptureFailedError if more have failed than may."""
        self.number += 1
        if len(self._first) < _MOST_NAMED or place < self._first[-1][0]:
            # Without what was answered, which may be long.
            insort(self._first, (place, replace(reading, raw=None)), key=itemgetter(0))
            del self._first[_MOST_NAMED:]
        if self.most is not None and self.number > self.most:
            first = self.first[0]
            raise CaptureFailedError(
                f"{self.number:,} segments failed, and max_failed of the system is {self.most}: nothing more is read. "
                f"The first is segment {first.segment_id!r}: {first.reason}."
            )

    @property
    def first(self) -> list[Reading]:
        """The first twenty in the order of their places, without what was answered."""
        return [reading for _, reading in self._first]


def signal_name(number: int) -> str:
    """Name of a signal, such as SIGKILL, or SIGRTMIN+6 of those that have none of their own."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIGRTMIN{number - signal.SIGRTMIN:+}"
