"""Units of a whole corpus, counted and found: integer arrays in, integer arrays out."""

from __future__ import annotations

import numpy as np

from misread.alignment.kernels.types import Codes
from misread.compiled.jit import jit
from misread.types import BoolArray, IntArray


@jit
def count_codes(codes: Codes, alphabet_size: int) -> IntArray:
    """Count each code, without the copy of all codes as wider integers that `numpy.bincount` makes.

    Parameters
    ----------
    codes : array of unsigned integers
        All below `alphabet_size`.
    alphabet_size : int
        Length of the result.

    Returns
    -------
    int64 array, shape (alphabet_size,)
    """
    counts = np.zeros(alphabet_size, np.int64)
    for code in codes:
        counts[code] += 1
    return counts


@jit
def find_word_bounds(code_points: Codes, is_white: BoolArray) -> IntArray:
    """Find the words of a text.

    Parameters
    ----------
    code_points : array of unsigned integers
        The text.
    is_white : bool array
        Of each code point whether it is white space; the last entry holds for all above.

    Returns
    -------
    int64 array
        First byte of the first word in UTF-8, first byte after it, first byte of the second, and so on.
    """
    bounds = np.empty(code_points.size + 1, np.int64)
    found = 0
    place = 0
    outside = True
    for code in code_points:
        white = is_white[min(int(code), is_white.size - 1)]
        if white != outside:
            bounds[found] = place
            found += 1
            outside = white
        place += 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
    if not outside:
        bounds[found] = place
        found += 1
    return bounds[:found].copy()
