"""Random draws and their sums: by NumPy where they are few, by machine code where they are many; with equal results.

Where there are very many, and workers of other machines, these make blocks of replicates.
"""

import math
from functools import partial
from types import ModuleType
from typing import Final, NamedTuple

import numpy as np

from misread.compiled.budget import DRAWING
from misread.execution import Executor, current_executor
from misread.stats.bootstrap import kernels, plain
from misread.stats.bootstrap.kernels import Columns, Words
from misread.types import IntArray

BLOCK: Final = 500
"""Replicates that a worker makes at a time, or more; no result depends on it, nor on the number of workers."""

# A task costs the scheduler and this process about 5 ms, which is little beside so many seconds of a worker.
_SECONDS_OF_BLOCK: Final = 0.1
# Of a unit of one replicate, in machine code: to draw it, and to add up one of its columns.
_SECONDS_OF_DRAW: Final = 1.2e-9
_SECONDS_OF_SUM: Final = 1.2e-10
# With fewer, some workers would wait at the end for another one's last block.
_FEWEST_BLOCKS: Final = 8

SECONDS_WORTH_SENDING: Final = 20.0
"""Without machine code, which is 20 to 50 times faster: less is drawn here before workers have the counts."""


def resampled_sums(columns: Columns, resamples: int, seed: int) -> IntArray:
    """Sums of units drawn with replacement, as many as there are; shape (resamples, columns)."""
    return _draw("resampled_sums", (columns,), columns.shape, resamples, seed)


def two_way_sums(columns: Columns, first: IntArray, second: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of rows weighted by how often both of their units were drawn; shape (resamples, columns)."""
    return _draw("two_way_sums", (columns, first, second), columns.shape, resamples, seed)


def poisson_sums(columns: Columns, keys: Words, resamples: int, seed: int) -> IntArray:
    """Sums of rows with random weights from the Poisson distribution of mean 1; shape (resamples, columns)."""
    return _draw("poisson_sums", (columns, keys), columns.shape, resamples, seed)


def flipped_sums(rows: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of random subsets of the rows, each in with probability 1/2; shape (resamples, columns)."""
    return _draw("flipped_sums", (rows,), rows.shape[::-1], resamples, seed)


class _Block(NamedTuple):
    """Replicates that lie side by side."""

    begin: int
    size: int


def _draw(
    name: str, arrays: tuple[Columns | Words, ...], shape: tuple[int, ...], resamples: int, seed: int
) -> IntArray:
    columns, units = shape
    seconds = plain.estimate_seconds(columns, units, resamples)
    executor = current_executor()
    if executor is not None and executor.spans_machines and seconds > SECONDS_WORTH_SENDING:
        return draw_blocks(executor, name, arrays, resamples, seed)
    module: ModuleType = plain if DRAWING.covers(seconds) else kernels
    sums: IntArray = getattr(module, name)(*arrays, resamples, seed)
    return sums


def draw_blocks(
    executor: Executor, name: str, arrays: tuple[Columns | Words, ...], resamples: int, seed: int
) -> IntArray:
    """What a function of this module gives, by blocks of replicates on the workers of an executor."""
    size = _size_of_block(arrays[0].size, max(arrays[0].shape), resamples)
    blocks = [_Block(begin, min(size, resamples - begin)) for begin in range(0, resamples, size)]
    return np.concatenate(list(executor.map(partial(_draw_block, name, arrays, seed), blocks)))


def _size_of_block(cells: int, units: int, resamples: int) -> int:
    """Replicates of a block that takes a worker long enough, where there are enough for several of them."""
    seconds = units * _SECONDS_OF_DRAW + cells * _SECONDS_OF_SUM
    long_enough = math.ceil(_SECONDS_OF_BLOCK / max(seconds, _SECONDS_OF_DRAW))
    return max(BLOCK, min(long_enough, math.ceil(resamples / _FEWEST_BLOCKS)))


def _draw_block(name: str, arrays: tuple[Columns | Words, ...], seed: int, block: _Block) -> IntArray:
    sums: IntArray = getattr(kernels, name)(*arrays, block.size, seed, block.begin)
    return sums
