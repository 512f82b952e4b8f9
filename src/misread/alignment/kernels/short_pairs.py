"""Bit-parallel alignment of eight pairs at once, one in each lane, whose references have at most 64 units.

The cost matrix has the reference along its bits and one row for each hypothesis unit. A row is two words: `up` marks
where the cost rises by one from a reference unit to the next, `down` where it falls by one (VP and VN of Hyyrö 2003,
turned on their side).
"""

from typing import Final

import numpy as np

from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION, SUBSTITUTION
from misread.alignment.kernels.pairs import Bytes, Codes, Words
from misread.alignment.kernels.simd import (
    LANES,
    count_ones,
    fill_below_top_bit,
    halve,
    load_lanes,
    splat,
    store_equal_masks,
    store_lanes,
    where_any,
    where_less,
)
from misread.compiled.jit import borrowing_jit
from misread.types import IntArray

MOST_COLUMNS: Final = 64
MOST_ROWS: Final = 512
"""Rows that a group may have; its scratch memory stays inside the first caches."""

SCRATCH_WORDS: Final = LANES * (MOST_ROWS + 1)

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@borrowing_jit
def fill_group(
    reference_codes: Codes,
    hypothesis_codes: Codes,
    spans: IntArray,
    members: IntArray,
    pattern: Codes,
    equal: Words,
    up: Words,
    down: Words,
) -> int:
    """Compute all rows of eight pairs; return the rows of the longest. Rows after a pair's own are meaningless.

    `spans`, shape (pairs, 4), has start and length of each reference, then of each hypothesis; `members` are the eight
    rows of it to align, some of them perhaps the same. Scratch: `pattern`, 64 codes, for a reference at the end of the
    codes, and `equal`. Afterwards row r of lane k is word 8 * r + k of `up` and `down`; these have SCRATCH_WORDS each.
    """
    rows = 0
    for lane in range(LANES):
        member = members[lane]
        reference_start, columns = spans[member, 0], spans[member, 1]
        hypothesis_start, height = spans[member, 2], spans[member, 3]
        rows = max(rows, height)
        # Bits above the reference belong to other texts. They are harmless: carries only go up.
        if reference_start + MOST_COLUMNS <= reference_codes.size:
            store_equal_masks(equal, lane, reference_codes, reference_start, hypothesis_codes, hypothesis_start, height)
        else:
            for column in range(columns):
                pattern[column] = reference_codes[reference_start + column]
            store_equal_masks(equal, lane, pattern, 0, hypothesis_codes, hypothesis_start, height)

    ones = splat(_ONE)
    rising, falling = splat(_ALL), splat(_ZERO)
    store_lanes(up, 0, rising)
    store_lanes(down, 0, falling)
    for row in range(rows):
        match = load_lanes(equal, LANES * row)
        same = (((match & rising) + rising) ^ rising) | match | falling
        grows = falling | ~(same | rising)
        shrinks = same & rising
        grows = (grows + grows) | ones
        rising = (shrinks + shrinks) | ~(same | grows)
        falling = grows & same
        store_lanes(up, LANES * (row + 1), rising)
        store_lanes(down, LANES * (row + 1), falling)
    return rows


@borrowing_jit
def find_distance(lane: int, columns: int, rows: int, up: Words, down: Words) -> int:
    """Levenshtein distance of the pair in a lane, from its last row."""
    used = _ALL >> np.uint64(MOST_COLUMNS - columns)
    last = LANES * rows + lane
    distance: int = rows + count_ones(up[last] & used) - count_ones(down[last] & used)
    return distance


@borrowing_jit
def count_diagonals(rows: int, spans: IntArray, members: IntArray, up: Words, down: Words, vectors: Words) -> None:
    """Walk back through all eight matrices at once and write the diagonal steps of each path to vectors[:8].

    The rule is that of a walk by single steps: deletion if there is an alignment of minimum cost with one, else
    substitution, else insertion, else hit. A run of deletions is taken in one step here: the walk goes to the highest
    column, at or below its own, to which the cost does not rise. Each row then has one diagonal step or one insertion.
    """
    for lane in range(LANES):
        vectors[lane] = _ALL >> np.uint64(MOST_COLUMNS - spans[members[lane], 1])
        vectors[LANES + lane] = np.uint64(spans[members[lane], 3])
    left, heights = load_lanes(vectors, 0), load_lanes(vectors, LANES)
    counted = splat(_ZERO)
    for row in range(rows - 1, -1, -1):
        active = where_less(splat(np.uint64(row)), heights)
        reached = fill_below_top_bit(left & ~load_lanes(up, LANES * (row + 1)))
        below = halve(reached)
        diagonal = where_any((reached ^ below) & ~load_lanes(down, LANES * row))
        counted = counted - (diagonal & active)
        left = (active & ((diagonal & below) | (reached & ~diagonal))) | (left & ~active)
    store_lanes(vectors, 0, counted)


@borrowing_jit
def write_path(
    reference_codes: Codes,
    hypothesis_codes: Codes,
    span: IntArray,
    lane: int,
    up: Words,
    down: Words,
    operations: Bytes,
    end: int,
) -> int:
    """Walk back through the matrix of one lane and write the operations of its path before operations[end].

    The path is that of `count_diagonals`. Returns the position of its first operation.
    """
    reference_start, column, hypothesis_start, row = span[0], span[1], span[2], span[3]
    while row > 0 and column > 0:
        bit = _ONE << np.uint64(column - 1)
        end -= 1
        if up[LANES * row + lane] & bit != _ZERO:
            operations[end] = DELETION
            column -= 1
        elif down[LANES * (row - 1) + lane] & bit != _ZERO:
            operations[end] = INSERTION
            row -= 1
        else:
            column -= 1
            row -= 1
            same = reference_codes[reference_start + column] == hypothesis_codes[hypothesis_start + row]
            operations[end] = HIT if same else SUBSTITUTION
    operations[end - column : end] = DELETION
    end -= column
    operations[end - row : end] = INSERTION
    start: int = end - row
    return start
