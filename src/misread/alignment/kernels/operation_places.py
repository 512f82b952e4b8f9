"""Places for the operations of many pairs in one array."""

import numpy as np

from misread.alignment.kernels.pairs import Bytes, Sides
from misread.compiled.copying import write_over
from misread.compiled.jit import jit
from misread.types import IntArray


def make_room(sides: Sides) -> IntArray:
    """Where the operations of each pair end if each pair has as many places as its two texts have units."""
    ends: IntArray = np.cumsum(np.diff(sides[1])[:, 0] + np.diff(sides[3])[:, 0])
    return ends


@jit
def close_gaps(room: Bytes, ends: IntArray, lengths: IntArray) -> Bytes:
    """Put the operations of all pairs next to each other: those of pair i stand before room[ends[i]]."""
    operations = np.empty(lengths.sum(), np.uint8)
    start = 0
    for pair in range(ends.size):
        write_over(room[ends[pair] - lengths[pair] : ends[pair]], operations[start : start + lengths[pair]])
        start += lengths[pair]
    return operations
