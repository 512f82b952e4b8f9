"""Where the reading of each place stands in the journal, in a temporary file."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
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

    A few of them are in memory, those that were put last. Raises OutputFileError where the folder for temporary files
    (TMPDIR) is full.
    """

    _waiting: dict[int, Line] = field(default_factory=dict, init=False, repr=False)
    _file: IO[bytes] = field(default_factory=_open, init=False, repr=False)

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
