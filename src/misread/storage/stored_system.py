"""One system whose texts lie in a file of the normalize stage, and are read when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from misread.data.segment_table import MissingPolicy, SegmentKeys
from misread.metrics.base import Metric
from misread.normalize.normalized_texts import NormalizedTexts
from misread.storage.stage_tables import normalized_row_groups, read_normalized, read_normalized_keys
from misread.tally.equivalents import Equivalents
from misread.tally.scored_system import ScoredSystem, Sum
from misread.types import IntArray


@dataclass(frozen=True)
class StoredTexts:
    """What the normalize stage wrote of one system; ids, clusters and groups alone are kept in memory."""

    path: Path

    @cached_property
    def segments(self) -> SegmentKeys:
        """Ids, clusters and groups of all segments."""
        return read_normalized_keys(self.path)

    def take(self, rows: Sequence[int] | IntArray) -> NormalizedTexts:
        """Texts of these rows of all runs, which have to ascend."""
        return read_normalized(self.path, np.asarray(rows, np.int64))

    def parts(self) -> Iterator[NormalizedTexts]:
        """All texts, a row group at a time."""
        return (read_normalized(self.path, rows) for rows in normalized_row_groups(self.path))


class StoredSystem(ScoredSystem):
    """As a `ScoredSystem`, with texts that are read when something looks at all of them; sums are made part by part."""

    def __init__(
        self,
        stored: StoredTexts,
        metrics: Sequence[Metric],
        missing: MissingPolicy,
        equivalents: Equivalents | None = None,
    ) -> None:
        self.__dict__.update(stored=stored, metrics=metrics, missing=missing, equivalents=equivalents)

    if TYPE_CHECKING:
        stored: StoredTexts
    else:

        @cached_property
        def texts(self) -> NormalizedTexts:
            """All texts."""
            return read_normalized(self.stored.path)

    def summed(self, count: Callable[[ScoredSystem], Sum]) -> Sum:
        """Sum of what the function counts of every part."""
        if count not in self._results:
            self._results[count] = self._sum(count)
        result: Sum = self._results[count]
        return result

    def _sum(self, count: Callable[[ScoredSystem], Sum]) -> Sum:
        parts = (ScoredSystem(texts, self.metrics, self.missing, self.equivalents) for texts in self.stored.parts())
        # A part may have nothing to score where missing hypotheses are left out.
        counts = [count(part) for part in parts if part.missing_texts.scored]
        return reduce(add, counts) if counts else count(self)
