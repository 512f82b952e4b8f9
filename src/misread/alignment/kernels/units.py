"""Units of a whole corpus, counted and located: integer arrays in, integer arrays out."""

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
    count = 0
    position = 0
    outside = True
    for code in code_points:
        white = is_white[min(int(code), is_white.size - 1)]
        # Written everywhere and overwritten unless a word begins or ends here: a branch would be predicted badly.
        bounds[count] = position
        count += white != outside
        outside = white
        position += 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
    if not outside:
        bounds[count] = position
        count += 1
    return bounds[:count].copy()
