"""Resampling loops: integer arrays in, integer arrays out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from misread.arrays import IntArray
from misread.chunks import run_in_chunks
from misread.jit import jit

# Unsigned throughout: Numba turns a mix of signed and unsigned 64-bit integers into floats.
_INCREMENT = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1 = np.uint64(30)
_SHIFT_2 = np.uint64(27)
_SHIFT_3 = np.uint64(31)
_HALF = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_BIT_MASK = np.uint64(63)


@jit
def _mix(state: np.uint64) -> np.uint64:
    """Scramble 64 bits (the output function of splitmix64; Steele, Lea & Flood 2014, figure 17)."""
    state = (state ^ (state >> _SHIFT_1)) * _MULTIPLIER_1
    state = (state ^ (state >> _SHIFT_2)) * _MULTIPLIER_2
    return state ^ (state >> _SHIFT_3)


@jit
def _below(bits: np.uint64, limit: np.uint64) -> np.uint64:
    """Map 64 random bits to 0 .. limit-1, limit below 2^32: the upper word of the 128-bit product.

    An index is off from probability 1/limit by less than 2^-64, which no number of resamples can show.
    """
    return ((bits >> _HALF) * limit + (((bits & _LOW_HALF) * limit) >> _HALF)) >> _HALF


def resampled_sums(rows: IntArray, resamples: int, seed: int) -> IntArray:
    """Draw rows with replacement, as many as there are, and add them up; once for each replicate.

    All columns of a drawn row are added together, so systems and metrics that lie side by side stay paired. A draw
    depends on (seed, replicate, position) alone: neither threads nor the number of replicates change it.

    Parameters
    ----------
    rows : int64 array, shape (units, columns)
        Additive counts of each unit; fewer than 2^32 units.
    resamples : int
        Number of replicates.
    seed : int
        Start of the random sequence, 0 or more.

    Returns
    -------
    int64 array, shape (resamples, columns)
        Summed counts of each replicate.

    Examples
    --------
    >>> import numpy as np
    >>> resampled_sums(np.array([[1, 10], [1, 10]]), 3, 7).tolist()
    [[2, 20], [2, 20], [2, 20]]
    """
    return _make_sums(_resample, rows, resamples, seed)


def flipped_sums(rows: IntArray, resamples: int, seed: int) -> IntArray:
    """Add up a random subset of the rows, each in it with probability 1/2; once for each replicate.

    A bit depends on (seed, replicate, position of the row) alone: neither threads nor the number of replicates
    change it. 64 rows share one random word.

    Parameters
    ----------
    rows : int64 array, shape (units, columns)
        What each unit adds when it is flipped.
    resamples : int
        Number of replicates.
    seed : int
        Start of the random sequence, 0 or more.

    Returns
    -------
    int64 array, shape (resamples, columns)
        Sums over the flipped units of each replicate.

    Examples
    --------
    >>> import numpy as np
    >>> flipped_sums(np.array([[0, 0], [0, 0]]), 3, 7).tolist()
    [[0, 0], [0, 0], [0, 0]]
    """
    return _make_sums(_flip, rows, resamples, seed)


def _make_sums(kernel: Callable[..., None], rows: IntArray, resamples: int, seed: int) -> IntArray:
    sums = np.zeros((resamples, rows.shape[1]), dtype=np.int64)
    run_in_chunks(kernel, resamples, resamples * rows.size, rows, seed, sums)
    return sums


@jit
def _resample(rows: IntArray, seed: int, sums: IntArray, first: int, last: int) -> None:
    """Fill sums[first:last]."""
    units, columns = rows.shape
    limit = np.uint64(units)
    start = _mix(np.uint64(seed) + _INCREMENT)
    for replicate in range(first, last):
        state = _mix(start + np.uint64(replicate) * _INCREMENT)
        total = sums[replicate]
        for _ in range(units):
            state += _INCREMENT
            drawn = _below(_mix(state), limit)
            for column in range(columns):
                total[column] += rows[drawn, column]


@jit
def _flip(rows: IntArray, seed: int, sums: IntArray, first: int, last: int) -> None:
    """Fill sums[first:last]."""
    units, columns = rows.shape
    start = _mix(np.uint64(seed) + _INCREMENT)
    for replicate in range(first, last):
        state = _mix(start + np.uint64(replicate) * _INCREMENT)
        total = sums[replicate]
        bits = np.uint64(0)
        for unit in range(units):
            if np.uint64(unit) & _BIT_MASK == 0:
                state += _INCREMENT
                bits = _mix(state)
            if bits & _ONE:
                for column in range(columns):
                    total[column] += rows[unit, column]
            bits >>= _ONE
