"""Random draws and their sums: by NumPy where they are few, by machine code where they are many; with equal results.

Where there are very many, and workers of other machines, these make blocks of replicates.
"""

from functools import partial
from types import ModuleType
from typing import Final, NamedTuple

import numpy as np

from misread.compiled.budget import DRAWING
from misread.execution import Executor, current_executor
from misread.stats.bootstrap import kernels, plain
from misread.stats.bootstrap.kernels import Columns
from misread.types import IntArray

SECONDS_WORTH_SENDING: Final = 20.0
"""Without machine code, which is 20 to 50 times faster: less is drawn here before workers have the counts."""

SECONDS_OF_A_BLOCK: Final = 1.0
"""Without machine code, of the replicates that a worker makes at a time: no result depends on it.

A task costs the process that asks 5 ms. What is worth sending makes twenty of them at least.
"""


def resampled_sums(columns: Columns, resamples: int, seed: int) -> IntArray:
    """Sums of units drawn with replacement, as many as there are; shape (resamples, columns)."""
    return _draw("resampled_sums", (columns,), columns.shape, resamples, seed)


def two_way_sums(columns: Columns, first: IntArray, second: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of rows weighted by how often both of their units were drawn; shape (resamples, columns)."""
    return _draw("two_way_sums", (columns, first, second), columns.shape, resamples, seed)


def flipped_sums(rows: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of random subsets of the rows, each in with probability 1/2; shape (resamples, columns)."""
    return _draw("flipped_sums", (rows,), rows.shape[::-1], resamples, seed)


class _Block(NamedTuple):
    """Replicates that lie side by side."""

    begin: int
    size: int


def _draw(name: str, arrays: tuple[Columns, ...], shape: tuple[int, int], resamples: int, seed: int) -> IntArray:
    columns, units = shape
    seconds = plain.estimate_seconds(columns, units, resamples)
    executor = current_executor()
    if executor is not None and executor.spans_machines and seconds > SECONDS_WORTH_SENDING:
        return draw_blocks(executor, name, arrays, shape, resamples, seed)
    module: ModuleType = plain if DRAWING.covers(seconds) else kernels
    sums: IntArray = getattr(module, name)(*arrays, resamples, seed)
    return sums


def draw_blocks(
    executor: Executor,
    name: str,
    arrays: tuple[Columns, ...],
    shape: tuple[int, int],
    resamples: int,
    seed: int,
) -> IntArray:
    """What a function of this module gives, by blocks of replicates on the workers of an executor."""
    size = max(1, int(SECONDS_OF_A_BLOCK / plain.estimate_seconds(*shape, 1)))
    blocks = [_Block(begin, min(size, resamples - begin)) for begin in range(0, resamples, size)]
    return np.concatenate(list(executor.map(partial(_draw_block, name, arrays, seed), blocks)))


def _draw_block(name: str, arrays: tuple[Columns, ...], seed: int, block: _Block) -> IntArray:
    sums: IntArray = getattr(kernels, name)(*arrays, block.size, seed, block.begin)
    return sums
