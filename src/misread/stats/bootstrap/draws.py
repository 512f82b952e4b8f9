"""Random draws and their sums: by NumPy where they are few, by machine code where they are many; with equal results."""

from types import ModuleType

from misread.compiled.budget import DRAWING
from misread.stats.bootstrap import kernels, plain
from misread.stats.bootstrap.kernels import Columns, Words
from misread.types import IntArray


def resampled_sums(columns: Columns, resamples: int, seed: int) -> IntArray:
    """Sums of units drawn with replacement, as many as there are; shape (resamples, columns)."""
    sums: IntArray = _choose(columns.shape, resamples).resampled_sums(columns, resamples, seed)
    return sums


def two_way_sums(columns: Columns, first: IntArray, second: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of rows weighted by how often both of their units were drawn; shape (resamples, columns)."""
    sums: IntArray = _choose(columns.shape, resamples).two_way_sums(columns, first, second, resamples, seed)
    return sums


def poisson_sums(columns: Columns, keys: Words, resamples: int, seed: int) -> IntArray:
    """Sums of rows with random weights from the Poisson distribution of mean 1; shape (resamples, columns)."""
    sums: IntArray = _choose(columns.shape, resamples).poisson_sums(columns, keys, resamples, seed)
    return sums


def flipped_sums(rows: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of random subsets of the rows, each in with probability 1/2; shape (resamples, columns)."""
    sums: IntArray = _choose(rows.shape[::-1], resamples).flipped_sums(rows, resamples, seed)
    return sums


def _choose(shape: tuple[int, ...], resamples: int) -> ModuleType:
    columns, units = shape
    return plain if DRAWING.covers(plain.estimate_seconds(columns, units, resamples)) else kernels
