"""Indexes of a capture in temporary files: lines of its journal, data by digest, and requests."""

from __future__ import annotations

import hashlib
import sqlite3
import struct
import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple

from misread.engines.base import MAKE_ROOM, Reading
from misread.errors import CaptureFailedError, OutputFileError

LENGTH: Final = 32
"""Bytes of a SHA-256."""

_CACHE_KILOBYTES: Final = 1024
_MOST_WAITING: Final = 1024
_PUT: Final = "INSERT OR REPLACE INTO digests (digest, known) VALUES (?, ?)"


@dataclass
class Digests:
    """SHA-256 digests, or other short keys, each with a few bytes of data.

    They are in a private SQLite database, which is deleted on closing: 1 MB of it is in memory, the rest in the folder
    for temporary files (TMPDIR). Two threads must not use it at the same time. Raises OutputFileError if that folder is
    full.
    """

    _opened: sqlite3.Connection | None = field(default=None, init=False, repr=False)
    # The latest entries: writing each at once would hold up threads that have an answer.
    _waiting: dict[bytes, bytes] = field(default_factory=dict, init=False, repr=False)

    def get(self, digest: bytes) -> bytes | None:
        """Data of a digest; None if there is none."""
        if (known := self._waiting.get(digest)) is not None or self._opened is None:
            return known
        try:
            row = self._opened.execute("SELECT known FROM digests WHERE digest = ?", (digest,)).fetchone()
        except sqlite3.OperationalError as error:
            raise temporary_file_error(error) from None
        return None if row is None else row[0]

    def put(self, digest: bytes, known: bytes) -> None:
        """Set the data of a digest."""
        self._waiting[digest] = known
        if len(self._waiting) == _MOST_WAITING:
            self.put_all(())

    def put_all(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        """Set the data of many digests."""
        waiting, self._waiting = self._waiting, {}
        try:
            if self._opened is None:
                self._opened = _open_digests()
                weakref.finalize(self, self._opened.close)
            # Sorted, which is the order of the file's pages.
            self._opened.executemany(_PUT, chain(sorted(waiting.items()), pairs))
        except sqlite3.OperationalError as error:
            raise temporary_file_error(error) from None

    def close(self) -> None:
        """Delete the file."""
        if self._opened is not None:
            self._opened.close()


def temporary_file_error(reason: object) -> OutputFileError:
    """The error for temporary files of a capture that do not fit."""
    return OutputFileError(f"a temporary file cannot be written: {reason}. {MAKE_ROOM}")


def _open_digests() -> sqlite3.Connection:
    """An unnamed database in one transaction that never ends, since nothing is ever rolled back."""
    database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    database.execute("CREATE TABLE digests (digest BLOB PRIMARY KEY, known BLOB NOT NULL) WITHOUT ROWID")
    database.execute("BEGIN")
    return database


_LINE: Final = struct.Struct("<QQ")


class Line(NamedTuple):
    """A line of the journal, in bytes."""

    start: int
    length: int

    def pack(self) -> bytes:
        """The line in 16 bytes."""
        return _LINE.pack(*self)

    @classmethod
    def unpack(cls, packed: bytes) -> Line:
        """The line that 16 bytes describe."""
        return cls(*_LINE.unpack(packed))


_SHARED: Final = b"shared"  # by several segments


@dataclass
class RequestLog:
    """Requests, each with the first segment and run that it answered."""

    # Values are the digest of the segment and the run.
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
        """Refuse two runs of a segment answered by one request: a cache repeated the answer.

        An id that several segments share tells nothing: the server gives it to all.
        """
        for run, reading in self._repeats.values():
            raise CaptureFailedError(
                f"runs {run} and {reading.run} of segment {reading.segment_id!r} are one answer of the server, "
                f"{reading.request!r}, which a cache repeated. Switch the cache off, and increase revision of the "
                "system to read everything again."
            )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
