"""Percentiles of any number of durations in little memory."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from misread.types import FloatArray

_EXACT: Final = 1 << 16
_DROPPED_BITS: Final = 12
"""Of the 23 of a float's fraction: what is left tells durations apart that differ by a 2,048th."""


class Percentiles:
    """Durations of which percentiles are asked: exact ones of up to 65,536, of more within a 4,000th of the value.

    More are counted by their first 20 bits, so that memory does not grow with them.
    """

    def __init__(self) -> None:
        self._waiting: array[float] = array("f")
        self._counts: Counter[int] = Counter()  # by the first bits

    def __len__(self) -> int:
        return len(self._waiting) + self._counts.total()

    def __bool__(self) -> bool:
        return bool(self._waiting or self._counts)

    def add(self, seconds: float) -> None:
        """Add a duration, in seconds; a negative one, of a clock that was set back, counts as 0."""
        self._waiting.append(max(0.0, seconds))
        if len(self._waiting) > _EXACT:
            self._count()

    def of(self, percents: Sequence[float]) -> FloatArray:
        """Percentiles, in seconds, shape (percents,); there is a duration at least."""
        if not self._counts:
            exact: FloatArray = np.percentile(np.frombuffer(self._waiting, np.float32), percents)
            return exact
        self._count()
        buckets, counts = np.array(sorted(self._counts.items())).T
        ends = np.cumsum(counts)
        ranks = np.round(np.asarray(percents) / 100 * (ends[-1] - 1))
        found = buckets[np.searchsorted(ends, ranks, side="right")].astype(np.uint32)
        middle = (found << _DROPPED_BITS) + (1 << (_DROPPED_BITS - 1))
        rounded: FloatArray = middle.astype(np.uint32).view(np.float32).astype(np.float64)
        return rounded

    def _count(self) -> None:
        """Count those that wait, by their first bits."""
        buckets, counts = np.unique(np.frombuffer(self._waiting, np.uint32) >> _DROPPED_BITS, return_counts=True)
        self._counts.update(dict(zip(buckets.tolist(), counts.tolist(), strict=True)))
        self._waiting = array("f")
