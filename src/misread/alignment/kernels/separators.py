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
    """Take each 0 for the end of a text and the beginning of the next, fill `spans`, and return how often 0 occurs.

    After the last text come places that belong to no text. If there are more zeros than the texts and these places
    account for, some text has one itself, and the spans are wrong.
    """
    found = 0
    begin = 0
    whole = codes.size & -64
    for place in range(0, whole, 64):
        zeros = equal_mask(codes, place, 0)
        if found >= spans.shape[0]:
            found += count_ones(zeros)
            continue
        while zeros != _ZERO:
            end = place + count_zeros_below(zeros)
            zeros &= zeros - _ONE
            if found < spans.shape[0]:
                spans[found, 0], spans[found, 1] = begin, end
            begin = end + 1
            found += 1
    for end in range(whole, codes.size):
        if codes[end] == 0:
            if found < spans.shape[0]:
                spans[found, 0], spans[found, 1] = begin, end
            begin = end + 1
            found += 1
    return found
