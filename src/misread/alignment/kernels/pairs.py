"""Both sides of many pairs as the kernels take them, and the types of the arrays that they share."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from misread.compiled.jit import jit
from misread.compiled.threads import run_in_chunks
from misread.types import IntArray

Codes = NDArray[np.unsignedinteger[Any]]
"""Units as integers of 8, 16 or 32 bits, whichever holds the widest; both sides of a corpus have the same."""

Units = NDArray[np.uint32]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]


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


def make_room(sides: Sides) -> IntArray:
    """End of the operations of each pair, with room for as many operations as its two texts have units."""
    ends: IntArray = np.cumsum(np.diff(sides[1])[:, 0] + np.diff(sides[3])[:, 0])
    return ends


@jit
def close_gaps(room: Bytes, ends: IntArray, lengths: IntArray) -> Bytes:
    """Put the operations of all pairs next to each other: those of pair i end at room[ends[i]]."""
    operations = np.empty(lengths.sum(), np.uint8)
    start = 0
    for pair in range(ends.size):
        write_over(room[ends[pair] - lengths[pair] : ends[pair]], operations[start : start + lengths[pair]])
        start += lengths[pair]
    return operations


@jit
def write_over(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Assign as `target[:] = source` does, for one dimension and equal lengths, from the first number to the last.

    For the slice, Numba also compiles its message about unequal lengths, which takes two seconds in each process.
    """
    for index in range(source.size):
        target[index] = source[index]
