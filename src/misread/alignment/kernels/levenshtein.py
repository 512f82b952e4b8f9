"""Levenshtein alignment of many pairs: integer arrays in, integer arrays out.

The common prefix and then the common suffix of a pair are hits by rule. What is between goes, if it is short, into a
group of eight pairs (`short_pairs`), and is otherwise aligned by itself: its distance is found diagonal by diagonal if
it has few errors (`wavefronts`), and all else in a band (`strips`).
"""

from typing import Final

import numpy as np

from misread.alignment.kernels import short_pairs, strips
from misread.alignment.kernels.affixes import measure_prefix, measure_suffix
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION, NOTHING, SUBSTITUTION
from misread.alignment.kernels.pairs import Bytes, Codes, Sides, Words, close_gaps, make_room, run_over_pairs
from misread.alignment.kernels.simd import LANES
from misread.alignment.kernels.wavefronts import (
    GIVEN_UP,
    WaveScratch,
    find_most_errors,
    make_wave_scratch,
    measure_few_errors,
)
from misread.compiled.jit import borrowing_jit, jit
from misread.types import IntArray

NO_HINT: Final = -1
# Marks a value that is not known yet; no number of units or errors.
_LONG: Final = -2

# Pairs that are sorted by length before they are grouped.
_BATCH: Final = 1024
# Errors that are expected of a pair beyond those of the pairs before it: two pairs are never alike.
_SLACK: Final = 64
_ALLOWANCE: Final = 1.25
# Where no pair was before, a guess for a long text that is too low is soon found out, and one that is too high is not.
_FIRST_ERRORS: Final = 512

_ShortScratch = tuple[IntArray, IntArray, IntArray, IntArray, Codes, Words, Words, Words, Words]
"""Scratch buffers of a range of short pairs: spans, short ones, order, places, pattern, equal, up, down, vectors.

A plain tuple, as `Sides`.
"""

# Where no operations are wanted: arrays of the same types, so that all is compiled as one.
_NO_ROOM: Final = np.empty(0, np.uint8)
_NO_ENDS: Final = np.empty(0, np.int64)


def count_operations(sides: Sides, alphabet_size: int) -> IntArray:
    """Hits, substitutions, deletions and insertions of one minimum-cost alignment of every pair, shape (4, pairs).

    GIVEN_UP for a pair that takes more than `strips.MOST_CELLS`. `alphabet_size` is above every code. Myers (1999), A
    fast bit-vector algorithm for approximate string matching; Hyyrö (2003), A bit-vector algorithm for computing
    Levenshtein and Damerau edit distances; Ukkonen (1985), Algorithms for approximate string matching.
    """
    counts = np.empty((4, len(sides[1])), np.int64)
    _align(sides, alphabet_size, NO_HINT, counts, _NO_ROOM, _NO_ENDS)
    return counts


def find_operations(sides: Sides, alphabet_size: int) -> tuple[Bytes, IntArray]:
    """Operations of the alignments that `count_operations` counts, pair after pair, and how many each pair has.

    Kinds in reading order; GIVEN_UP in place of the number as in `count_operations`.
    """
    counts = np.empty((4, len(sides[1])), np.int64)
    ends = make_room(sides)
    room = np.empty(ends[-1] if ends.size else 0, np.uint8)
    _align(sides, alphabet_size, NO_HINT, counts, room, ends)
    lengths = np.where(counts[0] == GIVEN_UP, GIVEN_UP, counts.sum(axis=0))
    return close_gaps(room, ends, np.maximum(lengths, 0)), lengths


def measure_distances(sides: Sides, alphabet_size: int, hint: int) -> IntArray:
    """Levenshtein distance of every pair, shape (pairs,): the errors of `count_operations`, in less time.

    `hint` is the expected distance of a pair, or NO_HINT; a wrong one costs time and nothing else.
    """
    counts = np.empty((1, len(sides[1])), np.int64)
    _align(sides, alphabet_size, hint, counts, _NO_ROOM, _NO_ENDS)
    distances: IntArray = counts[0]
    return distances


@borrowing_jit
def _guess_errors(errors: int, units: int, columns: int, rows: int) -> int:
    """Expected errors of a pair, from the errors and the length of the pairs before."""
    longer = max(columns, rows)
    if units == 0:
        return _SLACK + min(longer // 8, _FIRST_ERRORS + longer // 64)
    return _SLACK + int(longer * _ALLOWANCE * errors / units)


def _align(sides: Sides, alphabet_size: int, hint: int, counts: IntArray, room: Bytes, ends: IntArray) -> None:
    """Align all pairs: distances if `counts` has one row, operations too if `room` is not empty.

    Long pairs have a kernel of their own, which takes as long to compile as all else.
    """
    run_over_pairs(_align_short_range, sides, counts, room, ends)
    (long,) = np.nonzero(counts[0] == _LONG)
    if long.size == 0:
        return
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    of_long = reference_codes, reference_spans[long], hypothesis_codes, hypothesis_spans[long]
    long_counts = np.empty((len(counts), long.size), np.int64)
    ends_of_long = ends[long] if ends.size else ends
    run_over_pairs(_align_long_range, of_long, alphabet_size, hint, long_counts, room, ends_of_long)
    counts[:, long] = long_counts


def _align_short_range(sides: Sides, counts: IntArray, room: Bytes, ends: IntArray, first: int, last: int) -> None:
    """Align the short ones of pairs first .. last-1; the others get _LONG in the first row of `counts`."""
    # Made here and not in a kernel, which would take a second longer to compile.
    scratch: _ShortScratch = (
        np.empty((_BATCH, 4), np.int64),
        np.empty(_BATCH, np.int64),
        np.empty(_BATCH + LANES, np.int64),
        np.empty(short_pairs.MOST_ROWS + 2, np.int64),
        np.empty(short_pairs.MOST_COLUMNS, sides[0].dtype),
        np.empty(short_pairs.SCRATCH_WORDS, np.uint64),
        np.empty(short_pairs.SCRATCH_WORDS, np.uint64),
        np.empty(short_pairs.SCRATCH_WORDS, np.uint64),
        np.empty(2 * LANES, np.uint64),
    )
    _align_short(sides, counts, room, ends, first, last, scratch)


@borrowing_jit
def _align_short(
    sides: Sides, counts: IntArray, room: Bytes, ends: IntArray, first: int, last: int, scratch: _ShortScratch
) -> None:
    """Align short pairs with one set of scratch buffers."""
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    with_operations = counts.shape[0] > 1
    with_path = room.size > 0
    spans, short, order, places, pattern, equal, up, down, vectors = scratch
    for batch in range(first, last, _BATCH):
        shorts = 0
        for pair in range(batch, min(last, batch + _BATCH)):
            prefix, suffix = _measure_ends(sides, pair)
            columns = reference_spans[pair, 1] - reference_spans[pair, 0] - prefix - suffix
            rows = hypothesis_spans[pair, 1] - hypothesis_spans[pair, 0] - prefix - suffix
            if with_operations:
                counts[0, pair] = columns + prefix + suffix
            if rows == 0 or columns == 0 or rows * columns == 1:
                _write(counts, pair, rows, columns, max(rows, columns), columns - min(rows, columns))
                if with_path:
                    end = ends[pair] - suffix
                    path_start = end - max(rows, columns)
                    room[path_start:end] = SUBSTITUTION if rows == columns else DELETION if rows == 0 else INSERTION
                    _fill_ends(room, path_start, prefix, end, suffix)
            elif columns <= short_pairs.MOST_COLUMNS and rows <= short_pairs.MOST_ROWS:
                spans[pair - batch, 0], spans[pair - batch, 1] = reference_spans[pair, 0] + prefix, columns
                spans[pair - batch, 2], spans[pair - batch, 3] = hypothesis_spans[pair, 0] + prefix, rows
                short[shorts] = pair - batch
                shorts += 1
            else:
                counts[0, pair] = _LONG

        _sort_by_rows(short[:shorts], spans, places, order)
        for start in range(0, shorts, LANES):
            members = order[start : start + LANES]
            # A last group that is not full aligns one pair several times.
            members[shorts - start :] = members[0]
            rows = short_pairs.fill_group(reference_codes, hypothesis_codes, spans, members, pattern, equal, up, down)
            if with_operations:
                short_pairs.count_diagonals(rows, spans, members, up, down, vectors)
            for lane in range(min(LANES, shorts - start)):
                member = members[lane]
                columns, rows = spans[member, 1], spans[member, 3]
                distance = short_pairs.find_distance(lane, columns, rows, up, down)
                deletions = 0
                if with_operations:
                    deletions = columns - np.int64(vectors[lane])
                pair = batch + member
                _write(counts, pair, rows, columns, distance, deletions)
                if with_path:
                    prefix = spans[member, 0] - reference_spans[pair, 0]
                    suffix = reference_spans[pair, 1] - spans[member, 0] - columns
                    end = ends[pair] - suffix
                    path_start = short_pairs.write_path(
                        reference_codes, hypothesis_codes, spans[member], lane, up, down, room, end
                    )
                    _fill_ends(room, path_start, prefix, end, suffix)


@jit
def _align_long_range(
    sides: Sides, alphabet_size: int, hint: int, counts: IntArray, room: Bytes, ends: IntArray, first: int, last: int
) -> None:
    """Align pairs first .. last-1, which are long."""
    reference_codes, reference_spans, _, hypothesis_spans = sides
    longest_reference, longest_hypothesis = 0, 0
    for pair in range(first, last):
        longest_reference = max(longest_reference, reference_spans[pair, 1] - reference_spans[pair, 0])
        longest_hypothesis = max(longest_hypothesis, hypothesis_spans[pair, 1] - hypothesis_spans[pair, 0])
    _align_long(
        sides,
        hint,
        counts,
        room,
        ends,
        first,
        last,
        strips.make_scratch(alphabet_size, longest_reference, longest_hypothesis),
        make_wave_scratch(reference_codes, longest_reference, longest_hypothesis),
        np.empty(longest_reference + longest_hypothesis if room.size > 0 else 0, np.uint8),
    )


@borrowing_jit
def _align_long(
    sides: Sides,
    hint: int,
    counts: IntArray,
    room: Bytes,
    ends: IntArray,
    first: int,
    last: int,
    scratch: strips.Scratch,
    wave_scratch: WaveScratch,
    paths: Bytes,
) -> None:
    """Align long pairs with one set of scratch buffers."""
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    with_operations = counts.shape[0] > 1
    with_path = room.size > 0
    errors, units = 0, 0
    for pair in range(first, last):
        prefix, suffix = _measure_ends(sides, pair)
        reference = reference_codes[reference_spans[pair, 0] + prefix : reference_spans[pair, 1] - suffix]
        hypothesis = hypothesis_codes[hypothesis_spans[pair, 0] + prefix : hypothesis_spans[pair, 1] - suffix]
        columns, rows = reference.size, hypothesis.size
        if with_operations:
            counts[0, pair] = columns + prefix + suffix
        guess = _guess_errors(errors, units, columns, rows) if hint == NO_HINT else hint
        distance = GIVEN_UP
        most = find_most_errors(columns, rows, with_operations)
        # For the first pair, its own first errors show whether there are few.
        if most > 0 and hint <= most and _ALLOWANCE * errors * max(columns, rows) <= most * units:
            distance = measure_few_errors(reference, hypothesis, most, wave_scratch)
        is_known = distance != GIVEN_UP
        if is_known:
            guess = distance
        deletions = 0
        path = paths[: rows + columns]
        if with_operations or not is_known:
            for index in range(columns):
                scratch.reference[index] = reference[index]
            for index in range(rows):
                scratch.hypothesis[index] = hypothesis[index]
            path[:] = NOTHING
            distance, deletions = strips.align_long(
                scratch.reference[:columns],
                scratch.hypothesis[:rows],
                guess,
                is_known,
                with_operations,
                scratch,
                path,
            )
        if distance == GIVEN_UP:
            counts[:, pair] = GIVEN_UP
            continue
        _write(counts, pair, rows, columns, distance, deletions)
        if with_path:
            end = ends[pair] - suffix
            path_start = _copy_path(path, room, end)
            _fill_ends(room, path_start, prefix, end, suffix)
        errors += distance
        units += max(columns, rows)


@borrowing_jit
def _measure_ends(sides: Sides, pair: int) -> tuple[int, int]:
    """Length of the common prefix of a pair, and then of its common suffix."""
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    reference_start, reference_end = reference_spans[pair, 0], reference_spans[pair, 1]
    hypothesis_start, hypothesis_end = hypothesis_spans[pair, 0], hypothesis_spans[pair, 1]
    shorter = min(reference_end - reference_start, hypothesis_end - hypothesis_start)
    prefix = measure_prefix(reference_codes, reference_start, hypothesis_codes, hypothesis_start, shorter)
    return prefix, measure_suffix(reference_codes, reference_end, hypothesis_codes, hypothesis_end, shorter - prefix)


@borrowing_jit
def _fill_ends(room: Bytes, start: int, prefix: int, end: int, suffix: int) -> None:
    """Write the hits of the common ends before and after the operations room[start:end]."""
    room[start - prefix : start] = HIT
    room[end : end + suffix] = HIT


@borrowing_jit
def _copy_path(path: Bytes, room: Bytes, end: int) -> int:
    """Copy the operations of a path to before room[end]; return where they start."""
    start = end
    for index in range(path.size - 1, -1, -1):
        if path[index] != NOTHING:
            start -= 1
            room[start] = path[index]
    return start


@borrowing_jit
def _sort_by_rows(short: IntArray, spans: IntArray, places: IntArray, order: IntArray) -> None:
    """Sort by counting, so that the pairs of a group are of nearly one length."""
    places[:] = 0
    for member in short:
        places[spans[member, 3] + 1] += 1
    for rows in range(1, places.size):
        places[rows] += places[rows - 1]
    for member in short:
        rows = spans[member, 3]
        order[places[rows]] = member
        places[rows] += 1


@borrowing_jit
def _write(counts: IntArray, pair: int, rows: int, columns: int, distance: int, deletions: int) -> None:
    """Write all counts, which follow from distance, deletions and lengths; hits held the reference length before."""
    if counts.shape[0] == 1:
        counts[0, pair] = distance
        return
    insertions = deletions - (columns - rows)
    substitutions = distance - deletions - insertions
    counts[0, pair] -= substitutions + deletions
    counts[1, pair] = substitutions
    counts[2, pair] = deletions
    counts[3, pair] = insertions
