"""Rates that stay between 0 and 1: match error rate, word information lost and preserved."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from misread.alignment import Unit
from misread.metrics.base import Direction, Metric, ScoredText, divide
from misread.metrics.error_rate import ErrorRate
from misread.types import BoolArray, FloatArray, IntArray

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

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., 6) -> (...); NaN where neither side has a unit."""
        errors, length, hits, _, _, insertions = np.moveaxis(counts, -1, 0)
        if self.score == "match_error_rate":
            return divide(errors, hits + errors, undefined=np.nan)
        found = length - counts[..., 4] + insertions
        preserved = divide(hits, length, undefined=0.0) * divide(hits, found, undefined=0.0)
        preserved = np.where((length == 0) & (found == 0), np.nan, preserved)
        return preserved if self.score == "information_preserved" else 1.0 - preserved

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether a segment has no error."""
        return self._aligned.is_exact(counts)

    def facts(self, norm: str) -> Mapping[str, str]:
        """As those of the error rate of the same unit."""
        return self._aligned.facts(norm)
