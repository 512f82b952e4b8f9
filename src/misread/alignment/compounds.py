"""Word errors where words that one side writes together and the other apart are equal."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

import numpy as np

from misread.alignment.encode.joined_units import IS_WHITE
from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.encode.texts import EncodedTexts
from misread.alignment.kernels.compounds import count_merging, have_merges
from misread.compiled.budget import ALIGNING, loaded_above
from misread.errors import TooDifferentError
from misread.text.words import split_words
from misread.types import BoolArray, IntArray

MOST_PARTS: Final = 64
"""Words that may be one word on the other side."""

_CELL_SECONDS: Final = 1e-6
_WORD_SECONDS: Final = 1e-5
# Some minutes; as many words as a book has.
_MOST_CELLS: Final = 10**11

Merge = tuple[int, int, int, int]
"""Where it ends in reference and hypothesis, and how many words of each it takes."""


def count_with_merged_compounds(texts: PairedTexts, counts: IntArray) -> IntArray:
    """Count pairs again in which words may be merged, from counts without; shape (pairs, 6), as those of `ErrorRate`.

    "white paper" beside "whitepaper" is no error, on either side; the length is that of the reference as it is written.
    Of the alignments with the fewest errors one with the most substitutions is counted. Raises TooDifferentError, which
    names the pair, if both texts are too long.
    """
    merged = counts.copy()
    for pair in np.flatnonzero((counts[:, 0] > 0) & may_merge(texts)).tolist():
        reference, hypothesis = split_words(texts.references[pair]), split_words(texts.hypotheses[pair])
        if merges := find_merges(reference, hypothesis):
            if len(reference) * len(hypothesis) > _MOST_CELLS:
                raise TooDifferentError(pair, (len(reference), len(hypothesis)), _MOST_CELLS)
            merged[pair] = _count(reference, hypothesis, merges)
    return merged


def may_merge(texts: PairedTexts) -> BoolArray:
    """Tell pairs in which nothing can be merged from those that have to be looked at, shape (pairs,)."""
    found = np.ones(len(texts), np.uint8)
    for batch, pairs in texts.encode("char"):
        sides = pairs.references, pairs.hypotheses
        (words, of_pair), (others, of_other) = map(_word_places, sides)
        with loaded_above(ALIGNING, _WORD_SECONDS * (len(words) + len(others))):
            have_merges(sides[0].codes, words, of_pair, sides[1].codes, others, of_other, found[batch])
    return found > 0


def _word_places(side: EncodedTexts) -> tuple[IntArray, IntArray]:
    """Start and end of each word of all texts, and the number of the first word of each text, and of all."""
    is_inside = ~np.take(IS_WHITE, side.codes, mode="clip")
    # One place lies between two texts.
    is_inside[side.spans[:, 1]] = False
    is_inside[int(side.spans[-1, 1]) if len(side.spans) else 0 :] = False
    edges = np.flatnonzero(np.diff(is_inside, prepend=False, append=False))
    words = edges.reshape(-1, 2)
    first = np.searchsorted(words[:, 0], side.spans[:, 0])
    return words, np.append(first, len(words))


def find_merges(reference: Sequence[str], hypothesis: Sequence[str]) -> list[Merge]:
    """Find words of one side that are several words in a row of the other, written together; in order of their ends."""
    merges = [(end, place, parts, 1) for end, place, parts in _find(reference, hypothesis)]
    merges += [(place, end, 1, parts) for end, place, parts in _find(hypothesis, reference)]
    return sorted(merges)


def _find(apart: Sequence[str], together: Sequence[str]) -> list[tuple[int, int, int]]:
    """Ends of runs of words, the places after the words that they make, and the lengths of the runs."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(together, start=1):
        places.setdefault(word, []).append(place)
    known = sorted(places)
    found = []
    for begin, word in enumerate(apart):
        joined = word
        for end in range(begin + 2, min(begin + MOST_PARTS, len(apart)) + 1):
            joined += apart[end - 1]
            # Words that begin with it follow it in their order.
            at = bisect_left(known, joined)
            if at == len(known) or not known[at].startswith(joined):
                break
            found += [(end, place, end - begin) for place in places.get(joined, ())]
    return found


def _count(reference: Sequence[str], hypothesis: Sequence[str], merges: Sequence[Merge]) -> list[int]:
    numbers: dict[str, int] = {}
    codes = [
        np.array([numbers.setdefault(word, len(numbers)) for word in side], np.uint32)
        for side in (reference, hypothesis)
    ]
    table = np.array(merges, np.int64)
    deepest = int(table[:, 2].max())
    rows = np.empty((deepest + 1, len(hypothesis) + 1), np.int64)
    counts = np.empty(3, np.int64)
    with loaded_above(ALIGNING, _CELL_SECONDS * len(reference) * len(hypothesis)):
        count_merging(codes[0], codes[1], table, rows, deepest, counts)
    substitutions, deletions, insertions = counts.tolist()
    length = len(reference)
    return [
        substitutions + deletions + insertions,
        length,
        length - substitutions - deletions,
        substitutions,
        deletions,
        insertions,
    ]
