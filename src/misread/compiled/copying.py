"""One array written over another inside compiled code."""

from typing import Any

from numpy.typing import NDArray

from misread.compiled.jit import jit


@jit
def write_over(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Do what `target[:] = source` does for one dimension and equal lengths, from the first number to the last.

    For that, Numba compiles the words of its error about unequal lengths first: two seconds in each process.
    """
    for place in range(source.size):
        target[place] = source[place]
