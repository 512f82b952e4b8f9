"""Columns with one entry per segment: rows of them, and checks that they are equally long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from misread.errors import LengthMismatchError

if TYPE_CHECKING:
    from misread.types import IntArray


Column = TypeVar("Column")


def take(column: Sequence[Column], rows: Sequence[int] | IntArray) -> Sequence[Column]:
    """Entries of these rows, in this order; texts in Arrow buffers stay there."""
    if hasattr(column, "take"):
        taken: Sequence[Column] = column.take(rows)
        return taken
    return [column[row] for row in (rows if isinstance(rows, Sequence) else rows.tolist())]


def require_equal_lengths(columns: Mapping[str, Sequence[object]]) -> None:
    """Refuse columns of which one is longer or shorter than the first."""
    (first, length), *others = ((name, len(column)) for name, column in columns.items())
    for name, other in others:
        if other != length:
            raise LengthMismatchError(f"{first} has {length:,} entries and {name} has {other:,}; both need the same.")
