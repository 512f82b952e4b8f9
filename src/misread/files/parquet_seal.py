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
_MAGIC: Final = b"PAR1"
# Thrift's compact protocol has the type and the length of a string before it, a byte each for a short one.
_BEFORE_VALUE: Final = 2


def sealable(facts: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """Facts for the footer, with a place for its checksum."""
    return {**facts, _KEY: _OPEN}


def seal(path: Path) -> None:
    """Put the checksum of the footer into its place."""
    start, footer = _footer(path)
    place = footer.rindex(_KEY) + len(_KEY) + _BEFORE_VALUE
    with path.open("r+b") as file:
        file.seek(start + place)
        file.write(b"%08x" % zlib.crc32(footer))


def check_seal(path: Path) -> None:
    """Raise OSError if the footer is not the one that was sealed; a file from before there were seals has none."""
    _, footer = _footer(path)
    if _KEY not in footer:
        return
    place = footer.rindex(_KEY) + len(_KEY) + _BEFORE_VALUE
    found = footer[place : place + len(_OPEN)]
    if found != b"%08x" % zlib.crc32(footer[:place] + _OPEN + footer[place + len(_OPEN) :]):
        raise OSError("its footer does not have its checksum")


def _footer(path: Path) -> tuple[int, bytes]:
    """Place and bytes of the footer with its length; empty if the file has no such length."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 8))
        end = file.read()
        length = int.from_bytes(end[:4], "little") + 8
        if end[4:] != _MAGIC or length > size:
            return size, b""
        file.seek(size - length)
        return size - length, file.read()
