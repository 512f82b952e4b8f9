"""Requests by which a server knows its answers: one that answered two runs of a segment was a cache's."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Final

from misread.engines.digests import LENGTH, Digests
from misread.errors import CaptureFailedError
from misread.records import Reading

_SHARED: Final = b"shared"  # by several segments


@dataclass
class RequestLog:
    """Requests with the first segment and run that each answered."""

    # With the digest of the segment and the run.
    _requests: Digests = field(default_factory=Digests, init=False, repr=False)
    _repeats: dict[bytes, tuple[int, Reading]] = field(default_factory=dict, init=False, repr=False)

    def add(self, reading: Reading) -> None:
        """Note the request of a reading, if it has one."""
        if reading.request is None:
            return
        request, segment = _digest(reading.request), _digest(reading.segment_id)
        known = self._requests.get(request)
        if known is None:
            self._requests.put(request, segment + b"%d" % reading.run)
        elif known != _SHARED and known[:LENGTH] != segment:
            self._requests.put(request, _SHARED)
            self._repeats.pop(request, None)
        elif known != _SHARED:
            self._repeats.setdefault(request, (int(known[LENGTH:]), reading))

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


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
