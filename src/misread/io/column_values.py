"""Columns of a file whose values are made when they are asked for, so that many segments need no Python objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from misread.text.arrow_numpy import to_column

if TYPE_CHECKING:
    import pyarrow as pa

    from misread.io.stored_columns import StoredColumn

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
        for begin in range(0, len(self), _AT_A_TIME):
            yield from self._list(self.column.slice(begin, _AT_A_TIME))

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
    """Pairs of a column of structs of two."""
    return ColumnValues(column, _read_pair)


def _read_pair(pair: dict[str, Any]) -> tuple[Any, Any]:
    first, second = pair.values()
    return first, second
