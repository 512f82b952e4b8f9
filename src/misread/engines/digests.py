"""What is known of digests, in a temporary file."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from misread.engines.base import MAKE_ROOM
from misread.errors import OutputFileError

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
                self._opened = _open()
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


def _open() -> sqlite3.Connection:
    """A database without a name, of one transaction that is never ended: there is nothing to go back to."""
    database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    database.execute("CREATE TABLE digests (digest BLOB PRIMARY KEY, known BLOB NOT NULL) WITHOUT ROWID")
    database.execute("BEGIN")
    return database
