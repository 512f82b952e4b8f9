"""Texts that lie in one string, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from misread.types import IntArray


class JoinedTexts(Sequence[str]):
    """The parts of a string, each of which ends with `end`, a character that none of them has.

    They become strings of their own where one is looked at; for `join` and slices they need not.
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
        if isinstance(index, int):
            return self._texts[index]
        first, last, step = index.indices(len(self))
        if step != 1:
            return JoinedTexts("".join(text + self._end for text in self._texts[index]), self._end)
        bounds = self._bounds[first : max(first, last) + 1]
        part = JoinedTexts(self._joined[bounds[0] : bounds[-1]], self._end)
        part._bounds = bounds - bounds[0]
        return part

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def join(self, separator: str) -> str:
        """All texts as one, as `str.join` does it."""
        return self._joined[:-1].replace(self._end, separator)

    @cached_property
    def _texts(self) -> list[str]:
        return self._joined.split(self._end)[:-1]

    @cached_property
    def _bounds(self) -> IntArray:
        """Where each text begins, and the end of the last."""
        try:
            codes = np.frombuffer(self._joined.encode("latin-1"), np.uint8)
        except UnicodeEncodeError:
            codes = np.frombuffer(self._joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        return np.concatenate([[0], np.flatnonzero(codes == ord(self._end)) + 1])
