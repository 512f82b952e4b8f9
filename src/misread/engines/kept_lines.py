"""Where the reading of each place stands in the journal, in a temporary file."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO, Final, NamedTuple

from misread.engines.digests import temporary_file_error

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


def _open() -> IO[bytes]:
    try:
        return TemporaryFile(buffering=0)
    except OSError as error:
        raise temporary_file_error(error.strerror) from None


@dataclass
class KeptLines:
    """A line of the journal for each place, put in any order and read back in the order of the places.

    None of it is in memory. Threads may put at the same time. Raises OutputFileError where the folder for temporary
    files (TMPDIR) is full.
    """

    _file: IO[bytes] = field(default_factory=_open, init=False, repr=False)

    def put(self, place: int, line: Line) -> None:
        """Set the line of a place."""
        try:
            os.pwrite(self._file.fileno(), line.pack(), place * _LINE.size)
        except OSError as error:
            raise temporary_file_error(error.strerror) from None

    def first(self, places: int) -> Iterator[Line | None]:
        """Lines of the first so many places; None where nothing was put."""
        for begin in range(0, places, _AT_A_TIME):
            size = min(_AT_A_TIME, places - begin) * _LINE.size
            read = os.pread(self._file.fileno(), size, begin * _LINE.size)
            for line in map(Line._make, _LINE.iter_unpack(read.ljust(size, b"\0"))):
                yield line if line.length else None
