"""Errors of words that may only be aligned where their times overlap."""

import numpy as np

from misread.compiled.jit import jit
from misread.types import FloatArray, IntArray


@jit
def timed_distance(reference: IntArray, hypothesis: IntArray, times: FloatArray, other_times: FloatArray) -> int:
    """Least errors; a hit or substitution needs two words that overlap, `times` have begin and end of each."""
    size = hypothesis.size
    costs = np.arange(size + 1)
    for row in range(reference.size):
        diagonal = costs[0]
        costs[0] += 1
        for column in range(size):
            cost = min(costs[column], costs[column + 1]) + 1
            overlap = times[row, 0] < other_times[column, 1] and times[row, 1] > other_times[column, 0]
            if overlap:
                cost = min(cost, diagonal + (reference[row] != hypothesis[column]))
            diagonal = costs[column + 1]
            costs[column + 1] = cost
    return int(costs[size])
