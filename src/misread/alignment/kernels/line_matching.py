"""Lines of two texts matched in any order: integer arrays in, integer arrays out."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment.kernels.pairs import write_over
from misread.compiled.jit import jit
from misread.types import BoolArray, IntArray

NONE: Final = -1
_WANTED: Final = -2

# Columns of a part: where it starts and ends in its text, and the next part with the same start.
_START: Final = 0
_END: Final = 1
_NEXT: Final = 2


class Side(NamedTuple):
    """Parts of one text by number: all lines first, then the rest of lines from which a part is taken out."""

    parts: IntArray  # shape (capacity, 3)
    heads: IntArray  # the last part that starts at each place, shape (characters + 1,)
    lines: IntArray  # numbers of all lines, in the order of the search
    is_blank: BoolArray  # which characters are left out at the ends of a rest


class Matches(NamedTuple):
    """Counts and bounds of pairs of parts."""

    rows: NDArray[np.int32]  # row of each pair in `fits`, NONE where it is not known; shape (capacity, other capacity)
    fits: IntArray  # as `misread.metrics.flexible.fit_parts` returns them, shape (pairs, 4)


class Searches(NamedTuple):
    """State of the search under each weighting."""

    expected: IntArray  # parts of the reference that are left, the longest first; shape (weightings, capacity)
    observed: IntArray  # parts of the hypothesis that are left; shape (weightings, capacity)
    partners: IntArray  # for each expected part, the observed part with the least penalty, NONE if not known
    penalties: IntArray  # penalties of the partners
    progress: IntArray  # shape (weightings, 7), columns below


# Columns of the progress: parts that are left on either side, how many of the last observed ones are new,
# substitutions, deletions and insertions, and whether the search has ended.
_LEFT: Final = 0
_OTHERS: Final = 1
_FRESH: Final = 2
COUNTED: Final = 3
ENDED: Final = 6
COLUMNS: Final = 7


@jit
def match_lines(
    references: Side,
    hypotheses: Side,
    matches: Matches,
    weights: IntArray,
    searches: Searches,
    sizes: IntArray,
    wanted: IntArray,
) -> int:
    """Match lines under each weighting as far as matches of parts are known and there is room for more parts.

    Writes the pairs of parts whose matches are needed next, as far as there is room; returns how many there are.
    `sizes` has the number of parts of either side.
    """
    number = 0
    most = 4 * (len(references.parts) + len(hypotheses.parts))
    for weighting in range(len(weights)):
        if searches.progress[weighting, ENDED] == 0 and number + most <= len(wanted):
            number = _match(
                references, hypotheses, matches, weights[weighting], searches.expected[weighting],
                searches.observed[weighting], searches.partners[weighting], searches.penalties[weighting],
                searches.progress[weighting], sizes, wanted, number,
            )  # fmt: skip
    return number


@jit
def _match(
    references: Side,
    hypotheses: Side,
    matches: Matches,
    weights: IntArray,
    expected: IntArray,
    observed: IntArray,
    partners: IntArray,
    penalties: IntArray,
    progress: IntArray,
    sizes: IntArray,
    wanted: IntArray,
    number: int,
) -> int:
    """Match lines under one weighting; return how many pairs are wanted now."""
    rests = np.empty(2, np.int64)
    while progress[_LEFT] > 0 and progress[_OTHERS] > 0:
        others = observed[: progress[_OTHERS]]
        known = number
        for part in expected[: progress[_LEFT]]:
            # New parts follow all others.
            first = 0 if partners[part] == NONE else len(others) - progress[_FRESH]
            number = _list_unknown(matches, part, others[first:], wanted, number)
        if number > known or _is_waiting(matches, expected[: progress[_LEFT]], others, partners, progress[_FRESH]):
            return number
        if sizes[0] + 2 > len(references.parts) or sizes[1] + 2 > len(hypotheses.parts):
            return number
        chosen = NONE
        for part in expected[: progress[_LEFT]]:
            _find_partner(references, hypotheses, matches, part, others, weights, partners, penalties, progress[_FRESH])
            if chosen == NONE or penalties[part] < penalties[chosen]:
                chosen = part
        other = partners[chosen]
        match = matches.fits[matches.rows[chosen, other]]
        for kind in range(3):
            progress[COUNTED + kind] += match[1 + kind]
        progress[_LEFT] = _leave_out(expected, progress[_LEFT], chosen)
        progress[_OTHERS] = _leave_out(observed, progress[_OTHERS], other)
        progress[_FRESH] = 0
        length, other_length = _length(references, chosen), _length(hypotheses, other)
        if length > other_length:
            for rest in rests[: _cut(references, sizes[:1], chosen, match[0], other_length, rests)]:
                partners[rest] = NONE
                progress[_LEFT] = _insert(references, expected, progress[_LEFT], int(rest))
        elif length < other_length:
            for rest in rests[: _cut(hypotheses, sizes[1:], other, match[0], length, rests)]:
                observed[progress[_OTHERS]] = rest
                progress[_OTHERS] += 1
                progress[_FRESH] += 1
        for part in expected[: progress[_LEFT]]:
            if partners[part] == other:
                partners[part] = NONE
    for part in expected[: progress[_LEFT]]:
        progress[COUNTED + 1] += _length(references, part)
    for part in observed[: progress[_OTHERS]]:
        progress[COUNTED + 2] += _length(hypotheses, part)
    progress[ENDED] = 1
    return number


@jit
def _length(side: Side, part: int) -> int:
    return int(side.parts[part, _END] - side.parts[part, _START])


@jit
def _list_unknown(matches: Matches, part: int, others: IntArray, wanted: IntArray, number: int) -> int:
    """Note the pairs of a part with others whose match is not known, each once; return how many are noted."""
    for other in others:
        if matches.rows[part, other] == NONE:
            matches.rows[part, other] = _WANTED
            wanted[number, 0], wanted[number, 1] = part, other
            number += 1
    return number


@jit
def _is_waiting(matches: Matches, parts: IntArray, others: IntArray, partners: IntArray, fresh: int) -> bool:
    """Whether a match that is needed was noted before and is not known yet."""
    for part in parts:
        for other in others[0 if partners[part] == NONE else len(others) - fresh :]:
            if matches.rows[part, other] == _WANTED:
                return True
    return False


@jit
def _find_partner(
    references: Side,
    hypotheses: Side,
    matches: Matches,
    part: int,
    others: IntArray,
    weights: IntArray,
    partners: IntArray,
    penalties: IntArray,
    fresh: int,
) -> None:
    """Find the first part with the least penalty; where a partner is known, only the fresh parts are compared."""
    for other in others[0 if partners[part] == NONE else len(others) - fresh :]:
        penalty = _penalty(references, hypotheses, matches, part, int(other), weights)
        if partners[part] == NONE or penalty < penalties[part]:
            partners[part], penalties[part] = other, penalty


@jit
def _penalty(references: Side, hypotheses: Side, matches: Matches, part: int, other: int, weights: IntArray) -> int:
    """Penalty of a match, section 3 of the paper; a match at an end of the longer part beats one in its middle."""
    match = matches.fits[matches.rows[part, other]]
    length, other_length = _length(references, part), _length(hypotheses, other)
    longer, offset = abs(length - other_length), 0
    if longer > 1:
        offset = longer // 2 - abs(match[0] - longer // 2)
    errors = match[1] + match[2] + match[3]
    return int(errors * weights[0] + longer * weights[1] + offset * weights[2] - min(length, other_length) * weights[3])


@jit
def _cut(side: Side, size: IntArray, part: int, offset: int, length: int, rests: IntArray) -> int:
    """Write the parts left before and behind a match, without blanks at their ends; return how many there are.

    The character before the match is in neither, as in the published program.
    """
    start, end = side.parts[part, _START], side.parts[part, _END]
    number = 0
    for first, last in ((start, start + offset - 1), (start + offset + length, end)):
        while first < last and side.is_blank[first]:
            first += 1
        while first < last and side.is_blank[last - 1]:
            last -= 1
        if first < last:
            rests[number] = _find_part(side, size, first, last)
            number += 1
    return number


@jit
def _leave_out(parts: IntArray, left: int, part: int) -> int:
    """Remove a part from those that are left; the others keep their order."""
    index = 0
    while parts[index] != part:
        index += 1
    # Forwards, so that each is read before it is written over.
    write_over(parts[index + 1 : left], parts[index : left - 1])
    return left - 1


@jit
def _insert(side: Side, parts: IntArray, left: int, part: int) -> int:
    """Insert a part after all parts at least as long."""
    index, length = left, _length(side, part)
    while index > 0 and _length(side, parts[index - 1]) < length:
        parts[index] = parts[index - 1]
        index -= 1
    parts[index] = part
    return left + 1


@jit
def _find_part(side: Side, size: IntArray, start: int, end: int) -> int:
    """Number of the part with this start and end; makes it if there is none."""
    part = side.heads[start]
    while part != NONE and side.parts[part, _END] != end:
        part = side.parts[part, _NEXT]
    if part == NONE:
        part = size[0]
        side.parts[part, _START], side.parts[part, _END], side.parts[part, _NEXT] = start, end, side.heads[start]
        side.heads[start] = part
        size[0] += 1
    return int(part)
