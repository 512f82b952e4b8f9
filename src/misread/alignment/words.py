"""Words as numbers, from arrays of characters: no string is made.

Only equality between a word of the reference and one of the hypothesis of the same pair decides an alignment, so the
numbers mean something within a pair only. They come from a small hash table, whose hits are verified: words that
share a key are still different.
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

import numba
import numpy as np
from numpy.typing import NDArray

from misread.alignment.lanes import count_zeros_below, load_word, make_member_mask
from misread.alignment.units import Codes, Words
from misread.arrays import IntArray
from misread.jit import jit, parallel_jit
from misread.white_space import WHITE_SPACE

PADDING: Final = 64
"""Places after the last text that are read, and ignored, so that eight bytes or 64 codes are always there."""

_CHUNKS: Final = 64
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_WORD_BITS: Final = 64
_BYTES: Final = 8
# Odd, with bits as even as those of the golden ratio: multiplication mixes and loses nothing (Knuth, 6.4).
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def _find_ranges(characters: str) -> tuple[tuple[int, int], ...]:
    numbered = groupby(enumerate(map(ord, characters)), lambda entry: entry[1] - entry[0])
    runs = [[code for _, code in run] for _, run in numbered]
    return tuple((run[0], run[-1]) for run in runs)


_white_mask = make_member_mask(_find_ranges(WHITE_SPACE))


@parallel_jit
def number_words(
    reference_codes: Codes,
    reference_spans: IntArray,
    hypothesis_codes: Codes,
    hypothesis_spans: IntArray,
    reference_words: Codes,
    hypothesis_words: Codes,
) -> tuple[IntArray, IntArray]:
    """Number the words of each pair: from 1 on those of the reference, 0 for others of the hypothesis.

    Parameters
    ----------
    reference_codes, hypothesis_codes : array of unsigned integers
        Characters of all texts of one side, with one place at least between two texts and PADDING places after the
        last; both sides of one type.
    reference_spans, hypothesis_spans : int64 array, shape (pairs, 2)
        Where in its codes each text begins and ends.
    reference_words, hypothesis_words : array of unsigned integers
        Filled with the numbers. Half as many places as characters are enough.

    Returns
    -------
    reference_word_spans, hypothesis_word_spans : int64 array, shape (pairs, 2)
        Where in its words each text begins and ends.
    """
    pairs = reference_spans.shape[0]
    reference_word_spans, hypothesis_word_spans = np.empty((pairs, 2), np.int64), np.empty((pairs, 2), np.int64)
    chunks = min(pairs, _CHUNKS)
    for chunk in numba.prange(chunks):
        _number_range(
            reference_codes,
            reference_spans,
            hypothesis_codes,
            hypothesis_spans,
            reference_words,
            hypothesis_words,
            pairs * chunk // chunks,
            pairs * (chunk + 1) // chunks,
            reference_word_spans,
            hypothesis_word_spans,
        )
    return reference_word_spans, hypothesis_word_spans


@jit
def _number_range(
    reference_codes: Codes,
    reference_spans: IntArray,
    hypothesis_codes: Codes,
    hypothesis_spans: IntArray,
    reference_words: Codes,
    hypothesis_words: Codes,
    first: int,
    last: int,
    reference_word_spans: IntArray,
    hypothesis_word_spans: IntArray,
) -> None:
    """Number pairs first .. last-1 with one scratch memory."""
    longest = 0
    for pair in range(first, last):
        longest = max(longest, reference_spans[pair, 1] - reference_spans[pair, 0])
        longest = max(longest, hypothesis_spans[pair, 1] - hypothesis_spans[pair, 0])
    most = (longest + 1) // 2
    bounds, known = np.empty((most, 2), np.int64), np.empty((most + 1, 2), np.int64)
    keys = np.empty(most + 1, np.uint64)
    table = np.empty(4 * most + 4, np.uint32)
    for pair in range(first, last):
        # Half the place of the first character: a word and the white space after it have two characters.
        start = reference_spans[pair, 0] >> 1
        count = _find_words(reference_codes, reference_spans[pair, 0], reference_spans[pair, 1], bounds)
        reference_word_spans[pair, 0], reference_word_spans[pair, 1] = start, start + count
        bits = 1
        while (1 << bits) < 2 * count:
            bits += 1
        for slot in range(1 << bits):
            table[slot] = 0
        _number_text(
            reference_codes, bounds[:count], reference_codes, True, table, bits, keys, known, reference_words[start:]
        )
        start = hypothesis_spans[pair, 0] >> 1
        count = _find_words(hypothesis_codes, hypothesis_spans[pair, 0], hypothesis_spans[pair, 1], bounds)
        hypothesis_word_spans[pair, 0], hypothesis_word_spans[pair, 1] = start, start + count
        _number_text(
            hypothesis_codes, bounds[:count], reference_codes, False, table, bits, keys, known, hypothesis_words[start:]
        )


@jit
def _find_words(codes: Codes, begin: int, end: int, bounds: IntArray) -> int:
    """Write where each word of a text begins and ends; return how many there are."""
    count = 0
    outside = _ONE
    for place in range(begin, end, _WORD_BITS):
        white = _white_mask(codes, place)
        if end - place < _WORD_BITS:
            white |= _ALL << np.uint64(end - place)
        # A bit where white space and words change over, at the first place of the new.
        changes = white ^ ((white << _ONE) | outside)
        outside = white >> np.uint64(_WORD_BITS - 1)
        while changes != _ZERO:
            bit = count_zeros_below(changes)
            changes &= changes - _ONE
            if (white >> np.uint64(bit)) & _ONE:
                bounds[count, 1] = place + bit
                count += 1
            else:
                bounds[count, 0] = place + bit
    if outside == _ZERO:
        bounds[count, 1] = end
        count += 1
    return count


@jit
def _make_key(codes: Codes, begin: int, end: int) -> np.uint64:
    """64 bits that are equal for equal words; for words of one length up to eight bytes, only for equal ones."""
    step = _BYTES // codes.itemsize
    key = np.uint64(end - begin)
    while end - begin > step:
        key = _mix(key ^ load_word(codes, begin))
        begin += step
    return _mix(key ^ _load_last(codes, begin, end))


@jit
def _load_last(codes: Codes, begin: int, end: int) -> np.uint64:
    """The last one to eight bytes of a word."""
    last: np.uint64 = load_word(codes, begin) & (_ALL >> np.uint64(8 * (_BYTES - codes.itemsize * (end - begin))))
    return last


@jit
def _mix(word: np.uint64) -> np.uint64:
    word *= _MULTIPLIER
    return word ^ (word >> _HALF)


@jit
def _number_text(
    codes: Codes,
    bounds: IntArray,
    reference_codes: Codes,
    is_reference: bool,
    table: NDArray[np.uint32],
    bits: int,
    keys: Words,
    known: IntArray,
    words: Codes,
) -> None:
    """Number the words of one text. One loop: a call for each word would cost more than the rest."""
    step = _BYTES // codes.itemsize
    mask = (1 << bits) - 1
    numbers = 0
    for word in range(bounds.shape[0]):
        begin, end = bounds[word, 0], bounds[word, 1]
        key = _make_key(codes, begin, end)
        slot = np.int64(key & np.uint64(mask))
        number = np.int64(table[slot])
        while number != 0:
            other_begin, other_end = known[number, 0], known[number, 1]
            if (
                keys[number] == key
                and end - begin == other_end - other_begin
                and (end - begin <= step or _is_equal(codes, begin, end, reference_codes, other_begin, other_end))
            ):
                break
            slot = (slot + 1) & mask
            number = np.int64(table[slot])
        if number == 0 and is_reference:
            numbers += 1
            number = np.int64(numbers)
            table[slot] = number
            keys[number] = key
            known[number, 0], known[number, 1] = begin, end
        words[word] = number


@jit
def _is_equal(codes: Codes, begin: int, end: int, others: Codes, other_begin: int, other_end: int) -> bool:
    """Compare two words of equal keys and lengths."""
    step = _BYTES // codes.itemsize
    while end - begin > step:
        if load_word(codes, begin) != load_word(others, other_begin):
            return False
        begin += step
        other_begin += step
    return bool(_load_last(codes, begin, end) == _load_last(others, other_begin, other_end))
