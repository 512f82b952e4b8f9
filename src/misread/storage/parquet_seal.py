"""Checksum of a Parquet file's footer, for Parquet has checksums of pages alone.

A changed bit in the footer may be another name, type or fact, and nobody would notice it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_KEY: Final = b"misread.crc32"
_OPEN: Final = b"00000000"
MAGIC: Final = b"PAR1"
"""The first and the last bytes of every Parquet file."""

# Thrift's compact protocol has the type and the length of a string before it, a byte each for a short one.
_BEFORE_VALUE: Final = 2


def sealable(facts: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """Facts for the footer, with a place for its checksum."""
    return {**facts, _KEY: _OPEN}


def seal(footer: bytes) -> bytes:
    """A footer, to the end of its file, with its checksum in the place for it."""
    place = _place(footer)
    return footer[:place] + b"%08x" % zlib.crc32(footer) + footer[place + len(_OPEN) :]


def check_seal(path: Path) -> None:
    """Raise OSError if the footer is not the one that was sealed; a file from before there were seals has none."""
    footer = _footer(path)
    if _KEY not in footer:
        return
    place = _place(footer)
    found = footer[place : place + len(_OPEN)]
    if found != b"%08x" % zlib.crc32(footer[:place] + _OPEN + footer[place + len(_OPEN) :]):
        raise OSError("its footer does not have its checksum")


def _place(footer: bytes) -> int:
    return footer.rindex(_KEY) + len(_KEY) + _BEFORE_VALUE


def _footer(path: Path) -> bytes:
    """The footer with its length, to the end of the file; empty if the file has no such length."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 8))
        end = file.read()
        length = int.from_bytes(end[:4], "little") + 8
        if end[4:] != MAGIC or length > size:
            return b""
        file.seek(size - length)
        return file.read()
