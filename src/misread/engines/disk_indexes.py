"""Indexes of a capture in temporary files: lines of its journal, digests and what is known of them, requests."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import struct
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, groupby
from tempfile import TemporaryFile
from typing import IO, Final, NamedTuple

from misread.engines.base import MAKE_ROOM, Reading
from misread.errors import CaptureFailedError, OutputFileError

LENGTH: Final = 32
"""Bytes of a SHA-256."""

_CACHE_KILOBYTES: Final = 1024
_MOST_WAITING: Final = 1024
_PUT: Final = "INSERT OR REPLACE INTO digests (digest, known) VALUES (?, ?)"


@dataclass
class Digests:
    """SHA-256 digests, each with some bytes of what is known of it.

    They stand in a private database of SQLite, which is deleted when it is closed: 1 MB of it are in memory, however
    many there are, and what is more in the folder for temporary files (TMPDIR). It is not to be used by two threads at
    the same time. Raises OutputFileError where that folder is full.
    """

    _opened: sqlite3.Connection | None = field(default=None, init=False, repr=False)
    # What was put last: to write it at once would hold up threads that have an answer.
    _waiting: dict[bytes, bytes] = field(default_factory=dict, init=False, repr=False)

    def get(self, digest: bytes) -> bytes | None:
        """What was put last; None where nothing was."""
        if (known := self._waiting.get(digest)) is not None or self._opened is None:
            return known
        try:
            found = self._opened.execute("SELECT known FROM digests WHERE digest = ?", (digest,)).fetchone()
        except sqlite3.OperationalError as error:
            raise temporary_file_error(error) from None
        return None if found is None else found[0]

    def put(self, digest: bytes, known: bytes) -> None:
        """Set what is known of a digest."""
        self._waiting[digest] = known
        if len(self._waiting) == _MOST_WAITING:
            self.put_all(())

    def put_all(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        """Set what is known of many digests, one after the other."""
        waiting, self._waiting = self._waiting, {}
        try:
            if self._opened is None:
                self._opened = _open_digests()
                weakref.finalize(self, self._opened.close)
            # In their order, which is that of the pages of the file.
            self._opened.executemany(_PUT, chain(sorted(waiting.items()), pairs))
        except sqlite3.OperationalError as error:
            raise temporary_file_error(error) from None

    def close(self) -> None:
        """Delete the file."""
        if self._opened is not None:
            self._opened.close()


def temporary_file_error(reason: object) -> OutputFileError:
    """The error of a capture whose temporary files have no room."""
    return OutputFileError(f"a temporary file cannot be written: {reason}. {MAKE_ROOM}")


def _open_digests() -> sqlite3.Connection:
    """A database without a name, of one transaction that is never ended: there is nothing to go back to."""
    database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    database.execute("CREATE TABLE digests (digest BLOB PRIMARY KEY, known BLOB NOT NULL) WITHOUT ROWID")
    database.execute("BEGIN")
    return database


_LINE: Final = struct.Struct("<QQ")
_AT_A_TIME: Final = 4096


class Line(NamedTuple):
    """A line of the journal, in bytes."""

    begin: int
    length: int

    def pack(self) -> bytes:
        """The same in 16 bytes."""
        return _LINE.pack(*self)

    @classmethod
    def unpack(cls, packed: bytes) -> Line:
        """From 16 bytes."""
        return cls(*_LINE.unpack(packed))


def _open_lines() -> IO[bytes]:
    try:
        return TemporaryFile(buffering=0)
    except OSError as error:
        raise temporary_file_error(error.strerror) from None


@dataclass
class KeptLines:
    """A line of the journal for each place, put in any order and read back in the order of the places.

    A few of them are in memory, those that were put last. Raises OutputFileError where the folder for temporary files
    (TMPDIR) is full.
    """

    _waiting: dict[int, Line] = field(default_factory=dict, init=False, repr=False)
    _file: IO[bytes] = field(default_factory=_open_lines, init=False, repr=False)

    def put(self, place: int, line: Line) -> None:
        """Set the line of a place."""
        self._waiting[place] = line
        if len(self._waiting) == _AT_A_TIME:
            self._write()

    def first(self, places: int) -> Iterator[Line | None]:
        """Lines of the first so many places; None where nothing was put."""
        self._write()
        for begin in range(0, places, _AT_A_TIME):
            size = min(_AT_A_TIME, places - begin) * _LINE.size
            read = os.pread(self._file.fileno(), size, begin * _LINE.size)
            for line in map(Line._make, _LINE.iter_unpack(read.ljust(size, b"\0"))):
                yield line if line.length else None

    def _write(self) -> None:
        """Write those that wait, at once where their places follow each other."""
        places = sorted(self._waiting)
        for _, group in groupby(enumerate(places), lambda numbered: numbered[1] - numbered[0]):
            run = [place for _, place in group]
            content = b"".join(self._waiting[place].pack() for place in run)
            try:
                if os.pwrite(self._file.fileno(), content, run[0] * _LINE.size) < len(content):
                    raise temporary_file_error("it is full")
            except OSError as error:
                raise temporary_file_error(error.strerror) from None
        self._waiting.clear()


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
