"""Words of the reference that were found, in their order."""

from collections.abc import Mapping
from dataclasses import dataclass

from misread.alignment import count_common_words
from misread.metrics.base import Metric, ScoredText
from misread.types import IntArray


@dataclass(frozen=True)
class WordAccuracy(Metric):
    """Share of the words of the reference that are in a longest common subsequence of the words of both sides.

    Words that were added cost nothing, and a word read for another is one that was not found: not the complement of the
    word error rate.

    References
    ----------
    Rice (1996), Measuring the accuracy of page-reading systems, dissertation, University of Nevada, Las Vegas: the word
    accuracy of ISRI's tools, with the tokens of the regime `isri`.
    """

    columns = ("found", "reference_words")
    unit = "word"

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        return pairs.once(count_common_words)[:, :2]

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule."""
        return {"unit": "word", "norm": norm, "align": "longest-common-subsequence"}
