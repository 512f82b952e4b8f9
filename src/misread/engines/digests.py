"""Distinct digests as numbers, with what is known of each, in a temporary file."""

from __future__ import annotations

import hashlib
import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from misread.errors import OutputFileError

LENGTH: Final = 32
"""Bytes of a SHA-256."""

_CACHE_KILOBYTES: Final = 1024
_MOST_VALUES: Final = 3


@dataclass
class Digests:
    """SHA-256 digests, numbered from 0 in the order in which they come first, each with up to three integers.

    They stand in a private database of SQLite, which is deleted when it is closed: 1 MB of it are in memory, however
    many there are, and what is more in the folder for temporary files (TMPDIR). It is not to be used by two threads at
    the same time. Raises OutputFileError where that folder is full.
    """

    _number: int = field(default=0, init=False, repr=False)
    _opened: sqlite3.Connection | None = field(default=None, init=False, repr=False)

    def __len__(self) -> int:
        return self._number

    def __getitem__(self, number: int) -> bytes:
        with self._database() as database:
            digest: bytes = database.execute("SELECT digest FROM digests WHERE number = ?", (number,)).fetchone()[0]
        return digest

    def number(self, digest: bytes) -> int:
        """Number of a digest, which is added if it is new."""
        with self._database() as database:
            found = database.execute("SELECT number FROM digests WHERE digest = ?", (digest,)).fetchone()
            if found is not None:
                number: int = found[0]
                return number
            database.execute("INSERT INTO digests (number, digest) VALUES (?, ?)", (self._number, digest))
        self._number += 1
        return self._number - 1

    def number_text(self, text: str) -> int:
        """Number of the digest of a text."""
        return self.number(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())

    def put(self, number: int, *values: int) -> None:
        """Set what is known of a digest."""
        filled = (*values, *[0] * (_MOST_VALUES - len(values)))
        with self._database() as database:
            database.execute("UPDATE digests SET one = ?, two = ?, three = ? WHERE number = ?", (*filled, number))

    def get(self, number: int) -> tuple[int, int, int] | None:
        """What was put last; None where nothing was."""
        with self._database() as database:
            found = database.execute("SELECT one, two, three FROM digests WHERE number = ?", (number,)).fetchone()
        return None if found is None or found[0] is None else found

    def close(self) -> None:
        """Delete the file."""
        if self._opened is not None:
            self._opened.close()

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        try:
            if self._opened is None:
                self._opened = _open()
                weakref.finalize(self, self._opened.close)
            yield self._opened
        except sqlite3.OperationalError as error:
            raise OutputFileError(
                f"a temporary file cannot be written ({error}). Make room, or set TMPDIR to a folder that has some, "
                "and run the capture again, which goes on from here."
            ) from None


def _open() -> sqlite3.Connection:
    """A database without a name, of one transaction that is never ended: there is nothing to go back to."""
    database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    database.execute(
        "CREATE TABLE digests (number INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, one INT, two INT, three INT)"
    )
    database.execute("BEGIN")
    return database
