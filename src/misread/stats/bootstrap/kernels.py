"""Resampling loops: integer arrays in, integer arrays out."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from misread.compiled.jit import borrowing_jit, summing_jit
from misread.compiled.threads import run_in_chunks
from misread.types import FloatArray, IntArray

Columns: TypeAlias = NDArray[np.float32] | FloatArray | IntArray

# Unsigned throughout: Numba converts a mix of signed and unsigned 64-bit integers to floats.
INCREMENT = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1 = np.uint64(30)
_SHIFT_2 = np.uint64(27)
_SHIFT_3 = np.uint64(31)
HALF = np.uint64(32)
LOW_HALF = np.uint64(0xFFFFFFFF)
_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)
# Replicates that share the tables of subset sums.
_BATCH = 1024


@borrowing_jit
def mix(state: np.uint64) -> np.uint64:
    """Scramble 64 bits (the output function of splitmix64; Steele, Lea & Flood 2014, figure 17)."""
    state = (state ^ (state >> _SHIFT_1)) * _MULTIPLIER_1
    state = (state ^ (state >> _SHIFT_2)) * _MULTIPLIER_2
    return state ^ (state >> _SHIFT_3)


@borrowing_jit
def _count_draws(drawn: NDArray[np.int32], state: np.uint64) -> None:
    """Write how often each unit is drawn in a bootstrap sample; two draws per random word."""
    units = drawn.size
    limit = np.uint64(units)
    for unit in range(units):
        drawn[unit] = 0
    for _ in range(units // 2):
        state += INCREMENT
        bits = mix(state)
        drawn[((bits & LOW_HALF) * limit) >> HALF] += 1
        drawn[((bits >> HALF) * limit) >> HALF] += 1
    if units % 2:
        drawn[((mix(state + INCREMENT) & LOW_HALF) * limit) >> HALF] += 1


def resampled_sums(columns: Columns, resamples: int, seed: int) -> IntArray:
    """Sums of units drawn with replacement, as many as there are; shape (resamples, columns).

    `columns` has shape (columns, units): whole numbers, fewer than 2^31 units. The largest of them times the number of
    units must be exact in the type: below 2^24 (float32), 2^53 (float64) or 2^63 (int64).

    Every column is multiplied by the number of draws of each unit, so that systems and metrics side by side share the
    draws and stay paired. A draw depends only on (seed, replicate, position), not on threads or the number of
    replicates or columns. It uses half of a random word, so that the probability of an index is off by less than 2^-32.
    """
    sums = np.zeros((resamples, len(columns)), dtype=np.int64)
    run_in_chunks(_resample_range, resamples, resamples * columns.size, columns, seed, sums)
    return sums


def _resample_range(columns: Columns, seed: int, sums: IntArray, first: int, last: int) -> None:
    # Made here and not in a kernel, which would take longer to compile.
    units = columns.shape[1]
    _resample(columns, seed, sums, first, last, np.empty(units, np.int32), np.empty(units, columns.dtype))


@summing_jit
def _resample(
    columns: Columns, seed: int, sums: IntArray, first: int, last: int, drawn: NDArray[np.int32], weights: Columns
) -> None:
    """Fill sums[first:last]; scratch: `drawn` and `weights`, one entry for each unit."""
    width, units = columns.shape
    start = mix(np.uint64(seed) + INCREMENT)
    for replicate in range(first, last):
        _count_draws(drawn, mix(start + np.uint64(replicate) * INCREMENT))
        for unit in range(units):
            weights[unit] = drawn[unit]
        for column in range(width):
            counts = columns[column]
            total = counts[0] * 0
            for unit in range(units):
                total += weights[unit] * counts[unit]
            sums[replicate, column] = total


def two_way_sums(columns: Columns, first: IntArray, second: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of rows weighted by how often both of their units were drawn; shape (resamples, columns).

    `columns` has shape (columns, rows); `first` and `second`, shape (rows,), number the units of either kind from 0
    without gaps.
    """
    sums = np.zeros((resamples, len(columns)), dtype=np.int64)
    run_in_chunks(_draw_two_ways_range, resamples, resamples * columns.size, columns, first, second, seed, sums)
    return sums


def _draw_two_ways_range(
    columns: Columns, first: IntArray, second: IntArray, seed: int, sums: IntArray, start: int, stop: int
) -> None:
    drawn_first, drawn_second = (np.empty(units.max() + 1, np.int32) for units in (first, second))
    _draw_two_ways(columns, first, second, seed, sums, start, stop, drawn_first, drawn_second)


@summing_jit
def _draw_two_ways(
    columns: Columns,
    first: IntArray,
    second: IntArray,
    seed: int,
    sums: IntArray,
    first_replicate: int,
    last_replicate: int,
    drawn_first: NDArray[np.int32],
    drawn_second: NDArray[np.int32],
) -> None:
    """Fill sums[first_replicate:last_replicate]; scratch: how often each unit of either kind is drawn."""
    width, rows = columns.shape
    start = mix(np.uint64(seed) + INCREMENT)
    for replicate in range(first_replicate, last_replicate):
        state = mix(start + np.uint64(replicate) * INCREMENT)
        _count_draws(drawn_first, state)
        _count_draws(drawn_second, mix(state))
        for column in range(width):
            total = columns[0, 0] * 0
            for row in range(rows):
                total += drawn_first[first[row]] * drawn_second[second[row]] * columns[column, row]
            sums[replicate, column] = total


def flipped_sums(rows: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of random subsets that include each row with probability 1/2; (units, columns) -> (resamples, columns).

    A bit depends only on (seed, replicate, position of the row), not on threads or the number of replicates. 64 rows
    share one random word; eight bits at a time look up the sum of a subset of eight rows in a table of all their
    subsets.
    """
    sums = np.zeros((resamples, rows.shape[1]), dtype=np.int64)
    batches = (resamples + _BATCH - 1) // _BATCH
    run_in_chunks(_flip_range, batches, resamples * rows.size, rows, seed, sums)
    return sums


def _flip_range(rows: IntArray, seed: int, sums: IntArray, first_batch: int, last_batch: int) -> None:
    _flip(rows, seed, sums, first_batch, last_batch, np.zeros((8, 256, rows.shape[1]), np.int64))


@borrowing_jit
def _flip(
    rows: IntArray, seed: int, sums: IntArray, first_batch: int, last_batch: int, subsets: NDArray[np.int64]
) -> None:
    """Fill the sums of these batches of replicates; scratch: `subsets`, whose first entries are 0."""
    units, width = rows.shape
    start = mix(np.uint64(seed) + INCREMENT)
    for batch in range(first_batch, last_batch):
        first, last = batch * _BATCH, min(len(sums), (batch + 1) * _BATCH)
        for block in range((units + 63) // 64):
            used = min(8, (units - 64 * block + 7) // 8)
            for byte in range(used):
                _add_subsets(rows[64 * block + 8 * byte :], subsets[byte])
            for replicate in range(first, last):
                stream = mix(start + np.uint64(replicate) * INCREMENT)
                bits = mix(stream + np.uint64(block + 1) * INCREMENT)
                for column in range(width):
                    total, left = 0, bits
                    for byte in range(used):
                        total += subsets[byte, left & _BYTE, column]
                        left >>= _EIGHT
                    sums[replicate, column] += total


@borrowing_jit
def _add_subsets(rows: IntArray, sums: IntArray) -> None:
    """Sum of each of the 256 subsets of the first eight rows, one bit per row; missing rows add nothing."""
    for bit in range(8):
        for subset in range(1 << bit):
            for column in range(rows.shape[1]):
                added = rows[bit, column] if bit < rows.shape[0] else 0
                sums[subset + (1 << bit), column] = sums[subset, column] + added
