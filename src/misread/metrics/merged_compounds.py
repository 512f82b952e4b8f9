"""Word error rate in which compounds may be written together or apart."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from misread.alignment import PairedTexts, count_with_merged_compounds
from misread.metrics.base import Direction, Kind, Metric, ScoredText
from misread.metrics.error_rate import ErrorRate, count_errors
from misread.types import IntArray


@dataclass(frozen=True)
class MergedCompoundsRate(Metric):
    """Word error rate where words in a row that are one word on the other side, written together, are no error.

    With unit costs. The length is that of the reference as it is written. Kaldialign's `merge_compounds`, by which the
    Open ASR Leaderboard counts.
    """

    direction = Direction.LOWER_IS_BETTER
    kind = Kind.ERROR_RATE
    rate_columns = ("errors", "length")
    unit = "word"

    @property
    def columns(self) -> tuple[str, ...]:
        return self._apart.columns

    @property
    def _apart(self) -> ErrorRate:
        return ErrorRate(self.id, "word", text=self.text)

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6); of texts with alternatives, of the reading by words."""
        plain = replace(pairs, written=None) if pairs.written is not None else pairs
        return plain.once(_count_merged)

    def facts(self, norm: str) -> Mapping[str, str]:
        """As those of the word error rate, and that compounds are merged."""
        return {**self._apart.facts(norm), "compounds": "merged"}


def _count_merged(texts: PairedTexts) -> IntArray:
    return count_with_merged_compounds(texts, count_errors(texts, "word", "unit"))
