"""Both sides of many pairs as the kernels take them, and the types of the arrays that they share."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from misread.compiled.threads import run_in_chunks
from misread.types import IntArray

Codes = NDArray[np.unsignedinteger[Any]]
"""Units as integers of 8, 16 or 32 bits, whichever holds the widest; both sides of a corpus have the same."""

Units = NDArray[np.uint32]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]


Sides = tuple[Codes, IntArray, Codes, IntArray]
"""Codes and spans of the references, then of the hypotheses; text i of a side is codes[slice(*spans[i])].

A plain tuple: Numba looks up the type of any other in Python, which takes as long as a short pair.
"""

PADDING: Final = 64
"""Places after the last text that are read, and ignored, so that eight bytes or 64 codes are always there."""


def run_over_pairs(kernel: Callable[..., Any], sides: Sides, *arguments: Any) -> None:
    """Call `kernel(sides, *arguments, first, last)` for ranges that together are all pairs."""
    reference_codes, reference_spans, hypothesis_codes, _ = sides
    run_in_chunks(kernel, len(reference_spans), reference_codes.size + hypothesis_codes.size, sides, *arguments)
