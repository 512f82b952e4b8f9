"""Shapley values of a game over steps that are applied and kinds of errors that are taken out, in closed form."""

import math

import numpy as np

from misread.types import IntArray


def common_denominator(steps: int) -> int:
    """Denominator of all parts of a game over this number of steps: lcm(1, ..., steps + 1)."""
    return math.lcm(*range(1, steps + 2))


def shapley_parts(errors: IntArray, structure: IntArray) -> IntArray:
    """Parts of the errors of each segment, as multiples of 1 / `common_denominator`.

    The game is v(A, T) = errors[A] - sum over t in T of structure[A, t]. As it is additive in T, its Shapley values
    need the subsets of steps alone.

    Parameters
    ----------
    errors : ndarray of int, shape (2**steps, segments)
        Errors with the steps whose bits are set in the index.
    structure : ndarray of int, shape (2**steps, kinds, segments)
        Disjoint counts among these errors.

    Returns
    -------
    ndarray of int, shape (steps + kinds + 1, segments)
        Parts of steps, of kinds, and the rest; they add up to `errors[0]`.

    References
    ----------
    Shapley (1953), A value for n-person games.

    Examples
    --------
    Case and punctuation, which hide one error together:

    >>> shapley_parts(np.array([[1], [1], [1], [0]]), np.zeros((4, 0, 1), int)).ravel() / common_denominator(2)
    array([0.5, 0.5, 0. ])
    """
    sets = np.arange(len(errors))
    steps = len(errors).bit_length() - 1
    sizes = np.array([number.bit_count() for number in sets.tolist()])
    denominator = common_denominator(steps)

    def weights(taken: IntArray, players: int) -> IntArray:
        """Share of the orders of all players in which exactly these come first, times the denominator."""
        return np.array([denominator // (players * math.comb(players - 1, size)) for size in taken.tolist()])

    parts = []
    for step in range(steps):
        without = sets[sets >> step & 1 == 0]
        removed = errors[without] - errors[without | 1 << step]
        fewer = (structure[without] - structure[without | 1 << step]).sum(axis=1)
        alone, joined = weights(sizes[without], steps), weights(sizes[without] + 1, steps + 1)
        parts.append(alone @ removed - joined @ fewer)
    parts.extend(np.moveaxis(np.tensordot(weights(sizes, steps + 1), structure, axes=1), 0, 0))
    parts.append(denominator * (errors[-1] - structure[-1].sum(axis=0)))
    return np.array(parts)
