"""Bit-parallel alignment of one long pair: strips of 512 reference units, in a band, with little memory.

The cost matrix has the reference along its columns and one row for each hypothesis unit. It is computed in strips of
eight blocks of 64 columns, from left to right, one block in each lane of a vector: at step t, lane k is at row t - k,
so that the block to its left has finished that row one step before (a systolic array). From strip to strip only the
boundary is kept: whether the cost grows or shrinks from each row to the next in the last column.

Rows further from the diagonal than a bound allows are left out (Ukkonen 1985). Costs are then upper bounds, and exact
in every cell of every alignment that costs no more than the bound: a distance found within the bound is exact, and
the way back, which decides by differences next to optimal cells, takes the same steps as in the whole matrix. It
computes the strips a second time, from right to left, from two kept bits per row.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION, SUBSTITUTION
from misread.alignment.kernels.pairs import Bytes, Units, Words
from misread.alignment.kernels.simd import (
    LANES,
    double_with,
    last_top_bit,
    load_lanes,
    mix_fours,
    mix_ones,
    mix_twos,
    shift_up,
    splat,
    store_lanes,
    top_bit_down,
    where_less,
)
from misread.alignment.kernels.wavefronts import GIVEN_UP
from misread.compiled.jit import borrowing_jit, jit
from misread.types import IntArray

STRIP: Final = 512
MOST_CELLS: Final = 10**13
"""Cells of the band above which a pair is given up: some minutes, and half a byte of memory per thousand cells.

Whole texts of three million units may differ in everything, and of ten million in a tenth.
"""

# Steps that the last lane is behind the first.
_LAG: Final = LANES - 1
# Strips after which the distance is predicted for the first time.
_FIRST_LOOK: Final = 4
_GROWN: Final = np.uint8(1)
_BOTH: Final = np.uint8(3)
_ONE_BIT: Final = np.uint8(1)
_PACKED: Final = 4
# A narrower band saves hardly anything compared with the width of a strip.
_LEAST_BOUND: Final = 32
# A prediction may be this much too low before a third sweep is needed.
_ALLOWANCE: Final = 1.15
# The most by which a prediction may raise the bound at once: the first strips may mislead.
_GREATEST_STEP: Final = 16

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_TOP = np.uint64(63)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Scratch(NamedTuple):
    """Scratch buffers of one thread for all its pairs; `make_scratch` says how large."""

    reference: Units
    hypothesis: Units
    table: NDArray[np.uint16]
    lines: Words
    symbols: NDArray[np.uint16]
    boundary: Bytes
    up: Words
    turns: Words


@jit
def make_scratch(alphabet_size: int, longest_reference: int, longest_hypothesis: int) -> Scratch:
    """Buffers for pairs whose codes are below `alphabet_size` and whose sides have at most these numbers of units.

    `reference` and `hypothesis` take codes of any type, so that all this is compiled for one. `table` has one entry
    per code, all 0 between two pairs. Of the rest only what a pair needs is ever touched, so that the operating system
    gives no more than that.
    """
    return Scratch(
        np.empty(longest_reference, np.uint32),
        np.empty(longest_hypothesis, np.uint32),
        np.zeros(alphabet_size, np.uint16),
        np.empty(LANES * (STRIP + 1), np.uint64),
        np.empty(longest_hypothesis + LANES, np.uint16),
        np.empty(longest_hypothesis + LANES, np.uint8),
        np.empty(LANES * (longest_hypothesis + LANES), np.uint64),
        np.empty(LANES * (longest_hypothesis + LANES), np.uint64),
    )


@jit
def align_long(
    reference: Units,
    hypothesis: Units,
    guess: int,
    is_known: bool,
    with_operations: bool,
    scratch: Scratch,
    path: Bytes,
) -> tuple[int, int]:
    """Distance and deletions of two texts that are not empty; GIVEN_UP and 0 if it takes more than `MOST_CELLS`.

    The alignment is that of our rule, from the end: deletion, else substitution, else insertion, else hit. Without
    `with_operations`, deletions are 0 and the time is half. `guess` is the expected distance, and a wrong one costs
    time alone; `is_known` says that the distance is at most `guess`, whatever the first strips suggest. `path` is
    empty, or as long as both texts together: path[r + c - 1] then takes the operation that ends at row r and column c,
    and the other places are left alone.
    """
    columns, rows = reference.size, hypothesis.size
    limit = max(columns, rows)
    most = limit if columns * rows <= MOST_CELLS else MOST_CELLS // columns
    if abs(rows - columns) > most:
        return GIVEN_UP, 0
    bound = min(most, max(guess, _LEAST_BOUND, abs(rows - columns)))
    while True:
        starts = _lay_out_boundaries(columns, rows, bound)
        band = np.empty((starts.size, 2), np.int64)
        boundaries = np.empty(starts[-1] if with_operations else 0, np.uint8)
        distance, prediction = _sweep(
            reference,
            hypothesis,
            bound,
            # A pair is given up for what its errors are, not for what they are expected to be.
            starts.size if is_known or bound == most else _FIRST_LOOK,
            with_operations,
            band,
            starts,
            boundaries,
            scratch,
        )
        if bound == limit or (prediction == 0 and distance <= bound):
            break
        if bound == most:
            return GIVEN_UP, 0
        bound = min(most, max(2 * bound, min(prediction, _GREATEST_STEP * bound)))
        if prediction == 0:
            bound = min(bound, distance)
    if not with_operations:
        return distance, 0
    return distance, _walk_back(reference, hypothesis, band, starts, boundaries, scratch, path)


@borrowing_jit
def _place_strip(strip: int, columns: int) -> tuple[int, int]:
    """First and last column boundary of a strip. Strips end at the last column, and the first one is narrower."""
    strips = (columns + STRIP - 1) // STRIP
    last_column = columns - STRIP * (strips - 1 - strip)
    return max(0, last_column - STRIP), last_column


@jit
def _lay_out_boundaries(columns: int, rows: int, bound: int) -> IntArray:
    """Start of the packed right boundary of each strip but the last, and the end of the last of them.

    An alignment that costs at most `bound` visits only cells where |r - c| + |(rows - r) - (columns - c)| <= bound.
    """
    strips = (columns + STRIP - 1) // STRIP
    starts = np.zeros(strips, np.int64)
    for strip in range(strips - 1):
        _, column = _place_strip(strip, columns)
        first_row = max(0, column - (bound - (rows - columns)) // 2)
        last_row = min(rows, column + (bound + (rows - columns)) // 2)
        starts[strip + 1] = starts[strip] + (last_row - first_row + _PACKED - 1) // _PACKED
    return starts


@borrowing_jit
def _sweep(
    reference: Units,
    hypothesis: Units,
    bound: int,
    look: int,
    with_operations: bool,
    band: IntArray,
    starts: IntArray,
    boundaries: Bytes,
    scratch: Scratch,
) -> tuple[int, int]:
    """Compute all strips in the band: the distance and 0, or 0 and a better bound where this one is too small.

    A cell is left out if its cost and the least that it takes from there to the end are above the bound, so that the
    band gets narrower on its way. After `look` strips, and then after twice as many, the distance is predicted from
    their costs. `band` is filled with the first and last row boundary of each strip; afterwards `up` and `turns` hold
    the last strip if operations are wanted.
    """
    columns, rows = reference.size, hypothesis.size
    strips = starts.size
    boundary = scratch.boundary
    # Row by row the first column grows; so do, as an upper bound, the rows below the band of the strip before.
    boundary[: rows + LANES] = _GROWN
    cost = 0
    first_column, last_column = _place_strip(0, columns)
    first_row, last_row = 0, min(rows, last_column + (bound + rows - columns) // 2)
    for strip in range(strips):
        first_column, last_column = _place_strip(strip, columns)
        band[strip, 0], band[strip, 1] = first_row, last_row
        is_last = strip == strips - 1
        _fill_strip(
            reference[first_column:last_column], hypothesis, first_row, last_row, with_operations and is_last, scratch
        )
        cost += last_column - first_column
        last_cost = cost + _sum_changes(boundary[first_row:last_row])
        if is_last:
            break
        # The diagonal that the end lies on goes through this row.
        target = last_column + rows - columns
        end_row, end_cost = last_row, last_cost
        while first_row <= last_row and cost + abs(target - first_row) > bound:
            cost += _change(boundary[first_row])
            first_row += 1
        while end_row >= first_row and end_cost + abs(target - end_row) > bound:
            end_row -= 1
            end_cost -= _change(boundary[end_row])
        is_lost = first_row > end_row
        if is_lost or strip + 1 == look:
            look *= 2
            least = min(cost, cost + _find_lowest(boundary[first_row:last_row]))
            predicted = least * (columns / last_column)
            # A bound that is right must not be given up because the first errors happen to be many.
            certain = (least - 2 * np.sqrt(max(0, least))) * (columns / last_column)
            if is_lost or (certain > bound and 2 * last_column < columns and bound < max(columns, rows)):
                return 0, int(predicted * _ALLOWANCE) + STRIP
        if with_operations:
            packed = boundaries[starts[strip] : starts[strip] + (last_row - first_row + _PACKED - 1) // _PACKED]
            _pack(boundary[first_row:last_row], packed)
        _, next_column = _place_strip(strip + 1, columns)
        last_row = min(rows, end_row + next_column - last_column + (bound - end_cost - abs(target - end_row)) // 2)
    return last_cost, 0


@borrowing_jit
def _change(boundary: np.uint8) -> int:
    return int(boundary & _GROWN) - int(boundary >> _ONE_BIT)


@borrowing_jit
def _sum_changes(boundary: Bytes) -> int:
    total = 0
    for change in boundary:
        total += _change(change)
    return total


@borrowing_jit
def _find_lowest(boundary: Bytes) -> int:
    """Lowest cost on a boundary, relative to its first row."""
    cost = 0
    lowest = 0
    for change in boundary:
        cost += _change(change)
        lowest = min(lowest, cost)
    return lowest


@borrowing_jit
def _pack(boundary: Bytes, packed: Bytes) -> None:
    """Write four rows of two bits into each byte."""
    packed[:] = 0
    for row in range(boundary.size):
        packed[row >> 2] |= boundary[row] << np.uint8(2 * (row & 3))


@borrowing_jit
def _unpack(packed: Bytes, boundary: Bytes) -> None:
    for row in range(boundary.size):
        boundary[row] = (packed[row >> 2] >> np.uint8(2 * (row & 3))) & _BOTH


@borrowing_jit
def _fill_strip(
    reference: Units, hypothesis: Units, first_row: int, last_row: int, keep: bool, scratch: Scratch
) -> None:
    """Compute rows first_row + 1 to last_row of a strip, and replace its left boundary by its right one.

    The columns of a narrow strip are the last of the 512; bits before them are copies of the left boundary.
    """
    table, lines, symbols = scratch.table, scratch.lines, scratch.symbols
    unused = STRIP - reference.size
    height = last_row - first_row
    lines[:LANES] = _ZERO
    used = 0
    for column in range(reference.size):
        code = reference[column]
        symbol = np.int64(table[code])
        if symbol == 0:
            used += 1
            symbol = np.int64(used)
            table[code] = used
            lines[LANES * symbol : LANES * (symbol + 1)] = _ZERO
        position = column + unused
        lines[LANES * symbol + (position >> 6)] |= _ONE << np.uint64(position & 63)
    for row in range(height):
        symbols[row] = table[hypothesis[first_row + row]]
    symbols[height : height + _LAG] = 0
    for code in reference:
        table[code] = 0
    _run_steps(lines, symbols, height, unused, scratch.boundary[first_row:], keep, scratch.up, scratch.turns)


@jit
def _run_steps(
    lines: Words,
    symbols: NDArray[np.uint16],
    height: int,
    unused: int,
    boundary: Bytes,
    keep: bool,
    up: Words,
    turns: Words,
) -> None:
    """Run the lanes of one strip over its rows.

    Row r of lane k is step r + k; its words go to 8 * (r + k) + k of `up` and `turns` if they are kept. `turns` marks
    where the path of our rule leaves the diagonal: `up` of the row, where it goes on with a deletion, or `down` of
    the row before, where it goes on with an insertion.
    """
    corner = np.empty(2 * LANES, np.uint64)
    for lane in range(LANES):
        empty = min(64, max(0, unused - 64 * lane))
        corner[lane] = _ZERO if empty == 64 else _ALL << np.uint64(empty)
        corner[LANES + lane] = np.uint64(lane)
    # What enters lane 0 from the boundary, for each of its three values.
    entering_grown, entering_shrunk = np.zeros(3 * LANES, np.uint64), np.zeros(3 * LANES, np.uint64)
    entering_grown[LANES], entering_shrunk[2 * LANES] = _ONE << _TOP, _ONE << _TOP
    none = splat(_ZERO)
    start, numbers = load_lanes(corner, 0), load_lanes(corner, LANES)
    rising, falling, grows, shrinks = start, none, none, none
    # The mask of a row must reach lane k with a delay of k steps: by one, two and four where k has that bit.
    ones_1 = none
    twos_1 = twos_2 = none
    fours_1 = fours_2 = fours_3 = fours_4 = none
    for step in range(height + _LAG):
        ones = load_lanes(lines, LANES * np.int64(symbols[step]))
        twos = mix_ones(ones, ones_1)
        fours = mix_twos(twos, twos_2)
        equal = mix_fours(fours, fours_4)
        ones_1 = ones
        twos_2, twos_1 = twos_1, twos
        fours_4, fours_3, fours_2, fours_1 = fours_3, fours_2, fours_1, fours

        change = LANES * np.int64(boundary[step])
        grown = shift_up(grows, load_lanes(entering_grown, change))
        shrunk = shift_up(shrinks, load_lanes(entering_shrunk, change))
        match = equal | top_bit_down(shrunk)
        same = (((match & rising) + rising) ^ rising) | match | falling
        before = falling
        grows = falling | ~(same | rising)
        shrinks = same & rising
        after = double_with(grows, grown)
        rising = double_with(shrinks, shrunk) | ~(same | after)
        falling = after & same
        if step < _LAG:
            started = where_less(numbers, splat(np.uint64(step + 1)))
            rising = (rising & started) | (start & ~started)
            falling, grows, shrinks = falling & started, grows & started, shrinks & started
        else:
            boundary[step - _LAG] = last_top_bit(grows) | (last_top_bit(shrinks) << _ONE_BIT)
        if keep:
            store_lanes(up, LANES * step, rising)
            store_lanes(turns, LANES * step, rising | before)


@borrowing_jit
def _walk_back(
    reference: Units,
    hypothesis: Units,
    band: IntArray,
    starts: IntArray,
    boundaries: Bytes,
    scratch: Scratch,
    path: Bytes,
) -> int:
    """Walk from the last cell to the first, strip by strip, and count deletions; everything else follows from them.

    Deletion if there is an alignment of minimum cost with one, else substitution, else insertion, else hit.
    """
    columns, rows = reference.size, hypothesis.size
    row, column, deletions = rows, columns, 0
    for strip in range(starts.size - 1, -1, -1):
        first_column, last_column = _place_strip(strip, columns)
        first_row = band[strip, 0]
        if strip < starts.size - 1:
            boundary = scratch.boundary
            boundary[first_row : row + LANES] = _GROWN
            if strip > 0:
                last_row = min(row, band[strip - 1, 1])
                _unpack(boundaries[starts[strip - 1] :], boundary[first_row:last_row])
            _fill_strip(reference[first_column:last_column], hypothesis, first_row, row, True, scratch)
        row, column, more = _walk_back_strip(
            reference, hypothesis, first_column, last_column, first_row, row, scratch.up, scratch.turns, path
        )
        deletions += more
        if row == 0:
            break
    if path.size:
        path[:column] = DELETION
        path[column : column + row] = INSERTION
    return deletions + column


@borrowing_jit
def _walk_back_strip(
    reference: Units,
    hypothesis: Units,
    first_column: int,
    last_column: int,
    first_row: int,
    row: int,
    up: Words,
    turns: Words,
    path: Bytes,
) -> tuple[int, int, int]:
    """Walk from (row, last_column) to the left boundary or the first row."""
    deletions = 0
    column = last_column
    while column > first_column and row > first_row:
        position = STRIP - 1 - (last_column - column)
        block = position >> 6
        word, bit = LANES * (row - 1 - first_row + block) + block, _ONE << np.uint64(position & 63)
        if turns[word] & bit == _ZERO:
            if path.size:
                same = reference[column - 1] == hypothesis[row - 1]
                path[row + column - 1] = HIT if same else SUBSTITUTION
            row -= 1
            column -= 1
        elif up[word] & bit:
            if path.size:
                path[row + column - 1] = DELETION
            deletions += 1
            column -= 1
        else:
            if path.size:
                path[row + column - 1] = INSERTION
            row -= 1
    return row, column, deletions
