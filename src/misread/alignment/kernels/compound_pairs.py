"""Pairs of texts in which several words of one side may be one word of the other; no string is made."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment.kernels.compounds import MOST_PARTS, count_merging
from misread.alignment.kernels.pairs import Bytes, Codes, Sides, Words, run_over_pairs
from misread.alignment.kernels.simd import LANES
from misread.alignment.kernels.words import WordBounds, find_words, most_words, number_pairs
from misread.compiled.jit import borrowing_jit, jit
from misread.types import IntArray

# Outcomes of a pair.
NOTHING_MERGED: Final = 0
MERGED: Final = 1
TOO_LONG: Final = 2

# Pairs of words that are compared one by one.
_MOST_COMPARED: Final = 1 << 14


class _Scratch(NamedTuple):
    """Scratch buffers for counting one range of pairs."""

    merges: IntArray
    rows: IntArray
    keys: Words
    table: NDArray[np.uint32]
    reference_words: NDArray[np.uint32]
    hypothesis_words: NDArray[np.uint32]
    word_spans: IntArray
    other_spans: IntArray
    shared: IntArray


def count_merged(sides: Sides, counts: IntArray, outcomes: Bytes) -> None:
    """Fill `counts`, shape (pairs, 3), as `count_merging`, of pairs of characters in which something can be merged.

    `outcomes`, shape (pairs,), is MERGED for these pairs, else NOTHING_MERGED, or TOO_LONG for pairs with too many
    words to compare them all with each other.
    """
    run_over_pairs(_count_range, sides, counts, outcomes)


@jit
def _count_range(sides: Sides, counts: IntArray, outcomes: Bytes, first: int, last: int) -> None:
    """Count pairs first .. last-1 with one set of scratch buffers."""
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    most = most_words(reference_spans, hypothesis_spans, first, last)
    compared = min(most, _MOST_COMPARED)
    _count_pairs(
        reference_spans,
        hypothesis_spans,
        counts,
        outcomes,
        first,
        last,
        WordBounds(reference_codes, np.empty(most, np.int64), np.empty(most, np.int64)),
        WordBounds(hypothesis_codes, np.empty(most, np.int64), np.empty(most, np.int64)),
        _Scratch(
            np.empty((min(most * most, _MOST_COMPARED), 4), np.int64),
            np.empty((MOST_PARTS + 1, compared + 1), np.int64),
            np.empty(compared + LANES, np.uint64),
            np.empty(4 * compared + 4, np.uint32),
            np.empty((reference_codes.size + 1) // 2, np.uint32),
            np.empty((hypothesis_codes.size + 1) // 2, np.uint32),
            np.empty((len(outcomes), 2), np.int64),
            np.empty((len(outcomes), 2), np.int64),
            np.empty(len(outcomes), np.int64),
        ),
    )


@borrowing_jit
def _count_pairs(
    reference_spans: IntArray,
    hypothesis_spans: IntArray,
    counts: IntArray,
    outcomes: Bytes,
    first: int,
    last: int,
    reference: WordBounds,
    hypothesis: WordBounds,
    scratch: _Scratch,
) -> None:
    """Count pairs first .. last-1."""
    merges, rows, keys, table, reference_words, hypothesis_words, word_spans, other_spans, shared = scratch
    for pair in range(first, last):
        known = find_words(reference, reference_spans[pair, 0], reference_spans[pair, 1])
        count = find_words(hypothesis, hypothesis_spans[pair, 0], hypothesis_spans[pair, 1])
        if known * count > _MOST_COMPARED:
            outcomes[pair] = TOO_LONG
            continue
        merge_count = _find_merges(reference, known, hypothesis, count, merges)
        outcomes[pair] = MERGED if merge_count else NOTHING_MERGED
        if merge_count:
            number_pairs(
                reference_spans,
                hypothesis_spans,
                False,
                reference_words,
                hypothesis_words,
                pair,
                pair + 1,
                word_spans,
                other_spans,
                shared,
                reference,
                hypothesis,
                keys,
                table,
            )
            deepest = 0
            for merge in range(merge_count):
                deepest = max(deepest, merges[merge, 2])
            words = reference_words[word_spans[pair, 0] : word_spans[pair, 1]]
            others = hypothesis_words[other_spans[pair, 0] : other_spans[pair, 1]]
            count_merging(words, others, merges[:merge_count], rows, deepest, counts[pair])


@borrowing_jit
def _find_merges(reference: WordBounds, known: int, hypothesis: WordBounds, count: int, merges: IntArray) -> int:
    """Write all merges of one pair as `count_merging` takes them; return how many there are."""
    merge_count = 0
    for row in range(1, known + 1):
        start, end = reference.starts[row - 1], reference.ends[row - 1]
        for column in range(1, count + 1):
            other_start, other_end = hypothesis.starts[column - 1], hypothesis.ends[column - 1]
            # A word and the last of its parts end alike, which most others do not.
            if reference.codes[end - 1] != hypothesis.codes[other_end - 1] or end - start == other_end - other_start:
                continue
            parts = other_parts = 1
            if end - start < other_end - other_start:
                parts = _count_parts(reference, row, hypothesis.codes, other_start, other_end)
            else:
                other_parts = _count_parts(hypothesis, column, reference.codes, start, end)
            if parts > 0 and other_parts > 0:
                merges[merge_count, 0], merges[merge_count, 1] = row, column
                merges[merge_count, 2], merges[merge_count, 3] = parts, other_parts
                merge_count += 1
    return merge_count


@borrowing_jit
def _count_parts(apart: WordBounds, stop: int, together: Codes, start: int, end: int) -> int:
    """Number of words before `stop` that make together[start:end] if written together; 0 if none do."""
    codes, starts, ends = apart
    for parts in range(1, min(stop, MOST_PARTS) + 1):
        part_start = starts[stop - parts]
        size = ends[stop - parts] - part_start
        end -= size
        if end < start:
            return 0
        for offset in range(size):
            if codes[part_start + offset] != together[end + offset]:
                return 0
        if end == start:
            return parts
    return 0
