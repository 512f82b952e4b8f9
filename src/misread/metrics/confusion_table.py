"""What was read for what, how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from misread.data.segment_table import Origin

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class Confusion:
    """A reference unit, what was read instead, and how often; <INSERT> and <DELETE> stand for no text."""

    reference: str
    hypothesis: str
    count: int


@dataclass(frozen=True)
class Confusions(Sequence[Confusion]):
    """Confusions, most frequent first, as columns of equal length because a word list may be very long."""

    references: Sequence[str]
    hypotheses: Sequence[str]
    counts: Sequence[int]

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, index: int) -> Confusion: ...
    @overload
    def __getitem__(self, index: slice) -> Confusions: ...
    def __getitem__(self, index: int | slice) -> Confusion | Confusions:
        if isinstance(index, slice):
            return Confusions(self.references[index], self.hypotheses[index], self.counts[index])
        return Confusion(self.references[index], self.hypotheses[index], self.counts[index])


@dataclass(frozen=True, slots=True)
class ConfusionTable:
    """Confusions of one system on one data set, summed over its runs."""

    origin: Origin
    # By kind: "character" and "word"; "block" and "category" have the errors of characters summed by Unicode block and
    # general category.
    confusions: Mapping[str, Confusions]
    facts: Mapping[str, Mapping[str, str | int]]  # as in `SegmentAlignments`
    # By kind: occurrences of each character, block and category in the references, the denominators of counts.
    reference_units: Mapping[str, Mapping[str, int]]
