"""Columns of a stage table that stay in its file: a row group at a time is in memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from misread.text.arrow_numpy import to_arrow

if TYPE_CHECKING:
    import pyarrow as pa


class StoredColumn:
    """Values of a column of which `load` reads a row group by its number; the one that was read last is kept.

    It is sliced and looked up as an Arrow array is. To go through it in order reads every row group once.
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
        """Values of so many rows from one on, all that follow by default."""
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
    """Texts of which any number can be put together: those of many row groups may outgrow offsets of 32 bits."""
    import pyarrow as pa

    return texts.cast(pa.large_string()) if texts.type == pa.string() else texts
