"""Error rates from an alignment: characters, graphemes and words."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from misread.alignment import (
    AlignedAlternatives,
    AlignmentPolicy,
    ErrorCounts,
    PairedTexts,
    Unit,
    align_alternatives,
    find_operations,
    joined_pairs,
    paired_error_counts,
)
from misread.checks.choices import check_choices
from misread.metrics.base import Direction, ScoredText, TextForm, WrittenAlternatives, divide
from misread.metrics.signature import describe_normalizer, make_signature
from misread.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class ErrorRate:
    """(S + D + I) / N of an alignment in one unit; with transpositions T, (S + D + I + T) / N.

    Parameters
    ----------
    id : str
        Name in configurations, files and tables.
    unit : {"char", "grapheme", "word"}
        Code points, extended grapheme clusters (UAX #29), or maximal runs of characters that are not white space.
    text : {"normalized", "raw"}
        Which form of the text is aligned.
    alignment : {"unit", "sclite", "transpositions"}
        By which costs, see `misread.error_counts`.

    Raises
    ------
    UnknownNameError
        If a setting has a value that it cannot have; names those it can have.
    """

    id: str
    unit: Unit
    text: TextForm = "normalized"
    alignment: AlignmentPolicy = "unit"

    def __post_init__(self) -> None:
        check_choices(self, f"metric {self.id!r}")

    @property
    def columns(self) -> tuple[str, ...]:
        """Counts that add; there is a column for transpositions where the alignment has them."""
        columns = ("errors", "length", "hits", "substitutions", "deletions", "insertions")
        return (*columns, "transpositions") if self.alignment == "transpositions" else columns

    @property
    def rate_columns(self) -> tuple[str, ...]:
        """Those of its counts that the rate looks at."""
        return ("errors", "length")

    @property
    def highest(self) -> float:
        """Insertions make rates above 1 possible."""
        return math.inf

    @property
    def direction(self) -> Direction:
        return Direction.LOWER_IS_BETTER

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, columns)."""
        if pairs.written is not None and self.chooses_readings:
            return _stack(self._align(pairs.written).counts, self.alignment)
        if self.unit == "grapheme":
            return self._count_graphemes(pairs)
        return pairs.once(_count_errors, self.unit, self.alignment)

    def _count_graphemes(self, pairs: ScoredText) -> IntArray:
        """Count graphemes, where they are characters as those, which other metrics count as well."""
        joined = pairs.once(joined_pairs)
        rows = np.flatnonzero(joined)
        if 2 * len(rows) > len(joined):
            return pairs.once(_count_errors, self.unit, self.alignment)
        counts = pairs.once(_count_errors, "char", self.alignment)
        if len(rows):
            counts = counts.copy()
            counts[rows] = _count_errors(pairs.take(rows), self.unit, self.alignment)
        return counts

    def operations(self, pairs: ScoredText) -> list[str]:
        """Alignment of every segment, one letter per operation, whose errors are those of `count`.

        Two units that changed places are one error: the one is written as correct and the other as substituted.
        """
        if pairs.written is not None and self.chooses_readings:
            return self._align(pairs.written).letters()
        found = find_operations(pairs.references, pairs.hypotheses, unit=self.unit, alignment=self.alignment)
        return [letters.replace("T", "CS") for letters in found.letters()]

    @property
    def chooses_readings(self) -> bool:
        """Whether it aligns texts with alternatives itself: words do, by their own costs."""
        return self.unit == "word" and self.alignment != "transpositions"

    def _align(self, written: WrittenAlternatives) -> AlignedAlternatives:
        if self.alignment == "unit":
            return written.with_unit_costs
        return align_alternatives(
            written.references, written.hypotheses, alignment="sclite", alternatives=written.sides
        )

    def rate(self, counts: IntArray) -> FloatArray:
        """Errors over reference length, shape (..., columns) -> (...); NaN where the reference has no unit."""
        return divide(counts[..., 0], counts[..., 1], undefined=np.nan)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether a segment has no error."""
        exact: BoolArray = counts[:, 0] == 0
        return exact

    def signature(self, normalizer: str) -> str:
        """Unit, normalizer, alignment rule, rule for empty references, version."""
        norm = describe_normalizer(self.text, normalizer)
        return make_signature(
            self.id, [("unit", self.unit), ("norm", norm), ("align", self.alignment), ("empty", "null")]
        )


def _count_errors(texts: PairedTexts, unit: Unit, alignment: AlignmentPolicy) -> IntArray:
    return _stack(paired_error_counts(texts, unit=unit, alignment=alignment), alignment)


def _stack(counts: ErrorCounts, alignment: AlignmentPolicy) -> IntArray:
    columns = [
        counts.errors,
        counts.reference_length,
        counts.hits,
        counts.substitutions,
        counts.deletions,
        counts.insertions,
    ]
    if alignment == "transpositions":
        columns.append(counts.transpositions)
    return np.stack(columns, axis=-1)
