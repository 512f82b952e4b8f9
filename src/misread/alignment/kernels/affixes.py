"""Common prefix and suffix of two texts: hits by rule, found 64 units at a time."""

import numpy as np

from misread.alignment.kernels.pairs import Codes
from misread.alignment.kernels.simd import count_zeros_above, count_zeros_below, differing_mask
from misread.compiled.jit import borrowing_jit

_ZERO = np.uint64(0)
_WORD_BITS = 64


@borrowing_jit
def measure_prefix(left: Codes, left_start: int, right: Codes, right_start: int, most: int) -> int:
    """Length of the common prefix of two texts, at most `most`, which is the length of the shorter."""
    length = 0
    while (
        length < most
        and left_start + length + _WORD_BITS <= left.size
        and right_start + length + _WORD_BITS <= right.size
    ):
        differing = differing_mask(left, left_start + length, right, right_start + length)
        if differing != _ZERO:
            length += count_zeros_below(differing)
            break
        length += _WORD_BITS
    while length < most and left[left_start + length] == right[right_start + length]:
        length += 1
    return min(most, length)


@borrowing_jit
def measure_suffix(left: Codes, left_end: int, right: Codes, right_end: int, most: int) -> int:
    """Length of the common suffix of two texts, at most `most`."""
    length = 0
    while length < most and left_end - length >= _WORD_BITS and right_end - length >= _WORD_BITS:
        differing = differing_mask(left, left_end - length - _WORD_BITS, right, right_end - length - _WORD_BITS)
        if differing != _ZERO:
            length += count_zeros_above(differing)
            break
        length += _WORD_BITS
    while length < most and left[left_end - 1 - length] == right[right_end - 1 - length]:
        length += 1
    return min(most, length)
