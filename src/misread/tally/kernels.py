"""Digests of texts, and the order of confusions by their texts, compiled: integer arrays in, integer arrays out.

The first eight bytes of a text as a number are its key; numbers ascend as texts do. A mark, which means no text,
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
        for position in range(bounds[row], bounds[row + 1]):
            digest = (digest ^ np.uint64(data[position])) * _PRIME
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
        start, end = bounds[row], bounds[row + 1]
        key = np.uint64(0)
        for position in range(start, start + _KEY_BYTES):
            key <<= np.uint64(8)
            if position < end:
                key |= np.uint64(data[position])
        keys[row] = np.uint64(2**64 - 1) if is_mark[row] else key


@borrowing_jit
def sort_equal_keys(references: Side, hypotheses: Side, order: IntArray, spare: IntArray) -> None:
    """Sort rows by reference and hypothesis; they come sorted by the keys of their references."""
    start = 0
    while start < order.size:
        end = start + 1
        while end < order.size and references.keys[order[end]] == references.keys[order[start]]:
            end += 1
        if end - start > 1:
            _sort(references, hypotheses, order, spare, start, end)
        start = end


@borrowing_jit
def add_equal_rows(
    references: Side, hypotheses: Side, order: IntArray, counts: IntArray, rows: IntArray, sums: IntArray
) -> int:
    """Fill `rows` with the first of each group of equal rows, and `sums` with its count; return how many there are."""
    groups = 0
    for position in range(order.size):
        row = order[position]
        if groups and _compare(references, hypotheses, rows[groups - 1], row) == 0:
            sums[groups - 1] += counts[row]
        else:
            rows[groups], sums[groups] = row, counts[row]
            groups += 1
    return groups


@borrowing_jit
def _sort(references: Side, hypotheses: Side, order: IntArray, spare: IntArray, start: int, end: int) -> None:
    """Sort order[start:end]: short runs by insertion, then merge them."""
    for first in range(start, end, _FEW):
        for position in range(first + 1, min(first + _FEW, end)):
            row, free = order[position], position
            while free > first and _compare(references, hypotheses, order[free - 1], row) > 0:
                order[free] = order[free - 1]
                free -= 1
            order[free] = row
    width = _FEW
    while width < end - start:
        for first in range(start, end, 2 * width):
            middle, last = min(first + width, end), min(first + 2 * width, end)
            left, right = first, middle
            for position in range(first, last):
                takes_left = left < middle and (
                    right == last or _compare(references, hypotheses, order[left], order[right]) <= 0
                )
                spare[position] = order[left] if takes_left else order[right]
                left += takes_left
                right += not takes_left
            for position in range(first, last):
                order[position] = spare[position]
        width *= 2


@borrowing_jit
def _compare(references: Side, hypotheses: Side, first: int, second: int) -> int:
    """Compare two rows: negative if the first comes before the second, 0 if they are equal."""
    by_reference = _compare_texts(references, first, second)
    return by_reference if by_reference != 0 else _compare_texts(hypotheses, first, second)


@borrowing_jit
def _compare_texts(side: Side, first: int, second: int) -> int:
    key, other_key = side.keys[first], side.keys[second]
    if key != other_key:
        return -1 if key < other_key else 1
    if key == np.uint64(2**64 - 1):
        return 0
    length, other_length = side.bounds[first + 1] - side.bounds[first], side.bounds[second + 1] - side.bounds[second]
    for position in range(_KEY_BYTES, min(length, other_length)):
        byte, other_byte = side.data[side.bounds[first] + position], side.data[side.bounds[second] + position]
        if byte != other_byte:
            return -1 if byte < other_byte else 1
    return int(length - other_length)
