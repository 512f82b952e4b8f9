"""Random draws and their sums: by NumPy where they are few, by machine code where they are many; with equal results."""

from types import ModuleType

from misread.compiled.budget import DRAWING
from misread.stats.bootstrap import kernels, plain
from misread.stats.bootstrap.kernels import Columns
from misread.types import IntArray


def resampled_sums(columns: Columns, resamples: int, seed: int) -> IntArray:
    """Sums of units drawn with replacement, as many as there are; shape (resamples, columns)."""
    return _draw("resampled_sums", (columns,), columns.shape, resamples, seed)


def two_way_sums(columns: Columns, first: IntArray, second: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of rows weighted by how often both of their units were drawn; shape (resamples, columns)."""
    return _draw("two_way_sums", (columns, first, second), columns.shape, resamples, seed)


def flipped_sums(rows: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of random subsets of the rows, each in with probability 1/2; shape (resamples, columns)."""
    return _draw("flipped_sums", (rows,), rows.shape[::-1], resamples, seed)


def _draw(name: str, arrays: tuple[Columns, ...], shape: tuple[int, int], resamples: int, seed: int) -> IntArray:
    columns, units = shape
    module: ModuleType = plain if DRAWING.covers(plain.estimate_seconds(columns, units, resamples)) else kernels
    sums: IntArray = getattr(module, name)(*arrays, resamples, seed)
    return sums
