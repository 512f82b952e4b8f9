"""Rows of columns, each made when it is looked at."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

Row = TypeVar("Row")


class LazyRows(Sequence[Row]):
    """A sequence of rows, each made from its columns when it is looked at; many of them need no memory."""

    __slots__ = ()

    @abstractmethod
    def row(self, index: int) -> Row:
        """Make one row."""

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        return [self.row(row) for row in range(len(self))[index]] if isinstance(index, slice) else self.row(index)
