"""Columns whose values are made on access: all at once, with closed lines, or joined in one string."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain
from operator import eq
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from misread.text.arrow import AT_A_TIME, KEPT, ArrowTexts
from misread.text.arrow_numpy import to_column, to_scalar
from misread.types import IntArray

if TYPE_CHECKING:
    import pyarrow as pa

Value = TypeVar("Value")


class DeferredTexts(Sequence[Value]):
    """A column of `number` values; `make` is called on first access, and at most once.

    What it makes may be texts in Arrow buffers, which become Arrow arrays again without a copy.
    """

    def __init__(self, number: int, make: Callable[[], Sequence[Value]]) -> None:
        self._number = number
        self._make = make

    def __len__(self) -> int:
        return self._number

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Value]: ...
    def __getitem__(self, index: int | slice) -> Value | Sequence[Value]:
        return self.values[index]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Sequence) and self.values == list(other))

    __hash__ = None  # type: ignore[assignment]

    def __arrow_array__(self, type: Any = None) -> Any:  # noqa: A002 - Arrow's name
        import pyarrow as pa

        return to_column(self.values, pa.large_string() if type is None else type)

    @cached_property
    def values(self) -> Sequence[Value]:
        """All values, as they were made."""
        return self._make()


class ClosedLines(DeferredTexts[str]):
    """Texts with a line feed after each; `texts` are the same without, whose results can be reused."""

    def __init__(self, texts: ArrowTexts) -> None:
        super().__init__(len(texts), partial(_close, texts))
        self.texts = texts


def close_lines(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Add a line feed to every text; missing texts stay missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(texts.cast(pa.large_string()), to_scalar("\n"), to_scalar(""))


def _close(texts: ArrowTexts) -> Sequence[str]:
    import pyarrow as pa

    return ArrowTexts.of(close_lines(to_column(texts, pa.large_string())))


def join_texts(texts: Sequence[str], separator: str = "") -> str:
    """Join texts as `str.join` does; of texts in one string, or in Arrow buffers, no Python strings are made."""
    return texts.join(separator) if isinstance(texts, ArrowTexts | JoinedTexts) else separator.join(texts)


def ascending_rows(texts: Sequence[str]) -> IntArray:
    """Rows in the order of their texts."""
    if isinstance(texts, ArrowTexts):
        return texts.ascending()
    return np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int64)


class JoinedTexts(Sequence[str]):
    """The parts of a string, each followed by `end`, a character that is in none of them.

    As a sequence it makes strings of their own: all of them once if there are few texts, else those that are asked for,
    each time. `join`, `lengths` and slices make none.
    """

    def __init__(self, joined: str, end: str) -> None:
        self._joined = joined
        self._end = end

    def __len__(self) -> int:
        return len(self._bounds) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> JoinedTexts: ...
    def __getitem__(self, index: int | slice) -> str | JoinedTexts:
        if not isinstance(index, slice):
            if len(self) <= KEPT:
                return self._texts[index]
            start, end = self._bounds[range(len(self))[index] :][:2]
            return self._joined[start : end - 1]
        first, last, step = index.indices(len(self))
        if step != 1:
            return JoinedTexts("".join(self[row] + self._end for row in range(first, last, step)), self._end)
        bounds = self._bounds[first : max(first, last) + 1]
        part = JoinedTexts(self._joined[bounds[0] : bounds[-1]], self._end)
        part._bounds = bounds - bounds[0]
        return part

    def __iter__(self) -> Iterator[str]:
        if len(self) <= KEPT:
            return iter(self._texts)
        parts = (self[start : start + AT_A_TIME] for start in range(0, len(self), AT_A_TIME))
        return chain.from_iterable(parts)

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and any(map(value.__eq__, self))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, JoinedTexts) and self._end == other._end:
            return self._joined == other._joined
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    @property
    def lengths(self) -> IntArray:
        """Characters of each text."""
        lengths: IntArray = np.diff(self._bounds) - 1
        return lengths

    def take(self, rows: Sequence[int] | IntArray) -> Sequence[str]:
        """Texts of these rows, in this order; those of a range stay joined."""
        if isinstance(rows, range) and rows.step == 1:
            return self[rows.start : rows.stop]
        return [self[row] for row in (rows if isinstance(rows, Sequence) else rows.tolist())]

    def join(self, separator: str) -> str:
        """All texts joined as by `str.join`."""
        return self._joined[:-1].replace(self._end, separator)

    @cached_property
    def _texts(self) -> list[str]:
        return self._joined.split(self._end)[:-1]

    @cached_property
    def _bounds(self) -> IntArray:
        """Start of each text, and the end of the last."""
        try:
            codes = np.frombuffer(self._joined.encode("latin-1"), np.uint8)
        except UnicodeEncodeError:
            codes = np.frombuffer(self._joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        return np.concatenate([[0], np.flatnonzero(codes == ord(self._end)) + 1])
