"""Files of fields between blanks, as columns in Arrow buffers: no Python object for each field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from misread.errors import InputFileError
from misread.text.arrow_numpy import to_arrow, to_flags, to_numpy
from misread.text.words import WHITE_SPACE
from misread.types import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import pyarrow as pa

_PIECE: Final = 1 << 18
"""Characters that are taken apart at once, so that what one step writes is still in the cache for the next."""

_LINE_FEED, _BLANK, _TAB, _SEMICOLON = b"\n \t;"
_NUMBER_BYTES: Final = np.isin(np.arange(256), list(b"0123456789."))


@dataclass(frozen=True, slots=True)
class Fields:
    """Lines that are neither blank nor comments: their numbers, how many fields they have, and the first fields."""

    lines: IntArray  # from 1
    widths: IntArray
    columns: Sequence[pa.Array]
    rest: pa.Array  # what follows those columns on the line, empty where there is nothing

    def __len__(self) -> int:
        return len(self.lines)

    def require(self, number: int, path: Path, expected: str) -> None:
        """Refuse a line that has fewer fields."""
        short = np.flatnonzero(self.widths < number)
        if short.size:
            row = int(short[0])
            raise InputFileError(f"{path}, line {self.lines[row]}: {self.widths[row]} fields, expected {expected}.")


def split_columns(content: str, number: int, *, comments: bool = True) -> Iterator[Fields]:
    """Split off the first `number` fields of every line, some thousand lines at a time.

    Fields are separated by blanks and tabs, lines by line feeds, alone or after a carriage return; blank lines are left
    out, and with `comments` those that begin with ;; too. A column has "" where a line has fewer fields.
    """
    before = 0
    for piece in _pieces(content):
        fields, lines = _split(np.frombuffer(piece, np.uint8), number, before, comments=comments)
        before += lines
        if len(fields):
            yield fields


def join_columns(parts: Sequence[Sequence[pa.Array]]) -> list[pa.Array]:
    """Columns of all pieces, one after the other; one empty column where there is no piece."""
    import pyarrow as pa

    return [pa.concat_arrays(list(column)) for column in zip(*parts, strict=True)]


def share_strings(column: pa.Array) -> list[str]:
    """Python strings of a column with few distinct values, each made once."""
    encoded = column.dictionary_encode()
    names = encoded.dictionary.to_pylist()
    return [names[code] for code in to_numpy(encoded.indices).tolist()]


def read_numbers(column: pa.Array) -> FloatArray | None:
    """Decimal numbers without sign as floats; None if a value is not one, which the caller must find."""
    import pyarrow as pa

    if not _NUMBER_BYTES[bytes_of(column)].all():
        return None
    try:
        numbers: FloatArray = to_numpy(column.cast(pa.float64()))
    except pa.ArrowInvalid:
        return None
    return numbers if np.isfinite(numbers).all() else None


def bytes_of(array: pa.Array) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """UTF-8 of all texts of an Arrow array, one after the other."""
    _, offsets, data = array.buffers()
    if data is None:
        return np.zeros(0, np.uint8)
    bounds = np.frombuffer(offsets, np.int64)[array.offset :][: len(array) + 1]
    return np.frombuffer(data, np.uint8)[bounds[0] : bounds[-1]]


def count_utf8(array: pa.Array) -> int:
    """Characters of all texts of an Arrow array but for blanks and tabs."""
    data = bytes_of(array)
    return int(np.count_nonzero((data & 0xC0 != 0x80) & (data != _BLANK) & (data != _TAB)))


def find_runs(*columns: pa.Array) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Runs of rows that are equal in all columns: their values, first row, and row after the last."""
    import pyarrow.compute as pc

    rows = len(columns[0])
    changes: BoolArray = np.zeros(max(rows - 1, 0), np.bool_)
    for column in columns:
        changes |= to_flags(pc.not_equal(column[1:], column[:-1]))
    starts = np.flatnonzero(np.concatenate([[rows > 0], changes]))
    values = zip(*(column.take(to_arrow(starts)).to_pylist() for column in columns), strict=True)
    yield from zip(values, starts.tolist(), [*starts[1:].tolist(), rows], strict=True)


def has_other_space(content: str) -> bool:
    """Whether there is white space other than blanks and line feeds."""
    return any(space in content for space in WHITE_SPACE if space not in " \n")


def has_one_blank(column: pa.Array) -> bool:
    """Whether texts, which begin and end with words, have one blank between words, if they have no other space."""
    blanks = bytes_of(column) == _BLANK
    return not (blanks[1:] & blanks[:-1]).any()


def _pieces(content: str) -> Iterator[bytes]:
    """UTF-8 of whole lines, each with its line feed."""
    start = 0
    while start < len(content):
        end = content.find("\n", min(start + _PIECE, len(content)))
        piece = content[start:] if end < 0 else content[start : end + 1]
        start += len(piece)
        piece = piece if piece.endswith("\n") else f"{piece}\n"
        yield (piece.replace("\r\n", "\n") if "\r" in piece else piece).encode("utf-8", "surrogatepass")


def _split(
    data: np.ndarray[Any, np.dtype[np.uint8]], number: int, before: int, *, comments: bool
) -> tuple[Fields, int]:
    """Split a piece that follows `before` lines into fields; also returns how many lines it has."""
    ends_of_lines = np.flatnonzero(data == _LINE_FEED)
    between = (data == _BLANK) | (data == _TAB)
    between[ends_of_lines] = True
    inside = np.zeros(len(data) + 2, np.bool_)
    np.logical_not(between, out=inside[1:-1])
    bounds = np.flatnonzero(inside[1:] != inside[:-1])  # begin and end of every field, one after the other
    starts, ends = bounds[::2], bounds[1::2]
    # Fields before each line, and behind the last.
    first = np.searchsorted(starts, np.concatenate([[0], ends_of_lines + 1]))
    widths = np.diff(first)
    starts_of_lines = np.concatenate([[0], ends_of_lines[:-1] + 1])
    following = np.minimum(starts_of_lines + 1, len(data) - 1)
    is_comment = (data[starts_of_lines] == _SEMICOLON) & (data[following] == _SEMICOLON)
    taken = np.flatnonzero((widths > 0) & ~(is_comment & comments))
    first, widths = first[:-1][taken], widths[taken]
    # Every other text is what lies between two fields.
    fields = _texts(data, bounds)
    columns = []
    for index in range(number):
        rows = np.where(widths > index, 2 * (first + index), len(fields) - 1)
        columns.append(fields.take(to_arrow(rows)))
    last = first + widths - 1
    has_rest = widths > number
    rest_starts = np.where(
        has_rest, starts[np.minimum(first + number, len(starts) - 1)], ends[last] if len(last) else 0
    )
    rest = np.stack([rest_starts, ends[last]], axis=-1).reshape(-1)
    columns.append(_texts(data, rest).take(to_arrow(np.arange(0, len(rest), 2))))
    return Fields(before + taken + 1, widths, columns[:number], columns[number]), len(ends_of_lines)


def _texts(data: np.ndarray[Any, np.dtype[np.uint8]], bounds: IntArray) -> pa.Array:
    """Texts between neighbouring bounds, and an empty one at the end."""
    import pyarrow as pa

    offsets = np.concatenate([bounds, [bounds[-1] if len(bounds) else 0]]).astype(np.int64)
    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))
