"""Counts of readings by reference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misread.data.segment_table import Origin
from misread.text.lazy_rows import LazyRows


@dataclass(frozen=True, slots=True)
class Confusion:
    """A reference unit, what was read instead, and how often; <INSERT> and <DELETE> mean no text."""

    reference: str
    hypothesis: str
    count: int


@dataclass(frozen=True)
class Confusions(LazyRows[Confusion]):
    """Confusions, most frequent first, as columns of equal length because a word list may be very long."""

    references: Sequence[str]
    hypotheses: Sequence[str]
    counts: Sequence[int]

    def __len__(self) -> int:
        return len(self.counts)

    def row(self, index: int) -> Confusion:
        """Make one row."""
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
