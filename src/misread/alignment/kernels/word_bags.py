"""Words of pairs as multisets and sets, from arrays of characters: integer arrays in, integer arrays out."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment.kernels.pairs import Sides, Words, run_over_pairs
from misread.alignment.kernels.simd import LANES
from misread.alignment.kernels.words import (
    FEW,
    WordBounds,
    clear_table,
    compare_keys,
    find_words,
    look_up_keys,
    make_key,
    most_words,
)
from misread.compiled.jit import borrowing_jit, jit
from misread.types import IntArray

Numbers = NDArray[np.uint32]


class Scratch(NamedTuple):
    """Scratch buffers of one thread for all its pairs."""

    reference_numbers: Numbers
    hypothesis_numbers: Numbers
    left: Numbers
    seen: Numbers
    keys: Words
    table: Numbers


def count_bags(sides: Sides) -> IntArray:
    """Count words that both sides of every pair have, and all words, shape (pairs, 7).

    Matches, words of the reference and of the hypothesis: as multisets, then as sets; and words that are equal at their
    position. PADDING places follow the last text.
    """
    counts = np.empty((len(sides[1]), 7), np.int64)
    run_over_pairs(_count_range, sides, counts)
    return counts


@jit
def _count_range(sides: Sides, counts: IntArray, first: int, last: int) -> None:
    """Count pairs first .. last-1 with one set of scratch buffers."""
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    most = most_words(reference_spans, hypothesis_spans, first, last)
    _count_pairs(
        reference_spans,
        hypothesis_spans,
        counts,
        first,
        last,
        WordBounds(reference_codes, np.empty(most, np.int64), np.empty(most, np.int64)),
        WordBounds(hypothesis_codes, np.empty(most, np.int64), np.empty(most, np.int64)),
        Scratch(
            np.empty(most, np.uint32),
            np.empty(most, np.uint32),
            np.empty(most + 1, np.uint32),
            np.empty(most + 1, np.uint32),
            np.empty(most + LANES, np.uint64),
            np.empty(4 * most + 4, np.uint32),
        ),
    )


@borrowing_jit
def _count_pairs(
    reference_spans: IntArray,
    hypothesis_spans: IntArray,
    counts: IntArray,
    first: int,
    last: int,
    reference: WordBounds,
    hypothesis: WordBounds,
    scratch: Scratch,
) -> None:
    reference_numbers, hypothesis_numbers, left, seen, _, _ = scratch
    for pair in range(first, last):
        known = find_words(reference, reference_spans[pair, 0], reference_spans[pair, 1])
        count = find_words(hypothesis, hypothesis_spans[pair, 0], hypothesis_spans[pair, 1])
        _number(reference, known, hypothesis, count, scratch, reference_numbers, hypothesis_numbers)
        equal = 0
        for word in range(min(known, count)):
            equal += reference_numbers[word] == hypothesis_numbers[word]
        left[: known + 1] = 0
        seen[: known + 1] = 0
        # The number of no word.
        seen[0] = 1
        distinct_known = 0
        for word in range(known):
            left[reference_numbers[word]] += np.uint32(1)
            distinct_known += reference_numbers[word] == word + 1
        matches = distinct_matches = others = 0
        for word in range(count):
            number = hypothesis_numbers[word]
            # Branches that are taken half of the time would cost more than all of this.
            is_match, is_new = left[number] != 0, seen[number] == 0
            matches += is_match
            distinct_matches += is_new
            left[number] -= np.uint32(is_match)
            seen[number] = 1
            hypothesis.starts[others], hypothesis.ends[others] = hypothesis.starts[word], hypothesis.ends[word]
            others += number == 0
        distinct_count = distinct_matches + others
        if others > 1:
            _number(hypothesis, others, hypothesis, 0, scratch, hypothesis_numbers, hypothesis_numbers)
            for word in range(others):
                distinct_count -= hypothesis_numbers[word] != word + 1
        counts[pair, 0], counts[pair, 1], counts[pair, 2] = matches, known, count
        counts[pair, 3], counts[pair, 4], counts[pair, 5] = distinct_matches, distinct_known, distinct_count
        counts[pair, 6] = equal


@borrowing_jit
def _number(
    known: WordBounds,
    words: int,
    other: WordBounds,
    other_words: int,
    scratch: Scratch,
    numbers: Numbers,
    other_numbers: Numbers,
) -> None:
    """Number the words of `known` by their first appearance, and those of `other` by the same or 0."""
    keys, table = scratch.keys, scratch.table
    if words <= FEW:
        for word in range(words):
            keys[word] = make_key(known.codes, known.starts[word], known.ends[word])
        compare_keys(known, words, known, words, keys, numbers, 0)
        compare_keys(other, other_words, known, words, keys, other_numbers, 0)
    else:
        bits = clear_table(table, words)
        look_up_keys(known, words, known, True, keys, table, bits, numbers, 0)
        look_up_keys(other, other_words, known, False, keys, table, bits, other_numbers, 0)
