"""How often each code occurs: integer arrays in, integer arrays out."""

from __future__ import annotations

import numpy as np

from misread.alignment.units import Codes
from misread.arrays import IntArray
from misread.jit import jit


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
