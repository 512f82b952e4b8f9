"""Alignment by weights, in a band: integer arrays in, integer arrays out.

A weight is one integer that carries everything a rule asks for, the more important the higher its bits: first what the
operation costs, then the counts of it. The least sum then is the alignment of that rule, ties and all. Two bits
are free for the operation's number; they decide where two operations tie, and are taken out of the sum afterwards, so
that they decide about one cell only.

Rows are reference units, and a row holds only the diagonals that an alignment of minimum cost can reach: with at most
`budget` deletions and insertions it stays between `budget` below and above, less the difference of the lengths. Place
p of row i is the hypothesis position i + p - low, so that the diagonal goes to the same place of the next row.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment.kernels import kinds
from misread.alignment.kernels.pairs import Sides, run_over_pairs, write_over
from misread.compiled.jit import jit
from misread.types import IntArray

Codes = NDArray[np.uint32]
Path = NDArray[np.uint8]
Weights = tuple[int, int, int, int, int]
"""Of a hit, a substitution, an insertion, a deletion and a swap of two neighbours, without the bits of its number."""


class Weighting(NamedTuple):
    """Weights of a rule, and the position of the two bits of the operation's number."""

    weights: Weights
    shift: int
    strip_prefix: (
        bool  # whether a common prefix is hits in some alignment of the least sum, as a common suffix always is
    )


DIAGONAL: Final = 0
INSERTION: Final = 1
DELETION: Final = 2
SWAP: Final = 3

NEVER: Final = 1 << 62
"""Weight of an operation that a rule does not have; above every sum."""

PATH_BYTES: Final = 1 << 24
"""Bytes of operations that one alignment may keep; above that, rows are dropped and computed a second time."""


def weigh_pairs(sides: Sides, budgets: IntArray, weighting: Weighting) -> IntArray:
    """Least sum of weights of every pair, shape (pairs,).

    `budgets` bounds the deletions and insertions together in any alignment of the least sum. Wagner and Fischer (1974),
    The string-to-string correction problem; Ukkonen (1985), for the band.
    """
    sums = np.empty(len(budgets), np.int64)
    run_over_pairs(_weigh_range, sides, budgets, weighting, sums)
    return sums


@jit
def _weigh_range(sides: Sides, budgets: IntArray, weighting: Weighting, sums: IntArray, first: int, last: int) -> None:
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    for pair in range(first, last):
        reference = reference_codes[reference_spans[pair, 0] : reference_spans[pair, 1]]
        hypothesis = hypothesis_codes[hypothesis_spans[pair, 0] : hypothesis_spans[pair, 1]]
        sums[pair] = _weigh(reference, hypothesis, budgets[pair], weighting)


def write_paths(sides: Sides, budgets: IntArray, weighting: Weighting, room: Path, ends: IntArray) -> IntArray:
    """Write the operations of the alignments whose sums `weigh_pairs` gives, and return how many each pair has.

    `room` is filled with kinds of `kinds`, in reading order; those of pair i end before room[ends[i]].
    """
    lengths = np.empty(len(budgets), np.int64)
    run_over_pairs(_write_range, sides, budgets, weighting, room, ends, lengths)
    return lengths


@jit
def _write_range(
    sides: Sides,
    budgets: IntArray,
    weighting: Weighting,
    room: Path,
    ends: IntArray,
    lengths: IntArray,
    first: int,
    last: int,
) -> None:
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    for pair in range(first, last):
        reference = reference_codes[reference_spans[pair, 0] : reference_spans[pair, 1]]
        hypothesis = hypothesis_codes[hypothesis_spans[pair, 0] : hypothesis_spans[pair, 1]]
        path = weighted_path(reference, hypothesis, budgets[pair], weighting, PATH_BYTES)
        lengths[pair] = path.size
        _name_operations(reference, hypothesis, path, room[ends[pair] - path.size : ends[pair]])


@jit
def weighted_path(reference: Codes, hypothesis: Codes, budget: int, weighting: Weighting, path_bytes: int) -> Path:
    """Operations of one pair in reading order, of the alignment whose sum `weigh_pairs` gives: DIAGONAL to SWAP.

    `path_bytes` is the memory for them; a small one costs time, not exactness.
    """
    path = np.empty(reference.size + hypothesis.size, np.uint8)
    prefix, suffix = _common_ends(reference, hypothesis, weighting.strip_prefix)
    reference = reference[prefix : reference.size - suffix]
    hypothesis = hypothesis[prefix : hypothesis.size - suffix]
    length = path.size
    path[length - suffix :] = DIAGONAL
    length -= suffix

    rows = reference.size
    low, width = _find_band(rows, hypothesis.size, budget)
    height = max(1, rows)
    if rows * width > path_bytes:
        height = int(np.ceil(np.sqrt(rows)))
    stripes = (rows + height - 1) // height
    stripe_rows = np.empty((stripes, 2, width + 1), np.int64)
    operations = np.empty((min(height, rows), width), np.uint8)
    row, before = _first_row(hypothesis.size, low, width, weighting.weights)
    for stripe in range(stripes):
        write_over(row, stripe_rows[stripe, 0])
        write_over(before, stripe_rows[stripe, 1])
        last = min(rows, (stripe + 1) * height)
        _fill(reference, hypothesis, stripe * height, last, low, weighting, row, before, operations)

    i, j = rows, hypothesis.size
    for stripe in range(stripes - 1, -1, -1):
        top = stripe * height
        if stripe < stripes - 1:
            write_over(stripe_rows[stripe, 0], row)
            write_over(stripe_rows[stripe, 1], before)
            _fill(reference, hypothesis, top, top + height, low, weighting, row, before, operations)
        while i > top and j > 0:
            # A plain number: interpreted, the sum of two comparisons of NumPy's would be at most one.
            operation = int(operations[i - 1 - top, j - i + low])
            length -= 1
            path[length] = operation
            i -= (operation != INSERTION) + (operation == SWAP)
            j -= (operation != DELETION) + (operation == SWAP)
        if j == 0:
            break
    path[length - i - j : length - j] = DELETION
    path[length - j : length] = INSERTION
    length -= i + j
    path[length - prefix : length] = DIAGONAL
    return path[length - prefix :].copy()


@jit
def _name_operations(reference: Codes, hypothesis: Codes, path: Path, operations: Path) -> None:
    """Write kinds for the numbers of a path; a diagonal step is a hit or a substitution."""
    row, column = 0, 0
    for index in range(path.size):
        operation = int(path[index])
        if operation == DIAGONAL:
            same = reference[row] == hypothesis[column]
            operations[index] = kinds.HIT if same else kinds.SUBSTITUTION
        elif operation == INSERTION:
            operations[index] = kinds.INSERTION
        elif operation == DELETION:
            operations[index] = kinds.DELETION
        else:
            operations[index] = kinds.TRANSPOSITION
        row += (operation != INSERTION) + (operation == SWAP)
        column += (operation != DELETION) + (operation == SWAP)


@jit
def _weigh(reference: Codes, hypothesis: Codes, budget: int, weighting: Weighting) -> int:
    prefix, suffix = _common_ends(reference, hypothesis, weighting.strip_prefix)
    reference = reference[prefix : reference.size - suffix]
    hypothesis = hypothesis[prefix : hypothesis.size - suffix]
    low, width = _find_band(reference.size, hypothesis.size, budget)
    row, before = _first_row(hypothesis.size, low, width, weighting.weights)
    # Not a plain zero: Numba would compile `_fill` for the constant as well.
    start, operations = int(np.int64(0)), np.empty((0, 0), np.uint8)
    _fill(reference, hypothesis, start, reference.size, low, weighting, row, before, operations)
    return int(row[hypothesis.size - reference.size + low] + (prefix + suffix) * weighting.weights[0])


@jit
def _common_ends(reference: Codes, hypothesis: Codes, strip_prefix: bool) -> tuple[int, int]:
    shorter = min(reference.size, hypothesis.size)
    prefix = 0
    while strip_prefix and prefix < shorter and reference[prefix] == hypothesis[prefix]:
        prefix += 1
    suffix = 0
    while suffix < shorter - prefix and reference[-1 - suffix] == hypothesis[-1 - suffix]:
        suffix += 1
    return prefix, suffix


@jit
def _find_band(rows: int, columns: int, budget: int) -> tuple[int, int]:
    """Diagonals below the main one that can be reached, and diagonals in all."""
    low = min(rows, (budget + rows - columns) // 2)
    high = min(columns, (budget - rows + columns) // 2)
    return low, low + high + 1


@jit
def _first_row(columns: int, low: int, width: int, weights: Weights) -> tuple[IntArray, IntArray]:
    """Row 0, and a stand-in for the row before it; the entry after the last diagonal is never reached."""
    row, before = np.full(width + 1, NEVER), np.full(width + 1, NEVER)
    for column in range(min(columns, width - 1 - low) + 1):
        row[low + column] = column * weights[2]
    return row, before


@jit
def _fill(
    reference: Codes,
    hypothesis: Codes,
    first: int,
    last: int,
    low: int,
    weighting: Weighting,
    row: IntArray,
    before: IntArray,
    operations: Path,
) -> None:
    """Go from row `first` to row `last`, in place, `before` being the row before `row`; `operations` may be empty."""
    (hit, substitution, insertion, deletion, swap), shift, _ = weighting
    insertion += INSERTION << shift
    deletion += DELETION << shift
    swap += SWAP << shift
    rule = ~(3 << shift)
    width = row.size - 1
    for i in range(first, last):
        unit = reference[i]
        left = NEVER
        # Diagonal `low - i - 1` is column 0, before the first hypothesis unit.
        start = low - i - 1
        if start >= 0:
            before[start] = row[start]
            left = row[start + 1] + deletion & rule
            row[start] = left
            if operations.size:
                operations[i - first, start] = DELETION
        for diagonal in range(max(0, start + 1), min(width, hypothesis.size - i + low)):
            j = i + diagonal - low
            above = row[diagonal]
            best = above + (hit if unit == hypothesis[j] else substitution)
            best = min(best, row[diagonal + 1] + deletion)
            if swap < NEVER and i > 0 and j > 0 and unit == hypothesis[j - 1] and reference[i - 1] == hypothesis[j]:
                best = min(best, before[diagonal] + swap)
            # Last, as all else can be had before the left neighbour is known.
            best = min(best, left + insertion)
            if operations.size:
                operations[i - first, diagonal] = best >> shift & 3
            left = best & rule
            before[diagonal] = above
            row[diagonal] = left
