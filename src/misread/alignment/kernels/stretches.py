"""The stretch of a text that another one fits best: both ends of the longer one are free."""

import numpy as np

from misread.alignment.kernels.pairs import Sides
from misread.compiled.jit import jit
from misread.types import IntArray


@jit
def find_stretches(sides: Sides, stretches: IntArray, first: int, last: int) -> None:
    """Write start and end of the stretch of each hypothesis with the fewest errors, and how many units of it are hits.

    Of several, one with most hits, then one of most similar length, then the first. Sellers (1980), The theory and
    computation of evolutionary distances: pattern recognition.
    """
    codes, spans, other_codes, other_spans = sides
    for pair in range(first, last):
        reference = codes[spans[pair, 0] : spans[pair, 1]]
        hypothesis = other_codes[other_spans[pair, 0] : other_spans[pair, 1]]
        size = reference.size
        # Of the best stretch for each beginning of the reference that ends at this column.
        costs = np.empty(size + 1, np.int64)
        hits = np.zeros(size + 1, np.int64)
        starts = np.zeros(size + 1, np.int64)
        for row in range(size + 1):
            costs[row] = row
        least, start, end, found = size, 0, 0, 0
        for column in range(hypothesis.size):
            diagonal, diagonal_hits, diagonal_start = 0, 0, column
            costs[0], hits[0], starts[0] = 0, 0, column + 1
            for row in range(1, size + 1):
                is_hit = reference[row - 1] == hypothesis[column]
                cost = diagonal + (not is_hit)
                hit, begin = diagonal_hits + is_hit, diagonal_start
                # One unit more of the hypothesis, then one of the reference.
                if costs[row] + 1 < cost or (costs[row] + 1 == cost and hits[row] > hit):
                    cost, hit, begin = costs[row] + 1, hits[row], starts[row]
                if costs[row - 1] + 1 < cost or (costs[row - 1] + 1 == cost and hits[row - 1] > hit):
                    cost, hit, begin = costs[row - 1] + 1, hits[row - 1], starts[row - 1]
                diagonal, diagonal_hits, diagonal_start = costs[row], hits[row], starts[row]
                costs[row], hits[row], starts[row] = cost, hit, begin
            # Of the same errors and hits, a word read wrongly is more likely than one left out beside another word.
            apart, best_apart = abs(column + 1 - starts[size] - size), abs(end - start - size)
            if costs[size] < least or (
                costs[size] == least and (hits[size] > found or (hits[size] == found and apart < best_apart))
            ):
                least, start, end, found = costs[size], starts[size], column + 1, hits[size]
        stretches[pair, 0], stretches[pair, 1], stretches[pair, 2] = start, end, found
