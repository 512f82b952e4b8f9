"""Word error rate in which words that one side writes together and the other apart are equal."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from misread.alignment import PairedTexts
from misread.alignment.kernels.compounds import MOST_PARTS, count_merging
from misread.compiled.budget import ALIGNING, loaded_above
from misread.errors import TooDifferentError
from misread.metrics.base import Direction, Metric, ScoredText
from misread.metrics.error_rate import ErrorRate, count_errors
from misread.text.words import split_words
from misread.types import IntArray

_CELL_SECONDS: Final = 1e-6
# Some minutes; as many words as a book has.
_MOST_CELLS: Final = 10**11

Merge = tuple[int, int, int, int]
"""Ends of a merge in reference and hypothesis, and the number of words of each."""


def count_with_merged_compounds(texts: PairedTexts, counts: IntArray) -> IntArray:
    """Count again the pairs in which words may be merged, given counts without merges; shape (pairs, 6) as `ErrorRate`.

    "white paper" for "whitepaper" is no error, on either side; the length is that of the reference as it is written.
    Where words are merged, of the alignments with the fewest errors one with the most substitutions is counted. Raises
    TooDifferentError, which names the pair, if both texts are too long.
    """
    merged = counts.copy()
    for pair in np.flatnonzero(counts[:, 0]).tolist():
        kinds = _count(pair, split_words(texts.references[pair]), split_words(texts.hypotheses[pair]))
        if kinds is not None:
            merged[pair, 0] = kinds.sum()
            merged[pair, 2] = merged[pair, 1] - kinds[0] - kinds[1]
            merged[pair, 3:] = kinds
    return merged


def find_merges(reference: Sequence[str], hypothesis: Sequence[str]) -> list[Merge]:
    """Find words of one side that are several consecutive words of the other, joined; sorted by their ends."""
    merges = [(end, position, parts, 1) for end, position, parts in _find(reference, hypothesis)]
    merges += [(position, end, 1, parts) for end, position, parts in _find(hypothesis, reference)]
    return sorted(merges)


def _find(apart: Sequence[str], together: Sequence[str]) -> list[tuple[int, int, int]]:
    """Ends of runs of words, the positions after the words that they make, and the lengths of the runs."""
    places: dict[str, list[int]] = {}
    for position, word in enumerate(together, start=1):
        places.setdefault(word, []).append(position)
    known = sorted(places)
    runs = []
    for start, word in enumerate(apart):
        joined = word
        for end in range(start + 2, min(start + MOST_PARTS, len(apart)) + 1):
            joined += apart[end - 1]
            # Words that start with it follow it in sorted order.
            at = bisect_left(known, joined)
            if at == len(known) or not known[at].startswith(joined):
                break
            runs += [(end, position, end - start) for position in places.get(joined, ())]
    return runs


def _count(pair: int, reference: Sequence[str], hypothesis: Sequence[str]) -> IntArray | None:
    """Substitutions, deletions and insertions of one pair; None if nothing can be merged."""
    merges = find_merges(reference, hypothesis)
    if not merges:
        return None
    cells = len(reference) * len(hypothesis)
    if cells > _MOST_CELLS:
        raise TooDifferentError(pair, (len(reference), len(hypothesis)), _MOST_CELLS)
    numbers: dict[str, int] = {}
    codes = [
        np.array([numbers.setdefault(word, len(numbers)) for word in side], np.uint32)
        for side in (reference, hypothesis)
    ]
    table = np.array(merges, np.int64)
    deepest = int(table[:, 2].max())
    rows = np.empty((deepest + 1, len(hypothesis) + 1), np.int64)
    counts = np.empty(3, np.int64)
    with loaded_above(ALIGNING, _CELL_SECONDS * cells):
        count_merging(codes[0], codes[1], table, rows, deepest, counts)
    return counts


@dataclass(frozen=True)
class MergedCompoundsRate(Metric):
    """Word error rate in which consecutive words that are one word on the other side, written together, are no error.

    Costs are unit costs, and the length is that of the reference as it is written. Same as kaldialign's
    `merge_compounds`, which the Open ASR Leaderboard uses.
    """

    direction = Direction.LOWER_IS_BETTER
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
        """Facts of the word error rate, and that compounds are merged."""
        return {**self._apart.facts(norm), "compounds": "merged"}


def _count_merged(texts: PairedTexts) -> IntArray:
    return count_with_merged_compounds(texts, count_errors(texts, "word", "unit"))
