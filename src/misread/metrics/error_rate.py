"""Error rates from an alignment: characters, graphemes and words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from misread.alignment import (
    AlignedAlternatives,
    AlignmentPolicy,
    PairedTexts,
    Unit,
    align_readings,
    error_table,
    joined_pairs,
    paired_error_table,
    paired_operations,
)
from misread.metrics.base import Direction, Kind, Metric, ScoredText, WrittenAlternatives
from misread.types import IntArray


@dataclass(frozen=True)
class ErrorRate(Metric):
    """(S + D + I) / N of an alignment in one unit; with transpositions T, (S + D + I + T) / N.

    Parameters
    ----------
    unit : {"char", "grapheme", "word"}
        Code points, extended grapheme clusters (UAX #29), or maximal runs of characters that are not white space.
    alignment : {"unit", "sclite", "transpositions"}
        By which costs, see `misread.error_counts`.
    """

    unit: Unit
    alignment: AlignmentPolicy = "unit"

    direction = Direction.LOWER_IS_BETTER
    kind = Kind.ERROR_RATE
    rate_columns = ("errors", "length")

    @property
    def columns(self) -> tuple[str, ...]:
        """Counts that add; there is a column for transpositions where the alignment has them."""
        columns = ("errors", "length", "hits", "substitutions", "deletions", "insertions")
        return (*columns, "transpositions") if self.alignment == "transpositions" else columns

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, columns)."""
        if pairs.written is not None and self.chooses_readings:
            return _columns_of(error_table(self.read(pairs.written).counts), self.alignment)
        if self.unit == "grapheme":
            return self._count_graphemes(pairs)
        return pairs.once(count_errors, self.unit, self.alignment)

    def _count_graphemes(self, pairs: ScoredText) -> IntArray:
        """Count graphemes, where they are characters as those, which other metrics count as well."""
        joined = pairs.once(joined_pairs)
        rows = np.flatnonzero(joined)
        if 2 * len(rows) > len(joined):
            return pairs.once(count_errors, self.unit, self.alignment)
        counts = pairs.once(count_errors, "char", self.alignment)
        if len(rows):
            counts = counts.copy()
            counts[rows] = count_errors(pairs.take(rows), self.unit, self.alignment)
        return counts

    def operations(self, pairs: ScoredText) -> Sequence[str]:
        """Alignment of every segment, one letter per operation, whose errors are those of `count`."""
        if pairs.written is not None and self.chooses_readings:
            return self.read(pairs.written).letters()
        return paired_operations(pairs.paired, unit=self.unit, alignment=self.alignment).letters()

    @property
    def chooses_readings(self) -> bool:
        """Whether it aligns texts with alternatives itself: words do, by their own costs."""
        return self.unit == "word" and self.alignment != "transpositions"

    def read(self, written: WrittenAlternatives) -> AlignedAlternatives:
        """The readings whose errors it counts, if it chooses readings."""
        if self.alignment == "unit":
            return written.with_unit_costs
        return align_readings(written.references, written.hypotheses, alignment="sclite")

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, rule for empty references."""
        return {"unit": self.unit, "norm": norm, "align": self.alignment, "empty": "null"}


def count_errors(texts: PairedTexts, unit: Unit, alignment: AlignmentPolicy) -> IntArray:
    """Counts of every pair in the order of the columns of `ErrorRate`."""
    return _columns_of(paired_error_table(texts, unit=unit, alignment=alignment), alignment)


def _columns_of(table: IntArray, alignment: AlignmentPolicy) -> IntArray:
    # Each column in one piece, as it is added up and written.
    return table[: 7 if alignment == "transpositions" else 6].T
