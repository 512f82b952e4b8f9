"""Requests by which a server knows its answers: one that answered two runs of a segment was a cache's."""

from __future__ import annotations

import hashlib
from array import array
from dataclasses import dataclass, field

from misread.engines.digests import Digests
from misread.errors import CaptureFailedError
from misread.records import Reading


@dataclass
class RequestLog:
    """Requests with the first segment and run that each answered, in a few bytes each."""

    _requests: Digests = field(default_factory=Digests, init=False, repr=False)
    # By the number of the request: digest of the segment's id, run, and whether it answered other segments too.
    _segments: Digests = field(default_factory=Digests, init=False, repr=False)
    _first_segments: array[int] = field(default_factory=lambda: array("i"), init=False, repr=False)
    _first_runs: array[int] = field(default_factory=lambda: array("i"), init=False, repr=False)
    _is_shared: bytearray = field(default_factory=bytearray, init=False, repr=False)
    _repeats: dict[int, tuple[int, Reading]] = field(default_factory=dict, init=False, repr=False)

    def add(self, reading: Reading) -> None:
        """Note the request of a reading, if it has one."""
        if reading.request is None:
            return
        request, segment = _number(self._requests, reading.request), _number(self._segments, reading.segment_id)
        if request == len(self._first_runs):
            self._first_segments.append(segment)
            self._first_runs.append(reading.run)
            self._is_shared.append(False)
        elif self._first_segments[request] != segment:
            self._is_shared[request] = True
            self._repeats.pop(request, None)
        elif not self._is_shared[request]:
            self._repeats.setdefault(request, (self._first_runs[request], reading))

    def refuse_repeats(self) -> None:
        """Refuse runs of a segment that one request answered: a cache repeats, it does not read again.

        An id that several segments share is one that the server gives to all.
        """
        for run, reading in self._repeats.values():
            raise CaptureFailedError(
                f"runs {run} and {reading.run} of segment {reading.segment_id!r} are one answer of the server, "
                f"{reading.request!r}: a cache repeats, it does not read again. Switch it off, and increase revision "
                "of the system to read everything again."
            )


def _number(digests: Digests, text: str) -> int:
    return digests.number(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
