"""Bounds of texts in one array that holds them all, separated by 0."""

import numpy as np

from misread.alignment.kernels.pairs import Codes
from misread.alignment.kernels.simd import count_ones, count_zeros_below, equal_mask
from misread.compiled.jit import borrowing_jit
from misread.types import IntArray

_ZERO = np.uint64(0)
_ONE = np.uint64(1)


@borrowing_jit
def find_spans(codes: Codes, spans: IntArray) -> int:
    """Fill `spans`, taking each 0 as the end of a text, and return how often 0 occurs.

    After the last text come zeros that belong to no text. If there are more zeros than the texts and these account
    for, some text contains one itself, and the spans are wrong.
    """
    count = 0
    start = 0
    whole = codes.size & -64
    for position in range(0, whole, 64):
        zeros = equal_mask(codes, position, 0)
        if count >= spans.shape[0]:
            count += count_ones(zeros)
            continue
        while zeros != _ZERO:
            end = position + count_zeros_below(zeros)
            zeros &= zeros - _ONE
            if count < spans.shape[0]:
                spans[count, 0], spans[count, 1] = start, end
            start = end + 1
            count += 1
    for end in range(whole, codes.size):
        if codes[end] == 0:
            if count < spans.shape[0]:
                spans[count, 0], spans[count, 1] = start, end
            start = end + 1
            count += 1
    return count
