"""Requests by which a server knows its answers: one that answered two runs of a segment was a cache's."""

from __future__ import annotations

from dataclasses import dataclass, field

from misread.engines.digests import Digests
from misread.errors import CaptureFailedError
from misread.records import Reading


@dataclass
class RequestLog:
    """Requests with the first segment and run that each answered."""

    # With the number of the segment, the run, and whether it answered other segments too.
    _requests: Digests = field(default_factory=Digests, init=False, repr=False)
    _segments: Digests = field(default_factory=Digests, init=False, repr=False)
    _repeats: dict[int, tuple[int, Reading]] = field(default_factory=dict, init=False, repr=False)

    def add(self, reading: Reading) -> None:
        """Note the request of a reading, if it has one."""
        if reading.request is None:
            return
        request, segment = self._requests.number_text(reading.request), self._segments.number_text(reading.segment_id)
        known = self._requests.get(request)
        if known is None:
            self._requests.put(request, segment, reading.run, False)
            return
        first_segment, first_run, is_shared = known
        if first_segment != segment:
            self._requests.put(request, first_segment, first_run, True)
            self._repeats.pop(request, None)
        elif not is_shared:
            self._repeats.setdefault(request, (first_run, reading))

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
