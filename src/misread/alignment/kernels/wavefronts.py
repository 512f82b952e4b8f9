"""Distance of one long pair with few errors: how far each diagonal gets with e errors, from both ends.

With e errors a diagonal (reference position minus hypothesis position) is reached up to some cell; the furthest cells
with e + 1 errors follow from those with e, one comparison of both texts per diagonal. This takes time O(n + s²) for s
errors, where a band takes O(n s / 512) steps, so that it suits texts with errors in a few per cent. It goes forward and
backward in turn and ends where the two meet, which halves s². Costs never fall along a diagonal: if both ways overlap
on one, some cell of it is reached by both, and the first overlap is at the distance.

References
----------
Ukkonen (1985), Algorithms for approximate string matching. Myers (1986), An O(ND) difference algorithm and its
variations. Landau and Vishkin (1989), Fast parallel and serial approximate string matching. Marco-Sola, Moure, Moreto
and Espinosa (2021), Fast gap-affine pairwise alignment using the wavefront algorithm.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment.kernels.pairs import Codes
from misread.alignment.kernels.simd import codes_in_word, count_zeros_below, load_word
from misread.compiled.jit import borrowing_jit, jit

GIVEN_UP: Final = -1

# Units for each error: with more errors than that a long band is as fast.
_UNITS_PER_ERROR: Final = 64
# And for the square root of the units: each strip has 512 rows more than the band is wide, which counts in short texts.
_ERRORS_PER_ROOT: Final = 3.0
# Errors after which the distance is first predicted, from how far they led.
_FIRST_LOOK: Final = 64
# A cell that no diagonal reaches.
_UNREACHED: Final = -(2**30)
# Diagonals count in 32 bits.
_TOO_MANY_UNITS: Final = 2**30
# Codes that are loaded beyond the end of a text, at most: the word that crosses it, and the one after.
_BEYOND: Final = 16

_WORD_BITS: Final = 64
_ZERO = np.uint64(0)

Reach = NDArray[np.int32]


class WaveScratch(NamedTuple):
    """Scratch buffers of one thread for all its pairs: both texts in both directions, and how far diagonals reach."""

    reference: Codes
    hypothesis: Codes
    turned_reference: Codes
    turned_hypothesis: Codes
    reach: Reach


@borrowing_jit
def find_most_errors(columns: int, rows: int, with_operations: bool) -> int:
    """Errors up to which `measure_few_errors` pays for texts of these lengths; 0 where it never does.

    Operations need a band anyway: all that is saved is a band that is too wide, which is little for short texts.
    """
    units = max(columns, rows)
    most = units // _UNITS_PER_ERROR if with_operations else _limit_errors(units)
    return most if abs(columns - rows) <= most and units < _TOO_MANY_UNITS else 0


@borrowing_jit
def _limit_errors(units: int) -> int:
    return int(units / _UNITS_PER_ERROR + _ERRORS_PER_ROOT * np.sqrt(units))


@jit
def make_wave_scratch(codes: Codes, longest_reference: int, longest_hypothesis: int) -> WaveScratch:
    """Memory for pairs whose sides have at most these numbers of units, of the type of `codes`."""
    longest = max(longest_reference, longest_hypothesis)
    # Half of the errors are made in each direction, and a step looks one diagonal further.
    diagonals = _limit_errors(longest) + 5
    return WaveScratch(
        np.empty(longest_reference + _BEYOND, codes.dtype),
        np.empty(longest_hypothesis + _BEYOND, codes.dtype),
        np.empty(longest_reference + _BEYOND, codes.dtype),
        np.empty(longest_hypothesis + _BEYOND, codes.dtype),
        np.empty((4, diagonals), np.int32),
    )


@borrowing_jit
def measure_few_errors(reference: Codes, hypothesis: Codes, most: int, scratch: WaveScratch) -> int:
    """Distance of two texts of one type, or GIVEN_UP if it is above `most`, or if the first errors suggest that it is.

    `most` is not above `find_most_errors`, and `scratch` large enough for this pair.
    """
    columns, rows = reference.size, hypothesis.size
    _copy(reference, scratch.reference, scratch.turned_reference)
    _copy(hypothesis, scratch.hypothesis, scratch.turned_hypothesis)
    reach = scratch.reach
    reach[:] = _UNREACHED
    # Diagonal 0 is one unit before its first, to which the step without an error leads.
    reach[:, reach.shape[1] // 2] = -1
    furthest = 0
    for turn in range(most + 2):
        # Forward and backward in turn; of each, the rows for an even and for an odd number of errors.
        errors, made, side = turn - 1, turn >> 1, turn & 1
        old, new = reach[2 * side + 1 - (made & 1)], reach[2 * side + (made & 1)]
        passed = _advance(
            scratch.turned_reference if side else scratch.reference,
            scratch.turned_hypothesis if side else scratch.hypothesis,
            columns,
            rows,
            made,
            old,
            new,
        )
        both = passed + furthest
        furthest = passed
        if errors < 0:
            continue
        made_back = errors >> 1
        if both >= columns and _meet(
            columns, rows, errors - made_back, made_back, reach[(errors - made_back) & 1], reach[2 + (made_back & 1)]
        ):
            return errors
        # Less two standard deviations of a count, so that chance alone rarely gives up.
        certain = errors - 2 * np.sqrt(errors)
        if errors >= _FIRST_LOOK and certain * columns > most * both:
            break
    return GIVEN_UP


@borrowing_jit
def _copy(codes: Codes, copied: Codes, turned: Codes) -> None:
    """Write a text as it is and reversed; the codes beyond its end may be anything."""
    # Unsigned, so that LLVM sees that no index counts from the end, and makes vectors of it.
    last = np.uint64(codes.size - 1)
    for index in range(codes.size):
        copied[index] = codes[index]
    for index in range(codes.size):
        turned[index] = codes[last - np.uint64(index)]


@borrowing_jit
def _place_diagonals(columns: int, rows: int, errors: int) -> tuple[int, int]:
    """First and last diagonal that is in the matrix and reached with `errors` errors."""
    return -min(errors, rows), min(errors, columns)


@borrowing_jit
def _advance(
    reference: Codes, hypothesis: Codes, columns: int, rows: int, errors: int, reach: Reach, reached: Reach
) -> int:
    """Advance each diagonal from its reach with one error less to that with `errors`; return the furthest reach.

    A cell beyond the end of a diagonal means the end: neighbours cost at most one more, whichever way one goes.
    """
    first, last = _place_diagonals(columns, rows, errors)
    size = last - first + 1
    start = reach.size // 2 + first
    below, same, above = reach[start - 1 :], reach[start:], reach[start + 1 :]
    result = reached[start : start + size]
    for offset in range(size):
        furthest = max(int(below[offset]) + 1, int(same[offset]) + 1, int(above[offset]))
        result[offset] = min(furthest, columns, rows + first + offset)
    in_word = codes_in_word(reference)
    code_bits = _WORD_BITS // in_word
    for offset in range(size):
        column = int(result[offset])
        differing = load_word(reference, column) ^ load_word(hypothesis, column - first - offset)
        while differing == _ZERO and column < min(columns, rows + first + offset):
            column += in_word
            differing = load_word(reference, column) ^ load_word(hypothesis, column - first - offset)
        result[offset] = column + count_zeros_below(differing) // code_bits
    furthest = 0
    for offset in range(size):
        result[offset] = min(int(result[offset]), columns, rows + first + offset)
        furthest = max(furthest, int(result[offset]))
    return furthest


@borrowing_jit
def _meet(columns: int, rows: int, made_ahead: int, made_back: int, ahead: Reach, back: Reach) -> bool:
    """Whether both directions together cover a whole diagonal."""
    center = ahead.size // 2
    first_ahead, last_ahead = _place_diagonals(columns, rows, made_ahead)
    first_back, last_back = _place_diagonals(columns, rows, made_back)
    # Turned round, a diagonal has the number `end` minus its own: the one on which the matrix ends is 0.
    end = columns - rows
    first, last = max(first_ahead, end - last_back), min(last_ahead, end - first_back)
    covered = -1
    for diagonal in range(first, last + 1):
        covered = max(covered, int(ahead[center + diagonal]) + int(back[center + end - diagonal]))
    return covered >= columns
