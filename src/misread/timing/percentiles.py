"""Percentiles of any number of durations in little memory."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

import numpy as np

from misread.types import FloatArray, IntArray

_EXACT: Final = 1 << 16
_DROPPED_BITS: Final = 12
"""Of the 23 of a float's fraction: what is left tells durations apart that differ by a 2,048th."""


class Percentiles:
    """Durations of which percentiles are asked: exact ones of up to 65,536, of more within a 4,000th of the value.

    More are counted by their first 20 bits, so that memory does not grow with them.
    """

    def __init__(self) -> None:
        self._waiting: array[float] = array("f")
        self._counts: IntArray | None = None

    def __len__(self) -> int:
        return len(self._waiting) + (0 if self._counts is None else int(self._counts.sum()))

    def __bool__(self) -> bool:
        return bool(self._waiting) or self._counts is not None

    def add(self, seconds: float) -> None:
        """Add a duration, in seconds; a negative one, of a clock that was set back, counts as 0."""
        self._waiting.append(max(0.0, seconds))
        if len(self._waiting) > _EXACT:
            self._counts = self._counted()
            self._waiting = array("f")

    def of(self, percents: Sequence[float]) -> FloatArray:
        """Percentiles, in seconds, shape (percents,); there is a duration at least."""
        if self._counts is None:
            exact: FloatArray = np.percentile(np.frombuffer(self._waiting, np.float32), percents)
            return exact
        ends = np.cumsum(self._counted())
        ranks = np.asarray(percents) / 100 * (ends[-1] - 1)
        buckets = np.searchsorted(ends, np.round(ranks), side="right").astype(np.uint32)
        middle = (buckets << _DROPPED_BITS) + (1 << (_DROPPED_BITS - 1))
        found: FloatArray = middle.astype(np.uint32).view(np.float32).astype(np.float64)
        return found

    def _counted(self) -> IntArray:
        """Counts by the first bits, with those that wait."""
        bits = np.frombuffer(self._waiting, np.uint32) >> _DROPPED_BITS
        new = np.bincount(bits, minlength=1 << (31 - _DROPPED_BITS))
        return new if self._counts is None else self._counts + new
