"""Digests of texts, and the order of confusions by their texts, compiled: integer arrays in, integer arrays out.

The first eight bytes of a text as a number are its key; numbers ascend as texts do. A mark, which stands for no text,
has the key above all others.

References
----------
Fowler, Noll and Vo (1991), FNV-1a hash, http://www.isthe.com/chongo/tech/comp/fnv/.
"""

from typing import Final, NamedTuple

import numpy as np

from misread.alignment.kernels.pairs import Bytes, Words
from misread.compiled.jit import borrowing_jit
from misread.types import BoolArray, IntArray

_KEY_BYTES: Final = 8
# Rows that are put in order one by one before they are merged.
_FEW: Final = 16


_OFFSET_BASIS: Final = np.uint64(0xCBF29CE484222325)
_PRIME: Final = np.uint64(0x100000001B3)


@borrowing_jit
def digest_texts(data: Bytes, bounds: IntArray, digests: Words) -> None:
    """Find the FNV-1a digest of every text: text i is `data[bounds[i] : bounds[i + 1]]`."""
    for row in range(digests.size):
        digest = _OFFSET_BASIS
        for place in range(bounds[row], bounds[row + 1]):
            digest = (digest ^ np.uint64(data[place])) * _PRIME
        digests[row] = digest


class Side(NamedTuple):
    """Texts of one side: text i is `data[bounds[i] : bounds[i + 1]]`."""

    data: Bytes
    bounds: IntArray
    keys: Words


@borrowing_jit
def fill_keys(data: Bytes, bounds: IntArray, is_mark: BoolArray, keys: Words) -> None:
    """Find the key of every text."""
    for row in range(keys.size):
        begin, end = bounds[row], bounds[row + 1]
        key = np.uint64(0)
        for place in range(begin, begin + _KEY_BYTES):
            key <<= np.uint64(8)
            if place < end:
                key |= np.uint64(data[place])
        keys[row] = np.uint64(2**64 - 1) if is_mark[row] else key


@borrowing_jit
def sort_equal_keys(references: Side, hypotheses: Side, order: IntArray, spare: IntArray) -> None:
    """Put rows, which are in the order of the keys of their references, into that of references and hypotheses."""
    begin = 0
    while begin < order.size:
        end = begin + 1
        while end < order.size and references.keys[order[end]] == references.keys[order[begin]]:
            end += 1
        if end - begin > 1:
            _sort(references, hypotheses, order, spare, begin, end)
        begin = end


@borrowing_jit
def add_equal_rows(
    references: Side, hypotheses: Side, order: IntArray, counts: IntArray, rows: IntArray, sums: IntArray
) -> int:
    """Fill `rows` with the first of each group of equal rows, and `sums` with its count; return how many there are."""
    found = 0
    for place in range(order.size):
        row = order[place]
        if found and _compare(references, hypotheses, rows[found - 1], row) == 0:
            sums[found - 1] += counts[row]
        else:
            rows[found], sums[found] = row, counts[row]
            found += 1
    return found


@borrowing_jit
def _sort(references: Side, hypotheses: Side, order: IntArray, spare: IntArray, begin: int, end: int) -> None:
    """Sort order[begin:end] by insertion of few, which are then merged."""
    for first in range(begin, end, _FEW):
        for place in range(first + 1, min(first + _FEW, end)):
            row, free = order[place], place
            while free > first and _compare(references, hypotheses, order[free - 1], row) > 0:
                order[free] = order[free - 1]
                free -= 1
            order[free] = row
    width = _FEW
    while width < end - begin:
        for first in range(begin, end, 2 * width):
            middle, last = min(first + width, end), min(first + 2 * width, end)
            left, right = first, middle
            for place in range(first, last):
                takes_left = left < middle and (
                    right == last or _compare(references, hypotheses, order[left], order[right]) <= 0
                )
                spare[place] = order[left] if takes_left else order[right]
                left += takes_left
                right += not takes_left
            for place in range(first, last):
                order[place] = spare[place]
        width *= 2


@borrowing_jit
def _compare(references: Side, hypotheses: Side, one: int, other: int) -> int:
    """Below, equal to or above 0 as one row stands before, beside or behind another."""
    by_reference = _compare_texts(references, one, other)
    return by_reference if by_reference != 0 else _compare_texts(hypotheses, one, other)


@borrowing_jit
def _compare_texts(side: Side, one: int, other: int) -> int:
    first, second = side.keys[one], side.keys[other]
    if first != second:
        return -1 if first < second else 1
    if first == np.uint64(2**64 - 1):
        return 0
    length, other_length = side.bounds[one + 1] - side.bounds[one], side.bounds[other + 1] - side.bounds[other]
    for place in range(_KEY_BYTES, min(length, other_length)):
        here, there = side.data[side.bounds[one] + place], side.data[side.bounds[other] + place]
        if here != there:
            return -1 if here < there else 1
    return int(length - other_length)
