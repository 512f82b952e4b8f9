"""NumPy versions of the kernels, for so few draws that machine code is not worth loading.

Arguments, results and draws are those of the functions of the same names in `kernels`.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from misread.compiled.jit import as_written
from misread.stats.bootstrap import kernels
from misread.stats.bootstrap.kernels import HALF, INCREMENT, LOW_HALF, Columns
from misread.types import IntArray

_Words: TypeAlias = NDArray[np.uint64]

_mix: Final = as_written(kernels.mix)
# Draws in memory at a time.
_DRAWS: Final = 1 << 16
_DRAW_SECONDS: Final = 1.5e-8
_SUM_SECONDS: Final = 2e-9


def estimate_seconds(columns: int, units: int, resamples: int) -> float:
    """Estimated time of any of these functions, in seconds."""
    return resamples * units * (_DRAW_SECONDS + _SUM_SECONDS * columns)


def resampled_sums(columns: Columns, resamples: int, seed: int) -> IntArray:
    """Sums of units drawn with replacement; shape (resamples, columns)."""
    units = columns.shape[1]
    return _weighted_sums(columns, resamples, seed, lambda states: _count_draws(units, states))


def two_way_sums(columns: Columns, first: IntArray, second: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of rows weighted by how often both of their units were drawn; shape (resamples, columns)."""
    firsts, seconds = int(first.max()) + 1, int(second.max()) + 1

    def weigh(states: _Words) -> IntArray:
        weights: IntArray = _count_draws(firsts, states)[:, first] * _count_draws(seconds, _mix(states))[:, second]
        return weights

    return _weighted_sums(columns, resamples, seed, weigh)


def flipped_sums(rows: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of random subsets that include each row with probability 1/2; shape (resamples, columns)."""
    units = len(rows)
    steps = np.arange(1, (units + 63) // 64 + 1, dtype=np.uint64) * INCREMENT

    def choose(states: _Words) -> NDArray[np.uint8]:
        words = _mix(states[:, np.newaxis] + steps).astype("<u8", copy=False)
        return np.unpackbits(words.view(np.uint8), axis=1, count=units, bitorder="little")

    return _weighted_sums(np.ascontiguousarray(rows.T), resamples, seed, choose)


def _weighted_sums(columns: Columns, resamples: int, seed: int, weigh: Callable[[_Words], Any]) -> IntArray:
    """Sums of the columns with the weights that each replicate's random state gives, shape (states, units)."""
    sums = np.zeros((resamples, len(columns)), dtype=np.int64)
    # An array: NumPy would warn if a scalar wrapped around.
    start = _mix(np.array([seed], np.uint64) + INCREMENT)
    for first in range(0, resamples, most := max(1, _DRAWS // max(1, columns.shape[1]))):
        replicates = np.arange(first, min(resamples, first + most), dtype=np.uint64)
        weights = weigh(_mix(start + replicates * INCREMENT))
        sums[first : first + len(weights)] = weights.astype(columns.dtype) @ columns.T
    return sums


def _count_draws(units: int, states: _Words) -> IntArray:
    """How often each unit is drawn, shape (states, units)."""
    steps = np.arange(1, (units + 1) // 2 + 1, dtype=np.uint64) * INCREMENT
    bits = _mix(states[:, np.newaxis] + steps)
    limit = np.uint64(units)
    low, high = ((bits & LOW_HALF) * limit) >> HALF, ((bits[:, : units // 2] >> HALF) * limit) >> HALF
    places = np.concatenate([low, high], axis=1).astype(np.int64) + units * np.arange(len(states))[:, np.newaxis]
    return np.bincount(places.ravel(), minlength=units * len(states)).reshape(len(states), units)
