"""Bit-parallel Levenshtein alignment: integer arrays in, integer arrays out.

The cost matrix has the reference along its bits and one row for each hypothesis unit. A row is two bit vectors: `up`
marks where the cost rises by one from a reference unit to the next, `down` where it falls by one (VP and VN of Hyyrö
2003, turned on their side). For the way back, `turns` marks where the path of our rule leaves the diagonal: `up` of
the row, where it goes on with a deletion, or `down` of the row before, where it goes on with an insertion.
"""

from __future__ import annotations

from typing import Final

import numba
import numpy as np
from numpy.typing import NDArray

from misread.arrays import IntArray
from misread.jit import jit, parallel_jit

Codes = NDArray[np.uint32]
Words = NDArray[np.uint64]
Path = NDArray[np.uint8]

HIT: Final = 1
SUBSTITUTION: Final = 2
DELETION: Final = 3
INSERTION: Final = 4

MATRIX_BYTES: Final = 1 << 24
"""Bits of rows that one alignment may keep; above it, rows are forgotten and computed a second time."""

# Enough to keep the threads busy to the end; each chunk brings its own scratch memory.
_CHUNKS: Final = 64
# Symbols with a mask for every block of the reference: 64 bytes a reference unit at most.
_LINES: Final = 512

# Unsigned throughout: Numba turns a mix of signed and unsigned 64-bit integers into floats.
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_TOP = np.uint64(63)
_WORD_BITS: Final = 64
_BLOCK_SHIFT: Final = 6
_BLOCK_MASK: Final = 63


@parallel_jit
def count_operations(
    reference_codes: Codes,
    reference_offsets: IntArray,
    hypothesis_codes: Codes,
    hypothesis_offsets: IntArray,
    alphabet_size: int,
    matrix_bytes: int,
) -> IntArray:
    """Count hits, substitutions, deletions and insertions of one minimum-cost alignment of every pair.

    Parameters
    ----------
    reference_codes, hypothesis_codes : uint32 array
        Units of all texts of one side, one after the other.
    reference_offsets, hypothesis_offsets : int64 array, shape (pairs + 1,)
        Pair i is `codes[offsets[i] : offsets[i + 1]]`.
    alphabet_size : int
        Above every code.
    matrix_bytes : int
        Memory for the rows of one pair, which costs time and not exactness when it is small.

    Returns
    -------
    int64 array, shape (4, pairs)
        In the order of the kinds: hits, substitutions, deletions, insertions.

    References
    ----------
    Myers (1999), A fast bit-vector algorithm for approximate string matching based on dynamic programming.
    Hyyrö (2003), A bit-vector algorithm for computing Levenshtein and Damerau edit distances.
    """
    pairs = reference_offsets.size - 1
    counts = np.empty((4, pairs), np.int64)
    chunks = min(pairs, _CHUNKS)
    for chunk in numba.prange(chunks):
        _count_range(
            reference_codes,
            reference_offsets,
            hypothesis_codes,
            hypothesis_offsets,
            alphabet_size,
            matrix_bytes,
            pairs * chunk // chunks,
            pairs * (chunk + 1) // chunks,
            counts,
        )
    return counts


@jit
def alignment_path(reference: Codes, hypothesis: Codes, alphabet_size: int, matrix_bytes: int) -> Path:
    """Find the operations of one pair in reading order, of the same alignment that `count_operations` counts.

    Parameters
    ----------
    reference, hypothesis : uint32 array
        Units of both sides.
    alphabet_size : int
        Above every code.
    matrix_bytes : int
        As in `count_operations`.

    Returns
    -------
    uint8 array
        HIT, SUBSTITUTION, DELETION or INSERTION for each operation.
    """
    path = np.zeros(reference.size + hypothesis.size, np.uint8)
    rows = hypothesis.size + 1
    up, turns = np.empty((rows, 1), np.uint64), np.empty((rows, 1), np.uint64)
    _align(reference, hypothesis, np.empty(alphabet_size, np.uint64), up, turns, matrix_bytes, path)
    kinds: Path = path[path != 0]
    return kinds


@jit
def _count_range(
    reference_codes: Codes,
    reference_offsets: IntArray,
    hypothesis_codes: Codes,
    hypothesis_offsets: IntArray,
    alphabet_size: int,
    matrix_bytes: int,
    first: int,
    last: int,
    counts: IntArray,
) -> None:
    """Count pairs first .. last-1 with one scratch memory."""
    longest = 0
    for pair in range(first, last):
        longest = max(longest, hypothesis_offsets[pair + 1] - hypothesis_offsets[pair])
    up, turns = np.empty((longest + 1, 1), np.uint64), np.empty((longest + 1, 1), np.uint64)
    # Never cleared: an alignment first writes the entry of every code that it will read.
    table = np.empty(alphabet_size, np.uint64)
    no_path = np.empty(0, np.uint8)
    for pair in range(first, last):
        reference = reference_codes[reference_offsets[pair] : reference_offsets[pair + 1]]
        hypothesis = hypothesis_codes[hypothesis_offsets[pair] : hypothesis_offsets[pair + 1]]
        distance, deletions = _align(reference, hypothesis, table, up, turns, matrix_bytes, no_path)
        insertions = deletions - (reference.size - hypothesis.size)
        substitutions = distance - deletions - insertions
        counts[0, pair] = reference.size - substitutions - deletions
        counts[1, pair] = substitutions
        counts[2, pair] = deletions
        counts[3, pair] = insertions


@jit
def _align(
    reference: Codes, hypothesis: Codes, table: Words, up: Words, turns: Words, matrix_bytes: int, path: Path
) -> tuple[int, int]:
    """Distance and deletions of one pair, and its operations if `path` has room for them.

    An operation that ends at row r and column c stands at path[r + c - 1]; the places between stay 0. The common
    prefix and suffix are hits by rule, which also decides between alignments of equal cost.
    """
    shorter = min(reference.size, hypothesis.size)
    prefix = 0
    while prefix < shorter and reference[prefix] == hypothesis[prefix]:
        prefix += 1
    suffix = 0
    while suffix < shorter - prefix and reference[-1 - suffix] == hypothesis[-1 - suffix]:
        suffix += 1
    if path.size:
        path[1 : 2 * prefix : 2] = HIT
        path[path.size - 2 * suffix + 1 :: 2] = HIT
        path = path[2 * prefix : path.size - 2 * suffix]
    reference = reference[prefix : reference.size - suffix]
    hypothesis = hypothesis[prefix : hypothesis.size - suffix]
    if reference.size == 0 or hypothesis.size == 0:
        _finish(hypothesis.size, reference.size, path)
        return reference.size + hypothesis.size, reference.size
    if reference.size <= _WORD_BITS:
        return _align_in_one_word(reference, hypothesis, table, up, turns, path)
    return _align_in_blocks(reference, hypothesis, table, matrix_bytes, path)


@jit
def _align_in_one_word(
    reference: Codes, hypothesis: Codes, table: Words, up: Words, turns: Words, path: Path
) -> tuple[int, int]:
    """Align a reference of at most 64 units: a row is one machine word, and all rows are kept."""
    for code in hypothesis:
        table[code] = _ZERO
    for column in range(reference.size):
        table[reference[column]] |= _ONE << np.uint64(column)
    rising, falling = _ALL, _ZERO
    for row in range(hypothesis.size):
        before = falling
        rising, falling, _, _ = _next_word(table[hypothesis[row]], rising, falling, _ONE, _ZERO)
        up[row + 1, 0], turns[row + 1, 0] = rising, rising | before
    used = _ALL >> np.uint64(_WORD_BITS - reference.size)
    distance = hypothesis.size + _count_bits(rising & used) - _count_bits(falling & used)
    row, column, deletions = _trace_back(reference, hypothesis, up, turns, 0, hypothesis.size, reference.size, path)
    _finish(row, column, path)
    return distance, deletions + column


@jit
def _align_in_blocks(
    reference: Codes, hypothesis: Codes, table: Words, matrix_bytes: int, path: Path
) -> tuple[int, int]:
    """Align a reference of any length, 64 units a block.

    Rows are computed in stripes, and only the first row of every stripe is kept. The trace-back runs through the last
    stripe, has the one before it computed again, and so on: memory for two times the square root of the rows, time
    for at most twice the rows, and the same path as with the whole matrix, which is the case of a single stripe.
    """
    lines, heads, entries, masks = _index_reference(reference, hypothesis, table)
    rows = hypothesis.size
    width = (reference.size + _WORD_BITS - 1) // _WORD_BITS
    height = rows
    if 16 * width * (rows + 1) > matrix_bytes:
        height = int(np.ceil(np.sqrt(rows)))
    stripes = (rows + height - 1) // height
    kept_up, kept_down = np.empty((stripes, width), np.uint64), np.empty((stripes, width), np.uint64)
    up, turns = np.empty((height + 1, width), np.uint64), np.empty((height + 1, width), np.uint64)
    down = np.zeros(width, np.uint64)

    up[0] = _ALL
    filled = 0
    for stripe in range(stripes):
        up[0] = up[filled]
        kept_up[stripe], kept_down[stripe] = up[0], down
        units = hypothesis[stripe * height : (stripe + 1) * height]
        _fill_rows(units, table, lines, heads, entries, masks, down, up, turns)
        filled = units.size

    distance = rows
    for block in range(width):
        used = _ALL >> np.uint64(max(0, _WORD_BITS * (block + 1) - reference.size))
        distance += _count_bits(up[filled, block] & used) - _count_bits(down[block] & used)

    row, column, deletions = rows, reference.size, 0
    for stripe in range(stripes - 1, -1, -1):
        if stripe < stripes - 1:
            up[0], down[:] = kept_up[stripe], kept_down[stripe]
            units = hypothesis[stripe * height : (stripe + 1) * height]
            _fill_rows(units, table, lines, heads, entries, masks, down, up, turns)
        row, column, more = _trace_back(reference, hypothesis, up, turns, stripe * height, row, column, path)
        deletions += more
        if column == 0:
            break
    _finish(row, column, path)
    return distance, deletions + column


@jit
def _index_reference(reference: Codes, hypothesis: Codes, table: Words) -> tuple[Words, IntArray, IntArray, Words]:
    """Find where each symbol of the reference stands.

    Afterwards `table[code]` is the number of a symbol in order of appearance, 0 for one that the reference lacks.
    The first symbols, among them the frequent ones, have a line of `lines` each. A line for every symbol would grow
    with the square of the length where most symbols differ, so the others have a chain of masks, one for each block
    where they stand: heads[symbol - len(lines)] is the last of the chain, and entries[i] holds the block of masks[i]
    and the one before it in the chain, -1 at its end. Line 0 is zero.
    """
    for code in hypothesis:
        table[code] = _ZERO
    for code in reference:
        table[code] = _ZERO
    symbols = 0
    for code in reference:
        if table[code] == _ZERO:
            symbols += 1
            table[code] = np.uint64(symbols)
    width = (reference.size + _WORD_BITS - 1) // _WORD_BITS
    lines = np.zeros((min(symbols, _LINES) + 1, width), np.uint64)
    rare = max(0, symbols - _LINES)
    heads = np.full(rare, -1, np.int64)
    entries = np.empty((reference.size if rare else 0, 2), np.int64)
    masks = np.zeros(entries.shape[0], np.uint64)
    used = 0
    for column in range(reference.size):
        symbol = np.int64(table[reference[column]])
        block, bit = column >> _BLOCK_SHIFT, _ONE << np.uint64(column & _BLOCK_MASK)
        if symbol < lines.shape[0]:
            lines[symbol, block] |= bit
            continue
        head = heads[symbol - lines.shape[0]]
        if head < 0 or entries[head, 0] != block:
            entries[used, 0], entries[used, 1] = block, head
            head = used
            heads[symbol - lines.shape[0]] = head
            used += 1
        masks[head] |= bit
    return lines, heads, entries, masks


@jit
def _fill_rows(
    units: Codes,
    table: Words,
    lines: Words,
    heads: IntArray,
    entries: IntArray,
    masks: Words,
    down: Words,
    up: Words,
    turns: Words,
) -> None:
    """Compute one row for each unit, from row 0 of `up` and from `down`, which holds the last row afterwards."""
    for row in range(units.size):
        symbol = np.int64(table[units[row]])
        head = -1
        if symbol >= lines.shape[0]:
            head = heads[symbol - lines.shape[0]]
            symbol = np.int64(0)
        entry = head
        while entry >= 0:
            lines[0, entries[entry, 0]] = masks[entry]
            entry = entries[entry, 1]
        _fill_row(lines[symbol], down, up[row], up[row + 1], turns[row + 1])
        entry = head
        while entry >= 0:
            lines[0, entries[entry, 0]] = _ZERO
            entry = entries[entry, 1]


@jit
def _fill_row(equal: Words, down: Words, up: Words, next_up: Words, next_turns: Words) -> None:
    """Compute a row from the one above it, block by block."""
    grown, shrunk = _ONE, _ZERO
    for block in range(equal.size):
        before = down[block]
        rising, falling, grown, shrunk = _next_word(equal[block], up[block], before, grown, shrunk)
        next_up[block], next_turns[block], down[block] = rising, rising | before, falling


@jit
def _next_word(
    equal: np.uint64, rising: np.uint64, falling: np.uint64, grown: np.uint64, shrunk: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Compute 64 columns of a row from the row above (Hyyrö 2003, figure 5 with carries).

    `equal` marks the columns of the row's unit. `grown` and `shrunk` say how the cost changed from the row above at
    the column before the word; they are returned for its last column, after `rising` and `falling`.
    """
    match = equal | shrunk
    same = (((match & rising) + rising) ^ rising) | match | falling
    grows = falling | ~(same | rising)
    shrinks = same & rising
    grown_after, shrunk_after = grows >> _TOP, shrinks >> _TOP
    grows = (grows << _ONE) | grown
    shrinks = (shrinks << _ONE) | shrunk
    return shrinks | ~(same | grows), grows & same, grown_after, shrunk_after


@jit
def _trace_back(
    reference: Codes,
    hypothesis: Codes,
    up: Words,
    turns: Words,
    top: int,
    row: int,
    column: int,
    path: Path,
) -> tuple[int, int, int]:
    """Walk from (row, column) to row `top`, which is row 0 of `up` and `turns`, or to column 0.

    Deletion if there is an alignment of minimum cost with one, else insertion, else diagonal. Only deletions are
    counted, as everything else follows from them, the distance and the lengths.

    Returns
    -------
    row, column, deletions : int
        Where the walk stopped, and the deletions on its way.
    """
    deletions = 0
    while row > top and column > 0:
        last = column - 1
        block, bit = last >> _BLOCK_SHIFT, _ONE << np.uint64(last & _BLOCK_MASK)
        if turns[row - top, block] & bit == _ZERO:
            if path.size:
                path[row + last] = HIT if reference[last] == hypothesis[row - 1] else SUBSTITUTION
            row -= 1
            column -= 1
        elif up[row - top, block] & bit:
            if path.size:
                path[row + last] = DELETION
            deletions += 1
            column -= 1
        else:
            if path.size:
                path[row + last] = INSERTION
            row -= 1
    return row, column, deletions


@jit
def _finish(row: int, column: int, path: Path) -> None:
    """Write what is left when a walk reached the edge of the matrix: units of one side alone."""
    if path.size:
        path[:column] = DELETION
        path[column : column + row] = INSERTION


@jit
def _count_bits(word: np.uint64) -> int:
    """Count the ones of a word (Warren 2012, figure 5-2)."""
    word = word - ((word >> _ONE) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56)))
