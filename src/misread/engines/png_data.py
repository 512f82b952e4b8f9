"""Data of PNG files: whether they have all rows, which Pillow does not tell where they end early but in order."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import BinaryIO, Final

_SIGNATURE_BYTES: Final = 8
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# Adam7: first column and row of a pass, and the steps to the next.
_PASSES: Final = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_PART_BYTES: Final = 1 << 16


def missing_png_bytes(path: Path) -> tuple[int, int]:
    """Bytes of pixels that a PNG lacks, and that it should have; what stands behind them is not read.

    Portable Network Graphics (PNG) Specification, third edition, sections 7 to 9.
    """
    with path.open("rb") as file:
        chunks = _chunks(file)
        _, header = next(chunks)
        expected = _expected_bytes(header)
        missing, inflater = expected, zlib.decompressobj()
        for kind, content in chunks:
            if kind != b"IDAT":
                continue
            while content and missing > 0:
                missing -= len(inflater.decompress(content, min(missing, _PART_BYTES)))
                content = inflater.unconsumed_tail
            if missing == 0:
                break
    return missing, expected


def _chunks(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each chunk; a chunk that is cut is given as far as it goes."""
    file.seek(_SIGNATURE_BYTES)
    while len(head := file.read(8)) == 8:
        length, kind = struct.unpack(">I4s", head)
        yield kind, file.read(length)
        file.seek(4, 1)


def _expected_bytes(header: bytes) -> int:
    """Bytes of all rows, each with one for its filter."""
    width, height, depth, color, is_interlaced = struct.unpack(">IIBB2xB", header)
    expected = 0
    for column, row, column_step, row_step in _PASSES if is_interlaced else ((0, 0, 1, 1),):
        columns, rows = ceil((width - column) / column_step), ceil((height - row) / row_step)
        if columns > 0:
            expected += rows * (1 + ceil(columns * depth * _CHANNELS[color] / 8))
    return expected
