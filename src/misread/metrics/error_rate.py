"""Rates from an alignment: errors of characters, graphemes and words, match rates, and normalized distance."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

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
from misread.metrics.base import UNIT_NOUNS, Direction, Metric, ScoredText, WrittenAlternatives, divide
from misread.types import BoolArray, FloatArray, IntArray

_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "length": ("hits", "substitutions", "deletions"),
    "errors": ("substitutions", "deletions", "insertions", "transpositions"),
}
_ADJECTIVES: Final = {
    "substitutions": "substituted",
    "deletions": "deleted",
    "insertions": "inserted",
    "transpositions": "transposed",
}


@dataclass(frozen=True)
class ErrorRate(Metric):
    """(S + D + I) / N of an alignment in one unit; with transpositions T, (S + D + I + T) / N.

    A subclass with other `rate_columns` is the rate of these counts, such as of deletions over the length.

    Parameters
    ----------
    unit : {"char", "grapheme", "word"}
        Code points, extended grapheme clusters (UAX #29), or maximal runs of characters that are not white space.
    alignment : {"unit", "sclite", "transpositions"}
        Costs of the alignment, see `misread.error_counts`.
    """

    unit: Unit
    alignment: AlignmentPolicy = "unit"

    rate_columns = ("errors", "length")

    @property
    def direction(self) -> Direction:
        """Lower is better, except of hits."""
        return Direction.HIGHER_IS_BETTER if self.rate_columns[0] == "hits" else Direction.LOWER_IS_BETTER

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest possible score: a part of its denominator is at most 1, insertions may be many."""
        numerator, denominator = self.rate_columns[:2]
        return 0.0, 1.0 if numerator in _PARTS.get(denominator, ()) else math.inf

    @property
    def counted(self) -> str:
        """Plural noun of the errors that it counts, such as "word errors" or "deleted characters"."""
        numerator, denominator = self.rate_columns[:2]
        kind = _ADJECTIVES.get(numerator) if denominator == "length" else None
        return f"{kind} {UNIT_NOUNS[self.unit]}s" if kind else super().counted

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
        """Count graphemes; texts whose graphemes are characters are counted as such, as other metrics do."""
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

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether a segment has no error."""
        exact: BoolArray = counts[:, 0] == 0
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, rule for empty references."""
        return {"unit": self.unit, "norm": norm, "align": self.alignment, "empty": "null"}


def count_errors(texts: PairedTexts, unit: Unit, alignment: AlignmentPolicy) -> IntArray:
    """Counts of every pair in the order of the columns of `ErrorRate`."""
    return _columns_of(paired_error_table(texts, unit=unit, alignment=alignment), alignment)


def _columns_of(table: IntArray, alignment: AlignmentPolicy) -> IntArray:
    # Each column is contiguous, as it is added up and written.
    return table[: 7 if alignment == "transpositions" else 6].T


MatchScore = Literal["match_error_rate", "information_lost", "information_preserved"]


@dataclass(frozen=True)
class MatchRate(Metric):
    """A bounded score of the counts of an alignment.

    With hits H, reference length N and hypothesis length P: match error rate (S + D + I) / (H + S + D + I);
    information preserved (H / N) (H / P); information lost 1 minus that.

    Parameters
    ----------
    score : {"match_error_rate", "information_lost", "information_preserved"}
        Which of them.
    unit : {"char", "word"}
        What is aligned.

    References
    ----------
    Morris, Maier & Green (2004), From WER and RIL to MER and WIL: improved evaluation measures for connected speech
    recognition.
    """

    score: MatchScore
    unit: Unit = "word"

    @property
    def columns(self) -> tuple[str, ...]:
        return self._aligned.columns

    @property
    def direction(self) -> Direction:
        better_high = self.score == "information_preserved"
        return Direction.HIGHER_IS_BETTER if better_high else Direction.LOWER_IS_BETTER

    @property
    def _aligned(self) -> ErrorRate:
        return ErrorRate(self.id, self.unit, text=self.text)

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6).

        Of texts with alternatives, those of the reading by words: a word that was left out is in neither length.
        """
        return self._aligned.count(replace(pairs, written=None) if pairs.written is not None else pairs)

    is_ratio = False

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., 6) -> (...); NaN where neither side has a unit."""
        errors, length, hits, _, deletions, insertions = np.moveaxis(counts, -1, 0)
        if self.score == "match_error_rate":
            return divide(errors, hits + errors, undefined=np.nan)
        hypothesis_length = length - deletions + insertions
        preserved = divide(hits, length, undefined=0.0) * divide(hits, hypothesis_length, undefined=0.0)
        preserved = np.where((length == 0) & (hypothesis_length == 0), np.nan, preserved)
        return preserved if self.score == "information_preserved" else 1.0 - preserved

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether a segment has no error."""
        return self._aligned.is_exact(counts)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Facts of the error rate of the same unit."""
        return self._aligned.facts(norm)


@dataclass(frozen=True)
class NormalizedDistance(Metric):
    """Errors over the length of the longer text: never above 1, however much a hypothesis adds.

    As OmniDocBench counts. Not defined where both texts are empty.

    Parameters
    ----------
    unit : {"char", "grapheme", "word"}
        What is aligned.
    """

    unit: Unit = "char"

    columns = ("errors", "longer_length")
    direction = Direction.LOWER_IS_BETTER

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2); of texts with alternatives, of the reading by words."""
        aligned = ErrorRate(self.id, self.unit, text=self.text)
        counts = aligned.count(replace(pairs, written=None) if pairs.written is not None else pairs)
        errors, length, hits, substitutions, _, insertions = np.moveaxis(counts, -1, 0)
        return np.stack([errors, np.maximum(length, hits + substitutions + insertions)], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, denominator."""
        return {"unit": self.unit, "norm": norm, "align": "unit", "over": "longer"}
