"""Units of a small corpus, counted and located."""

from typing import Final

import numpy as np

from misread.alignment.kernels.pairs import Codes
from misread.types import BoolArray, IntArray

_CODE_SECONDS: Final = 3e-8


def estimate_seconds(code_points: Codes) -> float:
    """Approximate seconds that `count_codes` or `find_word_bounds` takes."""
    return _CODE_SECONDS * code_points.size


def count_codes(codes: Codes, alphabet_size: int) -> IntArray:
    """Number of occurrences of each code, as the kernel counts them."""
    return np.bincount(codes, minlength=alphabet_size)


def find_word_bounds(code_points: Codes, is_white: BoolArray) -> IntArray:
    """Bounds of the words of a text in UTF-8, as the kernel finds them."""
    codes = code_points.astype(np.int64)
    white = is_white[np.minimum(codes, is_white.size - 1)]
    edges = np.flatnonzero(np.diff(np.concatenate([[True], white, [True]])))
    widths = 1 + (codes >= 0x80) + (codes >= 0x800) + (codes >= 0x10000)
    starts = np.concatenate([[0], np.cumsum(widths)])
    return starts[edges]
