"""Lines of two texts matched in any order: integer arrays in, integer arrays out."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.compiled.copying import write_over
from misread.compiled.jit import jit
from misread.types import IntArray

NONE: Final = -1

# Columns of a part: where it starts and ends in its text, and the next part with the same start.
_START: Final = 0
_END: Final = 1
_NEXT: Final = 2


class Side(NamedTuple):
    """Parts of one text by number: all lines first, then what is left of them where something is taken out."""

    parts: IntArray  # shape (capacity, 3)
    heads: IntArray  # the last part that starts at each place, shape (characters + 1,)
    lines: IntArray  # numbers of all lines, the longest first


class Matches(NamedTuple):
    """What is known of pairs of parts."""

    rows: NDArray[np.int32]  # row of each pair in `found`, NONE where it is not known; shape (capacity, other capacity)
    found: IntArray  # as `fitted_parts.fit_parts` gives them, shape (pairs, 7)


@jit
def match_lines(
    references: Side, hypotheses: Side, matches: Matches, weights: IntArray, best: IntArray, sizes: IntArray
) -> IntArray:
    """Match lines under each weighting from `best[0]` on, until matches of parts are needed that are not known.

    Returns the pairs of parts that are, shape (pairs, 2); none where all weightings were tried, or where there is no
    place for more parts. `best` has the next weighting, and substitutions, deletions and insertions of the one with the
    fewest errors, or NONE; then the errors below which none can be: there it ends. `sizes` has the number of parts of
    either side.
    """
    while best[0] < len(weights):
        counts = np.zeros(4, np.int64)
        wanted = _match_once(references, hypotheses, matches, weights[best[0]], counts, sizes)
        if len(wanted) or counts[0] == NONE:
            return wanted
        errors = counts[0] + counts[1] + counts[2]
        if best[1] == NONE or errors < best[1] + best[2] + best[3]:
            write_over(counts[:3], best[1:4])
        best[0] += 1
        # No weights do otherwise where there is nothing to choose.
        if counts[3] == 0 or best[1] + best[2] + best[3] <= best[4]:
            best[0] = len(weights)
    return np.empty((0, 2), np.int64)


@jit
def _match_once(
    references: Side, hypotheses: Side, matches: Matches, weights: IntArray, counts: IntArray, sizes: IntArray
) -> IntArray:
    """Add up substitutions, deletions and insertions under one weighting, and note whether there was a choice."""
    capacity = len(references.parts), len(hypotheses.parts)
    expected, found = np.empty(capacity[0], np.int64), np.empty(capacity[1], np.int64)
    left, others = len(references.lines), len(hypotheses.lines)
    write_over(references.lines, expected[:left])
    write_over(hypotheses.lines, found[:others])
    while left > 0 and others > 0:
        if sizes[0] + 2 > capacity[0] or sizes[1] + 2 > capacity[1]:
            counts[0] = NONE
            return np.empty((0, 2), np.int64)
        # Not the longest alone: all that are as long as the shorter of both longest lines.
        least = min(_length(references, expected[0]), _length(hypotheses, found[0]))
        candidates = 0
        while candidates < left and _length(references, expected[candidates]) >= least:
            candidates += 1
        wanted = _unknown(matches, expected[:candidates], found[:others])
        if len(wanted):
            return wanted
        if others > 1:
            counts[3] = 1
        best_share, best_place, best_other = np.inf, NONE, NONE
        for place in range(candidates):
            other = _least_penalty(references, hypotheses, matches, expected[place], found[:others], weights)
            share = _error_share(matches.found[matches.rows[expected[place], found[other]]])
            if best_place == NONE or share < best_share:
                best_share, best_place, best_other = share, place, other
            if share == 0:
                break
        match = matches.found[matches.rows[expected[best_place], found[best_other]]]
        for kind in range(3):
            counts[kind] += match[4 + kind]
        left = _take_out(references, sizes[:1], expected, left, best_place, match[:2])
        others = _take_out(hypotheses, sizes[1:], found, others, best_other, match[2:4])
    for place in range(left):
        counts[1] += _length(references, expected[place])
    for place in range(others):
        counts[2] += _length(hypotheses, found[place])
    return np.empty((0, 2), np.int64)


@jit
def _length(side: Side, part: int) -> int:
    return int(side.parts[part, _END] - side.parts[part, _START])


@jit
def _unknown(matches: Matches, parts: IntArray, others: IntArray) -> IntArray:
    """Pairs of these parts whose match is not known."""
    number = 0
    for part in parts:
        for other in others:
            number += matches.rows[part, other] == NONE
    wanted = np.empty((number, 2), np.int64)
    number = 0
    for part in parts:
        for other in others:
            if matches.rows[part, other] == NONE:
                wanted[number, 0], wanted[number, 1] = part, other
                number += 1
    return wanted


@jit
def _least_penalty(
    references: Side, hypotheses: Side, matches: Matches, part: int, others: IntArray, weights: IntArray
) -> int:
    """Place of the first of the parts with the least penalty: section 3 of the paper, twice, to be whole numbers.

    A place at the ends of the longer line is better than one in its middle.
    """
    length = _length(references, part)
    least, best = 0, NONE
    for place in range(others.size):
        match = matches.found[matches.rows[part, others[place]]]
        other_length = _length(hypotheses, others[place])
        longer, offset = abs(length - other_length), 0
        if longer > 1:
            offset = longer - abs(2 * max(match[0], match[2]) - longer)
        # A substitution is a deletion and an insertion.
        effort = 2 * match[4] + match[5] + match[6]
        penalty = 2 * (effort * weights[0] + longer * weights[1] - min(length, other_length) * weights[3])
        penalty += offset * weights[2]
        if best == NONE or penalty < least:
            least, best = penalty, place
    return best


@jit
def _error_share(match: IntArray) -> float:
    return float((match[4] + match[5] + match[6]) / (match[1] - match[0]))


@jit
def _take_out(side: Side, size: IntArray, parts: IntArray, left: int, place: int, taken: IntArray) -> int:
    """Replace a part by what is left of it before and after; the longest stay first."""
    part = parts[place]
    start, end = side.parts[part, _START], side.parts[part, _END]
    # Forwards, so that each is read before it is written over.
    write_over(parts[place + 1 : left], parts[place : left - 1])
    left -= 1
    if taken[0] > 0:
        left = _insert(side, parts, left, _find_part(side, size, start, start + taken[0]))
    if start + taken[1] < end:
        left = _insert(side, parts, left, _find_part(side, size, start + taken[1], end))
    return left


@jit
def _insert(side: Side, parts: IntArray, left: int, part: int) -> int:
    """Put a part after all that are as long."""
    place, length = left, _length(side, part)
    while place > 0 and _length(side, parts[place - 1]) < length:
        parts[place] = parts[place - 1]
        place -= 1
    parts[place] = part
    return left + 1


@jit
def _find_part(side: Side, size: IntArray, start: int, end: int) -> int:
    """Number of the part with this start and end, which is made if there is none."""
    part = side.heads[start]
    while part != NONE and side.parts[part, _END] != end:
        part = side.parts[part, _NEXT]
    if part == NONE:
        part = size[0]
        side.parts[part, _START], side.parts[part, _END], side.parts[part, _NEXT] = start, end, side.heads[start]
        side.heads[start] = part
        size[0] += 1
    return int(part)
