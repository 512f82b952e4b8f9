"""Units of a whole corpus, counted and found: integer arrays in, integer arrays out."""

import numpy as np

from misread.alignment.kernels.pairs import Codes
from misread.compiled.jit import jit
from misread.types import BoolArray, IntArray


@jit
def count_codes(codes: Codes, alphabet_size: int) -> IntArray:
    """How often each code occurs, without the copy as wider integers that `numpy.bincount` makes."""
    counts = np.zeros(alphabet_size, np.int64)
    for code in codes:
        counts[code] += 1
    return counts


@jit
def find_word_bounds(code_points: Codes, is_white: BoolArray) -> IntArray:
    """Bounds of the words of a text in UTF-8: first byte of the first word, first byte after it, and so on.

    `is_white` has one entry per code point; its last one holds for all above.
    """
    bounds = np.empty(code_points.size + 1, np.int64)
    found = 0
    place = 0
    outside = True
    for code in code_points:
        white = is_white[min(int(code), is_white.size - 1)]
        # Written at every place and kept where a word begins or ends: a branch would be guessed wrong too often.
        bounds[found] = place
        found += white != outside
        outside = white
        place += 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
    if not outside:
        bounds[found] = place
        found += 1
    return bounds[:found].copy()
