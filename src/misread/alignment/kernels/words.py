"""Words as numbers, from arrays of characters: no string is made.

Only equality between a word of the reference and one of the hypothesis of the same pair decides an alignment, so the
numbers mean something within a pair only: a word of the reference has the position of the first word there that equals
it. Short texts compare the keys of all words, eight at a time; long ones look keys up in a hash table. Equal keys are
verified in both: words that share a key are still different.
"""

from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment.kernels.affixes import measure_prefix, measure_suffix
from misread.alignment.kernels.pairs import Codes, Sides, Words, run_over_pairs
from misread.alignment.kernels.simd import (
    LANES,
    codes_in_word,
    count_ones,
    count_zeros_above,
    count_zeros_below,
    equal_lanes,
    load_word,
    make_member_mask,
)
from misread.compiled.jit import borrowing_jit
from misread.text.words import WHITE_SPACE
from misread.types import IntArray

# Reference words up to which all keys are compared: a table costs more to clear, and misses.
FEW: Final = 64
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_WORD_BITS: Final = 64
# Odd, with bits as even as those of the golden ratio: multiplication mixes and loses nothing (Knuth, 6.4).
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def _find_ranges(characters: str) -> tuple[tuple[int, int], ...]:
    numbered = groupby(enumerate(map(ord, characters)), lambda entry: entry[1] - entry[0])
    runs = [[code for _, code in run] for _, run in numbered]
    return tuple((run[0], run[-1]) for run in runs)


_white_mask = make_member_mask(_find_ranges(WHITE_SPACE))


class WordBounds(NamedTuple):
    """Start and end of each word of one text in the codes of its side."""

    codes: Codes
    starts: IntArray
    ends: IntArray


def number_words(
    sides: Sides, without_ends: bool, reference_words: Codes, hypothesis_words: Codes
) -> tuple[IntArray, IntArray, IntArray]:
    """Number the words of each pair: from 1 on those of the reference, 0 for others of the hypothesis.

    Between two texts there is at least one place, and after the last PADDING. `reference_words` and `hypothesis_words`
    are filled; half as many places as characters are enough. Returned are the spans of the words of each side, and,
    with `without_ends`, how many words of the common prefix and suffix each pair has, which get no number (else 0).
    """
    pairs = len(sides[1])
    reference_word_spans, hypothesis_word_spans = np.empty((pairs, 2), np.int64), np.empty((pairs, 2), np.int64)
    shared = np.zeros(pairs, np.int64)
    run_over_pairs(
        _number_range,
        sides,
        without_ends,
        reference_words,
        hypothesis_words,
        reference_word_spans,
        hypothesis_word_spans,
        shared,
    )
    return reference_word_spans, hypothesis_word_spans, shared


def _number_range(
    sides: Sides,
    without_ends: bool,
    reference_words: Codes,
    hypothesis_words: Codes,
    reference_word_spans: IntArray,
    hypothesis_word_spans: IntArray,
    shared: IntArray,
    first: int,
    last: int,
) -> None:
    """Number a range of pairs with one set of scratch buffers. What is made here need not be compiled."""
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    spans = reference_spans[first:last], hypothesis_spans[first:last]
    most = (max(int((side[:, 1] - side[:, 0]).max(initial=0)) for side in spans) + 1) // 2
    number_pairs(
        reference_spans,
        hypothesis_spans,
        without_ends,
        reference_words,
        hypothesis_words,
        first,
        last,
        reference_word_spans,
        hypothesis_word_spans,
        shared,
        WordBounds(reference_codes, np.empty(most, np.int64), np.empty(most, np.int64)),
        WordBounds(hypothesis_codes, np.empty(most, np.int64), np.empty(most, np.int64)),
        np.empty(most + LANES, np.uint64),
        np.empty(4 * most + 4, np.uint32),
    )


@borrowing_jit
def most_words(reference_spans: IntArray, hypothesis_spans: IntArray, first: int, last: int) -> int:
    """Upper bound of the words of any text of pairs first .. last-1."""
    longest = 0
    for pair in range(first, last):
        longest = max(longest, reference_spans[pair, 1] - reference_spans[pair, 0])
        longest = max(longest, hypothesis_spans[pair, 1] - hypothesis_spans[pair, 0])
    return (longest + 1) // 2


@borrowing_jit
def number_pairs(
    reference_spans: IntArray,
    hypothesis_spans: IntArray,
    without_ends: bool,
    reference_words: Codes,
    hypothesis_words: Codes,
    first: int,
    last: int,
    reference_word_spans: IntArray,
    hypothesis_word_spans: IntArray,
    shared: IntArray,
    reference: WordBounds,
    hypothesis: WordBounds,
    keys: Words,
    table: NDArray[np.uint32],
) -> None:
    """Number pairs first .. last-1."""
    reference_codes, hypothesis_codes = reference.codes, hypothesis.codes
    for pair in range(first, last):
        reference_start, reference_end = reference_spans[pair, 0], reference_spans[pair, 1]
        hypothesis_start, hypothesis_end = hypothesis_spans[pair, 0], hypothesis_spans[pair, 1]
        # Half the index of the first character: a word and the white space after it have two characters.
        reference_offset, hypothesis_offset = reference_start >> 1, hypothesis_start >> 1
        if without_ends:
            shorter = min(reference_end - reference_start, hypothesis_end - hypothesis_start)
            prefix = measure_prefix(reference_codes, reference_start, hypothesis_codes, hypothesis_start, shorter)
            suffix = measure_suffix(reference_codes, reference_end, hypothesis_codes, hypothesis_end, shorter - prefix)
            before, prefix = _skip_prefix(reference_codes, reference_start, reference_start + prefix)
            after, suffix = _skip_suffix(reference_codes, reference_end - suffix, reference_end)
            shared[pair] = before + after
            reference_start += prefix
            hypothesis_start += prefix
            reference_end -= suffix
            hypothesis_end -= suffix
        known = find_words(reference, reference_start, reference_end)
        count = find_words(hypothesis, hypothesis_start, hypothesis_end)
        reference_word_spans[pair, 0], reference_word_spans[pair, 1] = reference_offset, reference_offset + known
        hypothesis_word_spans[pair, 0], hypothesis_word_spans[pair, 1] = hypothesis_offset, hypothesis_offset + count
        if known <= FEW:
            for word in range(known):
                keys[word] = make_key(reference_codes, reference.starts[word], reference.ends[word])
            compare_keys(reference, known, reference, known, keys, reference_words, reference_offset)
            compare_keys(hypothesis, count, reference, known, keys, hypothesis_words, hypothesis_offset)
        else:
            bits = clear_table(table, known)
            look_up_keys(reference, known, reference, True, keys, table, bits, reference_words, reference_offset)
            look_up_keys(hypothesis, count, reference, False, keys, table, bits, hypothesis_words, hypothesis_offset)


@borrowing_jit
def _skip_prefix(codes: Codes, start: int, end: int) -> tuple[int, int]:
    """Words that end before white space in codes[start:end], and characters up to the last white space there."""
    words, last = 0, start
    outside = _ONE
    for position in range(start, end, _WORD_BITS):
        white = _white_mask(codes, position) & _first_bits(end - position)
        words += count_ones(white & ~((white << _ONE) | outside))
        if white != _ZERO:
            last = position + _WORD_BITS - count_zeros_above(white)
        outside = white >> np.uint64(_WORD_BITS - 1)
    return words, last - start


@borrowing_jit
def _skip_suffix(codes: Codes, start: int, end: int) -> tuple[int, int]:
    """Words that begin after white space in codes[start:end], and characters from the first white space there."""
    words, first = 0, end
    outside = _ZERO
    for position in range(start, end, _WORD_BITS):
        white = _white_mask(codes, position)
        words += count_ones(~white & ((white << _ONE) | outside) & _first_bits(end - position))
        white &= _first_bits(end - position)
        if white != _ZERO and first == end:
            first = position + count_zeros_below(white)
        outside = white >> np.uint64(_WORD_BITS - 1)
    return words, end - first


@borrowing_jit
def _first_bits(count: int) -> np.uint64:
    """Word with the `count` lowest bits set, or all."""
    return _ALL >> np.uint64(max(0, _WORD_BITS - count))


@borrowing_jit
def find_words(bounds: WordBounds, start: int, end: int) -> int:
    """Write where each word of a text begins and ends; return how many there are."""
    codes, starts, ends = bounds
    opened = closed = 0
    outside = _ONE
    for position in range(start, end, _WORD_BITS):
        white = _white_mask(codes, position) | ~_first_bits(end - position)
        before = (white << _ONE) | outside
        outside = white >> np.uint64(_WORD_BITS - 1)
        openings, closings = before & ~white, white & ~before
        while openings != _ZERO:
            starts[opened] = position + count_zeros_below(openings)
            openings &= openings - _ONE
            opened += 1
        while closings != _ZERO:
            ends[closed] = position + count_zeros_below(closings)
            closings &= closings - _ONE
            closed += 1
    if closed < opened:
        ends[closed] = end
    return opened


@borrowing_jit
def make_key(codes: Codes, start: int, end: int) -> np.uint64:
    """64 bits that are equal for equal words; for words of one length up to eight bytes, only for equal ones."""
    step = codes_in_word(codes)
    if end - start <= step:
        return _load_last(codes, start, end)
    key = _ZERO
    while end - start > step:
        key = _mix(key ^ load_word(codes, start))
        start += step
    # The last eight bytes, some of them a second time.
    return np.uint64(key ^ load_word(codes, end - step))


@borrowing_jit
def _load_last(codes: Codes, start: int, end: int) -> np.uint64:
    """The last one to eight bytes of a word."""
    bits = _WORD_BITS // codes_in_word(codes)
    return np.uint64(load_word(codes, start) & _first_bits(bits * (end - start)))


@borrowing_jit
def _mix(word: np.uint64) -> np.uint64:
    word *= _MULTIPLIER
    return word ^ (word >> _HALF)


@borrowing_jit
def compare_keys(
    bounds: WordBounds, count: int, reference: WordBounds, known: int, keys: Words, words: Codes, words_start: int
) -> None:
    """Number the words of one text by the keys of the reference."""
    codes, starts, ends = bounds
    step = codes_in_word(codes)
    for word in range(count):
        start, end = starts[word], ends[word]
        key = make_key(codes, start, end)
        same = _ZERO
        for group in range(0, known, LANES):
            same |= equal_lanes(keys, group, key) << np.uint64(group)
        same &= _first_bits(known)
        other = count_zeros_below(same) & (_WORD_BITS - 1)
        number = other + 1 if same != _ZERO else 0
        length, other_length = end - start, reference.ends[other] - reference.starts[other]
        # Branches that are taken half of the time would cost more than all of this.
        if (length > step) | ((number != 0) & (length != other_length)):
            number = _verify(same, codes, start, end, reference)
        words[words_start + word] = number


@borrowing_jit
def _verify(same: np.uint64, codes: Codes, start: int, end: int, reference: WordBounds) -> int:
    """Number of the first word of the reference that equals codes[start:end], among those of equal keys."""
    while same != _ZERO:
        other = count_zeros_below(same)
        if _is_equal(codes, start, end, reference.codes, reference.starts[other], reference.ends[other]):
            return int(other + 1)
        same &= same - _ONE
    return 0


@borrowing_jit
def clear_table(table: NDArray[np.uint32], known: int) -> int:
    """Empty as much of the table as `known` words need; return the bits of its size."""
    bits = 1
    while (1 << bits) < 2 * known:
        bits += 1
    table[: 1 << bits] = 0
    return bits


@borrowing_jit
def look_up_keys(
    bounds: WordBounds,
    count: int,
    reference: WordBounds,
    is_reference: bool,
    keys: Words,
    table: NDArray[np.uint32],
    bits: int,
    words: Codes,
    words_start: int,
) -> None:
    """Number the words of one text by a hash table of the reference. One loop: calls would cost more than the rest."""
    codes, starts, ends = bounds
    mask = (1 << bits) - 1
    for word in range(count):
        start, end = starts[word], ends[word]
        key = make_key(codes, start, end)
        slot = np.int64(_mix(key) & np.uint64(mask))
        number = np.int64(table[slot])
        while number != 0:
            other = number - 1
            if keys[other] == key and _is_equal(
                codes, start, end, reference.codes, reference.starts[other], reference.ends[other]
            ):
                break
            slot = (slot + 1) & mask
            number = np.int64(table[slot])
        if number == 0 and is_reference:
            number = np.int64(word + 1)
            table[slot] = number
            keys[word] = key
        words[words_start + word] = number


@borrowing_jit
def _is_equal(codes: Codes, start: int, end: int, others: Codes, other_start: int, other_end: int) -> bool:
    """Compare two words of equal keys."""
    step = codes_in_word(codes)
    if end - start != other_end - other_start:
        return False
    if end - start <= step:
        return True
    while end - start > step:
        if load_word(codes, start) != load_word(others, other_start):
            return False
        start += step
        other_start += step
    return bool(load_word(codes, end - step) == load_word(others, other_end - step))
