"""Alignment of texts that may read in several ways: integer arrays in, integer arrays out.

A text is a lattice of arcs, each a word or no word at all. Arc 0 is the beginning, the last one the end; the others
stand in an order in which every arc comes after those it follows. A linear text is the lattice in which every arc
follows the one before it.

Rows are arcs of the reference, columns those of the hypothesis. A cell holds the least cost of the two beginnings that
end in its two arcs, over all ways to read either. Where the hypothesis is linear, a row holds only the columns that an
alignment within a budget of deletions and insertions can reach.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from misread.alignment.kernels.pairs import write_over
from misread.compiled.jit import jit
from misread.types import FloatArray, IntArray

Codes = NDArray[np.uint32]
Kinds = NDArray[np.uint8]
Steps = NDArray[np.uint8]
Choices = NDArray[np.uint32]
Rows = FloatArray
Lattice = tuple[Codes, Kinds, IntArray, IntArray]
"""Arcs of all texts of one side, the beginning and the end of each text among them.

Codes, kinds (WORD, OPTIONAL or NOTHING), where the list of the arcs that each follows begins (one entry more than
arcs), and these lists, numbered within a text.
"""

Weights = tuple[float, float, float, float, float, float]
"""Of a hit, a substitution, an insertion, a deletion, an optional word left out, and no word."""

WORD: Final = 0
OPTIONAL: Final = 1
NOTHING: Final = 2

DIAGONAL: Final = 0
INSERTION: Final = 1
DELETION: Final = 2

HITS: Final = 0
SUBSTITUTIONS: Final = 1
DELETIONS: Final = 2
INSERTIONS: Final = 3
OMISSIONS: Final = 4
NOTHING_COUNTED: Final = 5

MOST_FOLLOWED: Final = 0xFFFF
"""Arcs that one arc may follow; 16 bits store the choice."""

NO_PLACE: Final = -(1 << 60)

STRIPE_CELLS: Final = 1 << 26
"""Steps that one alignment keeps at a time; what was before is computed a second time."""


@jit
def align_lattices(
    references: Lattice,
    reference_spans: IntArray,
    hypotheses: Lattice,
    hypothesis_spans: IntArray,
    budgets: IntArray,
    weights: Weights,
    single_precision: bool,
    stripe_cells: int,
    counts: IntArray,
    reference_words: Kinds,
    hypothesis_words: Kinds,
    operations: Steps,
    first: int,
    last: int,
) -> None:
    """Find the alignment of least cost of pairs first .. last-1, over all ways to read either side.

    Where costs tie, from the end, a diagonal comes before a deletion only if it costs no more than that and an
    insertion, and a deletion before an insertion only if it costs less; among arcs that are followed, the first.

    `budgets` bounds the deletions and insertions of words that are not optional in any alignment of least cost. With
    `single_precision`, sums are rounded to 32 bits at every step. A small `stripe_cells` costs time, not exactness.

    Written are `counts`, shape (5, pairs): hits, substitutions, deletions, insertions, and optional words that one side
    has and the other left out; `reference_words` and `hypothesis_words`, one entry per arc: 1 for each word that was
    read, 0 for an optional word that was left out; and `operations`, one entry per arc of either side: HITS to
    INSERTIONS in reading order at the end of the room of each pair, OMISSIONS before that.

    Fiscus, Ajot, Radde and Laprun (2006), Multiple dimension Levenshtein edit distance calculations; Ukkonen (1985),
    Algorithms for approximate string matching, for the band.
    """
    for pair in range(first, last):
        start, end = reference_spans[pair]
        start_column, end_column = hypothesis_spans[pair]
        pair_counts = _align(
            _cut(references, reference_spans[pair]),
            _cut(hypotheses, hypothesis_spans[pair]),
            budgets[pair],
            weights,
            single_precision,
            stripe_cells,
            reference_words[start:end],
            hypothesis_words[start_column:end_column],
            operations[start + start_column : end + end_column],
        )
        write_over(pair_counts, counts[:, pair])


@jit
def _cut(lattices: Lattice, span: IntArray) -> Lattice:
    codes, kinds, places, followed = lattices
    return codes[span[0] : span[1]], kinds[span[0] : span[1]], places[span[0] : span[1] + 1], followed


@jit
def _align(
    reference: Lattice,
    hypothesis: Lattice,
    budget: int,
    weights: Weights,
    single_precision: bool,
    stripe_cells: int,
    reference_words: Kinds,
    hypothesis_words: Kinds,
    operations: Steps,
) -> IntArray:
    arcs, columns = reference[0].size - 1, hypothesis[0].size - 1
    linear = _is_linear(hypothesis)
    bands = np.empty((arcs, 2), np.int64)
    if linear:
        _find_bands(reference, columns - 1, budget, bands)
    else:
        bands[:, 0], bands[:, 1] = 0, columns
    slots, slots_used = _share_rows(reference)
    cuts = _find_stripes(reference, bands, stripe_cells)
    places = np.empty((arcs, 2), np.int64)
    cells, branching_cells = _find_places(reference, linear, bands, cuts, places)
    steps, choices = np.empty(cells, np.uint8), np.empty(branching_cells, np.uint32)
    rows = np.full((slots_used, columns), np.inf)
    filled = np.zeros((slots_used, 2), np.int64)
    stripes = cuts.size - 1
    stripe_rows = np.empty((stripes, columns), np.float64)
    for stripe in range(stripes):
        if stripe > 0:
            write_over(rows[slots[cuts[stripe] - 1]], stripe_rows[stripe])
        _fill(
            reference, hypothesis, linear, cuts[stripe], cuts[stripe + 1], bands, slots, places,
            weights, single_precision, rows, filled, steps, choices,
        )  # fmt: skip

    row, column = _find_end(reference, hypothesis, slots, rows)
    counts = np.zeros(5, np.int64)
    operations[:] = OMISSIONS
    position = operations.size
    for stripe in range(stripes - 1, -1, -1):
        first = cuts[stripe]
        if stripe < stripes - 1:
            if stripe > 0:
                slot = slots[first - 1]
                write_over(stripe_rows[stripe], rows[slot])
                filled[slot, 0], filled[slot, 1] = 0, columns
            _fill(
                reference, hypothesis, linear, first, cuts[stripe + 1], bands, slots, places,
                weights, single_precision, rows, filled, steps, choices,
            )  # fmt: skip
        while row >= first and (row > 0 or column > 0):
            operation = steps[places[row, 0] + column]
            choice = choices[places[row, 1] + column] if places[row, 1] != NO_PLACE else np.uint32(0)
            counted = _name(operation, reference, hypothesis, row, column)
            if counted != NOTHING_COUNTED:
                counts[counted] += 1
                reference_words[row] |= counted in (HITS, SUBSTITUTIONS, DELETIONS)
                hypothesis_words[column] |= counted in (HITS, SUBSTITUTIONS, INSERTIONS)
                if counted != OMISSIONS:
                    position -= 1
                    operations[position] = counted
            if operation != INSERTION:
                row = reference[3][reference[2][row] + (choice & 0xFFFF)]
            if operation != DELETION:
                column = hypothesis[3][hypothesis[2][column] + (choice >> 16)]
    return counts


@jit
def _is_linear(lattice: Lattice) -> bool:
    _, kinds, places, followed = lattice
    end = kinds.size - 1
    for arc in range(1, end + 1):
        if places[arc + 1] - places[arc] != 1 or followed[places[arc]] != arc - 1 or (kinds[arc] != WORD and arc < end):
            return False
    return True


@jit
def _find_bands(lattice: Lattice, words: int, budget: int, bands: IntArray) -> None:
    """Find the columns of each row that lie on an alignment within the budget: from the first to one past the last.

    Column j is after j words of the hypothesis. Over all ways to an arc, it is after at least `least` words of the
    reference (optional ones left out) and at most `most`; the same is known of what follows. What is too much or too
    little on either side must be inserted or deleted.
    """
    _, kinds, places, followed = lattice
    end = kinds.size - 1
    far = np.int64(1) << 60
    least, most = np.full(end + 1, far), np.full(end + 1, -far)
    least_left, most_left = np.full(end + 1, far), np.full(end + 1, -far)
    least[0] = most[0] = least_left[end] = most_left[end] = 0
    for arc in range(1, end):
        for other in followed[places[arc] : places[arc + 1]]:
            least[arc] = min(least[arc], least[other] + (kinds[arc] == WORD))
            most[arc] = max(most[arc], most[other] + (kinds[arc] != NOTHING))
    for arc in range(end, 0, -1):
        own_least = least_left[arc] + (arc < end and kinds[arc] == WORD)
        own_most = most_left[arc] + (arc < end and kinds[arc] != NOTHING)
        for other in followed[places[arc] : places[arc + 1]]:
            least_left[other] = min(least_left[other], own_least)
            most_left[other] = max(most_left[other], own_most)
    for arc in range(end):
        low, high = 0, words
        if arc > 0:
            low, high = words, 0
            for other in followed[places[arc] : places[arc + 1]]:
                low, high = min(low, bands[other, 0]), max(high, bands[other, 1] - 1)
        while low < words and _excess(least, most, least_left, most_left, arc, low, words) > budget:
            low += 1
        high = max(low, high)
        while high > low and _excess(least, most, least_left, most_left, arc, high, words) > budget:
            high -= 1
        while high < words and _excess(least, most, least_left, most_left, arc, high + 1, words) <= budget:
            high += 1
        bands[arc, 0], bands[arc, 1] = low, high + 1


@jit
def _excess(
    least: IntArray, most: IntArray, least_left: IntArray, most_left: IntArray, arc: int, column: int, words: int
) -> int:
    before = max(0, max(column - most[arc], least[arc] - column))
    left = words - column
    return int(before + max(0, max(left - most_left[arc], least_left[arc] - left)))


@jit
def _share_rows(lattice: Lattice) -> tuple[IntArray, int]:
    """Give every arc a row to be kept in until no arc that follows it is left; return how many are needed."""
    _, kinds, places, followed = lattice
    end = kinds.size - 1
    last_use = np.zeros(end + 1, np.int64)
    for arc in range(1, end + 1):
        for other in followed[places[arc] : places[arc + 1]]:
            last_use[other] = arc
    slots = np.empty(end, np.int64)
    free = np.empty(end, np.int64)
    free_slots, used = 0, 0
    for arc in range(end):
        if free_slots > 0:
            free_slots -= 1
            slots[arc] = free[free_slots]
        else:
            slots[arc] = used
            used += 1
        for other in followed[places[arc] : places[arc + 1]]:
            if last_use[other] == arc:
                free[free_slots] = slots[other]
                free_slots += 1
    return slots, used


@jit
def _find_stripes(lattice: Lattice, bands: IntArray, cells: int) -> IntArray:
    """Cut the rows, where a single row decides all that follow, into stripes of about `cells` cells."""
    _, kinds, places, followed = lattice
    end = kinds.size - 1
    least_followed = np.empty(end + 1, np.int64)
    least = end
    for arc in range(end, 0, -1):
        for other in followed[places[arc] : places[arc + 1]]:
            least = min(least, other)
        least_followed[arc] = least
    cuts = np.empty(end + 1, np.int64)
    cuts[0], number, size = 0, 1, 0
    for arc in range(end):
        size += bands[arc, 1] - bands[arc, 0]
        if arc == end - 1 or (size >= cells and least_followed[arc + 1] >= arc):
            cuts[number] = arc + 1
            number, size = number + 1, 0
    return cuts[:number].copy()


@jit
def _find_places(lattice: Lattice, linear: bool, bands: IntArray, cuts: IntArray, places: IntArray) -> tuple[int, int]:
    """Find where each row's steps and choices lie in the memory of its stripe; return how much the largest needs.

    Choices are kept where there is any: an arc follows several, or the hypothesis is not linear.
    """
    most, most_branching = 0, 0
    for stripe in range(cuts.size - 1):
        cells, branching = 0, 0
        for arc in range(cuts[stripe], cuts[stripe + 1]):
            width = bands[arc, 1] - bands[arc, 0]
            places[arc, 0], places[arc, 1] = cells - bands[arc, 0], NO_PLACE
            cells += width
            if not linear or lattice[2][arc + 1] - lattice[2][arc] > 1:
                places[arc, 1] = branching - bands[arc, 0]
                branching += width
        most, most_branching = max(most, cells), max(most_branching, branching)
    return most, most_branching


@jit
def _fill(
    reference: Lattice,
    hypothesis: Lattice,
    linear: bool,
    first: int,
    last: int,
    bands: IntArray,
    slots: IntArray,
    places: IntArray,
    weights: Weights,
    single_precision: bool,
    rows: Rows,
    filled: IntArray,
    steps: Steps,
    choices: Choices,
) -> None:
    """Fill the rows from `first` to before `last`; outside its band a row is never reached."""
    codes, kinds, lists, followed = reference
    columns = hypothesis[0].size - 1
    merged, chosen = np.full(columns, np.inf), np.zeros(columns, np.uint32)
    for arc in range(first, last):
        slot = slots[arc]
        row = rows[slot]
        row[filled[slot, 0] : filled[slot, 1]] = np.inf
        low, high = bands[arc, 0], bands[arc, 1]
        filled[slot, 0], filled[slot, 1] = low, high
        row_steps = steps[places[arc, 0] + low : places[arc, 0] + high]
        cost = weights[3] if kinds[arc] == WORD else (weights[4] if kinds[arc] == OPTIONAL else weights[5])
        if arc == 0:
            row[0] = 0.0
            merged[:] = np.inf
        else:
            others = followed[lists[arc] : lists[arc + 1]]
            _merge(rows, slots, others, max(low - 1, 0), high, merged, chosen)
            if low == 0:
                row[0] = _round(merged[0] + cost, single_precision)
                row_steps[0] = DELETION
        if linear:
            _fill_row(merged, row, codes[arc], hypothesis[0], low, high, cost, weights, single_precision, row_steps)
            if places[arc, 1] != NO_PLACE:
                row_choices = choices[places[arc, 1] + low : places[arc, 1] + high]
                for column in range(low, high):
                    above = row_steps[column - low] == DELETION
                    row_choices[column - low] = chosen[column] if above else chosen[max(column - 1, 0)]
        else:
            row_choices = choices[places[arc, 1] : places[arc, 1] + high]
            _fill_branching_row(
                merged, chosen, row, codes[arc], hypothesis, cost, weights, single_precision, row_steps, row_choices
            )


@jit
def _merge(
    rows: Rows, slots: IntArray, others: IntArray, low: int, high: int, merged: FloatArray, chosen: Choices
) -> None:
    """Take the least of the rows that an arc follows, and which it is: the first where several tie."""
    write_over(rows[slots[others[0]], low:high], merged[low:high])
    chosen[low:high] = 0
    for number in range(1, others.size):
        other = rows[slots[others[number]]]
        for column in range(low, high):
            if other[column] < merged[column]:
                merged[column] = other[column]
                chosen[column] = number


@jit
def _fill_row(
    before: FloatArray,
    row: FloatArray,
    code: int,
    hypothesis: Codes,
    low: int,
    high: int,
    cost: float,
    weights: Weights,
    single_precision: bool,
    steps: Steps,
) -> None:
    """Fill a row over a hypothesis in which every arc follows the one before it."""
    hit, substitution, insertion = weights[0], weights[1], weights[2]
    start = max(low, 1)
    left = row[start - 1]
    for column in range(start, high):
        diagonal = before[column - 1] + (hit if hypothesis[column] == code else substitution)
        above = before[column] + cost
        left += insertion
        if single_precision:
            diagonal, above, left = _round32(diagonal), _round32(above), _round32(left)
        step = INSERTION
        if diagonal <= above and diagonal <= left and diagonal < np.inf:
            step, left = DIAGONAL, diagonal
        elif above < left:
            step, left = DELETION, above
        row[column] = left
        steps[column - low] = step


@jit
def _fill_branching_row(
    before: FloatArray,
    chosen: Choices,
    row: FloatArray,
    code: int,
    hypothesis: Lattice,
    cost: float,
    weights: Weights,
    single_precision: bool,
    steps: Steps,
    choices: Choices,
) -> None:
    """Fill a row over a hypothesis that may read in several ways itself."""
    codes, kinds, lists, followed = hypothesis
    choices[0] = chosen[0]
    for column in range(1, row.size):
        diagonal, left, diagonal_choice, left_choice = np.inf, np.inf, 0, 0
        for number in range(lists[column + 1] - lists[column]):
            other = followed[lists[column] + number]
            if row[other] < left:
                left, left_choice = row[other], number << 16
            # Of two that tie, the one whose reference arc comes first.
            if before[other] < diagonal or (before[other] == diagonal and chosen[other] < diagonal_choice & 0xFFFF):
                diagonal, diagonal_choice = before[other], number << 16 | chosen[other]
        kind = kinds[column]
        left += weights[2] if kind == WORD else (weights[4] if kind == OPTIONAL else weights[5])
        left = _round(left, single_precision)
        above = _round(before[column] + cost, single_precision)
        diagonal = _round(diagonal + (weights[0] if codes[column] == code else weights[1]), single_precision)
        step, choice = INSERTION, left_choice
        if diagonal <= above and diagonal <= left and diagonal < np.inf:
            step, choice, left = DIAGONAL, diagonal_choice, diagonal
        elif above < left:
            step, choice, left = DELETION, int(chosen[column]), above
        row[column] = left
        steps[column] = step
        choices[column] = choice


@jit
def _round(cost: float, single_precision: bool) -> float:
    return _round32(cost) if single_precision else cost


@jit
def _round32(cost: float) -> float:
    return float(np.float64(np.float32(cost)))


@jit
def _find_end(reference: Lattice, hypothesis: Lattice, slots: IntArray, rows: Rows) -> tuple[int, int]:
    """Find the two last arcs of the alignment of least cost."""
    end, end_column = reference[0].size - 1, hypothesis[0].size - 1
    best, best_row, best_column = np.inf, 0, 0
    for row in reference[3][reference[2][end] : reference[2][end + 1]]:
        for column in hypothesis[3][hypothesis[2][end_column] : hypothesis[2][end_column + 1]]:
            if rows[slots[row], column] < best:
                best, best_row, best_column = rows[slots[row], column], row, column
    return best_row, best_column


@jit
def _name(operation: int, reference: Lattice, hypothesis: Lattice, row: int, column: int) -> int:
    """Count that a step adds to: HITS to OMISSIONS, or NOTHING_COUNTED."""
    if operation == DIAGONAL:
        return HITS if reference[0][row] == hypothesis[0][column] else SUBSTITUTIONS
    kind = reference[1][row] if operation == DELETION else hypothesis[1][column]
    if kind == OPTIONAL:
        return OMISSIONS
    if kind == NOTHING:
        return NOTHING_COUNTED
    return DELETIONS if operation == DELETION else INSERTIONS
