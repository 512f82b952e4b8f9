"""Columns that stay in their file: one row group at a time is in memory, and values are made on demand."""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from misread.text.arrow_numpy import to_arrow, to_column

if TYPE_CHECKING:
    import pyarrow as pa


class StoredColumn:
    """Values of a column; `load` reads a row group by its number, and the last one read stays in memory.

    It is sliced and looked up like an Arrow array. Iterating in order reads every row group once.
    """

    def __init__(self, groups: Sequence[range], load: Callable[[int], pa.Array]) -> None:
        self._starts = [group.start for group in groups]
        self._size = groups[-1].stop if groups else 0
        self._load = load
        self._kept: tuple[int, pa.Array] | None = None

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> pa.Scalar: ...
    @overload
    def __getitem__(self, index: slice) -> pa.Array: ...
    def __getitem__(self, index: int | slice) -> pa.Scalar | pa.Array:
        if isinstance(index, slice):
            rows = range(*index.indices(self._size))
            if rows.step == 1:
                return self.slice(rows.start, len(rows))
            # Arrow itself takes no step of more than 64 bits.
            return self.slice().take(to_arrow(np.fromiter(rows, np.int64, len(rows))))
        if not -self._size <= index < self._size:
            raise IndexError("index out of bounds")
        row = index % self._size
        number = self._number(row)
        return self._group(number)[row - self._starts[number]]

    def slice(self, offset: int = 0, length: int | None = None) -> pa.Array:
        """Values of `length` rows from `offset` on, of all that follow by default."""
        import pyarrow as pa

        end = self._size if length is None else min(offset + length, self._size)
        if offset >= end:
            return self._group(0)[:0] if self._size else pa.nulls(0)
        parts = []
        for number in range(self._number(offset), self._number(end - 1) + 1):
            start = self._starts[number]
            parts.append(self._group(number)[max(0, offset - start) : end - start])
        return parts[0] if len(parts) == 1 else pa.concat_arrays([_wide(part) for part in parts])

    def cast(self, kind: pa.DataType) -> pa.Array:
        """All values as another type."""
        return self.slice().cast(kind)

    def _number(self, row: int) -> int:
        return bisect_right(self._starts, row) - 1

    def _group(self, number: int) -> Any:
        if self._kept is None or self._kept[0] != number:
            self._kept = None  # so that there are never two
            self._kept = number, self._load(number)
        return self._kept[1]


def _wide(texts: pa.Array) -> pa.Array:
    """Texts with offsets of 64 bits: those of many row groups together may outgrow 32 bits."""
    import pyarrow as pa

    return texts.cast(pa.large_string()) if texts.type == pa.string() else texts


Value = TypeVar("Value")

_AT_A_TIME = 1000


@dataclass(frozen=True, slots=True, eq=False)
class ColumnValues(Sequence[Value], Generic[Value]):
    """Values of an Arrow column, each read by `read` where it is not the value itself; equal to any equal sequence."""

    column: pa.Array | StoredColumn
    read: Callable[[Any], Value] | None = None

    def __len__(self) -> int:
        return len(self.column)

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> list[Value]: ...
    def __getitem__(self, index: int | slice) -> Value | list[Value]:
        if isinstance(index, slice):
            return self._list(self.column[index])
        value: Value = self.column[index].as_py()
        return value if self.read is None else self.read(value)

    def __iter__(self) -> Iterator[Value]:
        for start in range(0, len(self), _AT_A_TIME):
            yield from self._list(self.column.slice(start, _AT_A_TIME))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str) or not isinstance(other, Sequence):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __arrow_array__(self, type: Any = None) -> pa.Array:  # noqa: A002  the name is that of the protocol
        if self.read is not None:
            import pyarrow as pa

            return pa.array(list(self)) if type is None else to_column(list(self), type)
        return self.column.slice() if type is None else self.column.cast(type)

    def take(self, rows: Sequence[int]) -> Sequence[Value]:
        """Values of these rows, in this order; those of a range stay in the column."""
        if isinstance(rows, range) and rows.step == 1:
            return ColumnValues(self.column.slice(rows.start, len(rows)), self.read)
        return [self[row] for row in rows]

    def _list(self, part: pa.Array) -> list[Value]:
        values = part.to_pylist()
        return values if self.read is None else [self.read(value) for value in values]


def pair_values(first: pa.Array, second: pa.Array) -> ColumnValues[tuple[Any, Any]]:
    """Pairs of the values of two columns."""
    import pyarrow as pa

    return read_pairs(pa.StructArray.from_arrays([first, second], ["first", "second"]))


def read_pairs(column: pa.StructArray | StoredColumn) -> ColumnValues[tuple[Any, Any]]:
    """Pairs from a column of structs with two fields."""
    return ColumnValues(column, _read_pair)


def _read_pair(pair: dict[str, Any]) -> tuple[Any, Any]:
    first, second = pair.values()
    return first, second


def release_memory() -> None:
    """Give back to the system what freed arrays and texts held.

    Arrow and the C library keep it for later, in pieces that seldom fit: a process that writes long texts would grow
    with their number, though it uses few at a time. Among C libraries, only that of GNU can be asked.
    """
    import pyarrow as pa

    # Arrow's pool of the C library asks it only where it is the default one.
    pa.default_memory_pool().release_unused()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
