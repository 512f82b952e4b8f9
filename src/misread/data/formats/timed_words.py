"""Words of one channel of a recording, with their times, as columns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from misread.data.formats.marked_text import location_of
from misread.text.alternatives import Item, Word
from misread.text.lazy_rows import LazyRows
from misread.types import FloatArray, IntArray

if TYPE_CHECKING:
    import pyarrow as pa

Confidences = list[list[float | None]]
"""Of the words of each alternative."""


class TimedItem(NamedTuple):
    """A word, or alternatives, with its time in seconds, and how sure the system was."""

    middle: float
    item: Item
    location: str
    start: float
    end: float
    confidence: float | Confidences | None


@dataclass(frozen=True, slots=True)
class TimedWords(LazyRows[TimedItem]):
    """Words of one channel, in order of time, as columns."""

    path: Path
    starts: FloatArray
    middles: FloatArray
    words: pa.Array
    lines: IntArray
    marked: Mapping[int, Item] = field(default_factory=dict)  # by row: items other than the plain word
    confidences: FloatArray | None = None  # NaN where a word has none; None where no word has one
    choice_confidences: Mapping[int, Confidences] = field(default_factory=dict)  # by row

    def __len__(self) -> int:
        return len(self.middles)

    def row(self, index: int) -> TimedItem:
        """Make one row."""
        item = self.marked.get(index) or Word(self.words[index].as_py())
        start, middle = float(self.starts[index]), float(self.middles[index])
        known = self.choice_confidences.get(index, None if self.confidences is None else float(self.confidences[index]))
        confidence = None if isinstance(known, float) and math.isnan(known) else known
        return TimedItem(middle, item, self.location(index), start, round(2 * middle - start, 6), confidence)

    def location(self, row: int) -> str:
        """File and line of a word, for messages."""
        return location_of(self.path, int(self.lines[row]))
