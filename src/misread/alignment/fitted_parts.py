"""Where the shorter of two parts of texts fits best inside the longer one, for many pairs of parts at once."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from misread.alignment.encode.texts import EncodedPairs, EncodedTexts
from misread.alignment.unit_costs import count_with_unit_costs
from misread.errors import TooDifferentError
from misread.types import IntArray

# Places that are aligned together.
_BATCH: Final = 1 << 13
_NOWHERE: Final = 1 << 40
"""Effort of a place where nothing is right."""

COLUMNS: Final = 7
"""Start and end in the reference, then in the hypothesis; substitutions, deletions, insertions."""


def fit_parts(parts: EncodedPairs) -> IntArray:
    """Find the place of least effort of each pair, shape (pairs, 7); no part is empty, and places count from its start.

    A substitution is an effort of two, as a deletion and an insertion. Places are all stretches of the longer part that
    are as long as the shorter one, then the longer part as a whole; the first of the best counts. It grows at its end
    where that takes less effort: deletions there may be those of a longer part. Where all would be more effort than to
    delete the reference, or nothing is right, the reference is deleted and nothing of the hypothesis is taken.
    """
    found = np.empty((len(parts.shared), COLUMNS), np.int64)
    sizes = parts.references.lengths, parts.hypotheses.lengths
    for batch in _batches(np.abs(sizes[0] - sizes[1]) + 2):
        found[batch] = _fit(take_pairs(parts, batch, parts.first_index + batch.start))
    return found


def take_pairs(pairs: EncodedPairs, rows: slice | IntArray, first_index: int = 0) -> EncodedPairs:
    """Some of the pairs; `first_index` of the first of them, for messages."""
    reference, hypothesis = (EncodedTexts(of.codes, of.spans[rows]) for of in (pairs.references, pairs.hypotheses))
    return EncodedPairs(reference, hypothesis, pairs.alphabet_size, pairs.shared[rows], first_index)


def _batches(places: IntArray) -> Iterator[slice]:
    """Runs of pairs with about `_BATCH` places together."""
    if len(places) == 0:
        return
    numbers = np.cumsum(places) // _BATCH
    bounds = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(places)]
    for start, end in pairwise(bounds):
        yield slice(start, end)


def _fit(parts: EncodedPairs) -> IntArray:
    references, hypotheses = parts.references.lengths, parts.hypotheses.lengths
    shorter, beyond = np.minimum(references, hypotheses), np.abs(references - hypotheses)
    # Of equal length, the only stretch is the whole.
    pairs, numbers = _number(beyond + 1 + (beyond > 0))
    is_whole = numbers > beyond[pairs]
    starts = np.where(is_whole, 0, numbers)
    ends = np.where(is_whole, np.maximum(references, hypotheses)[pairs], starts + shorter[pairs])
    first = _least_effort(parts, pairs, starts, ends)
    grown = _grow(parts, first)
    best = np.where((grown[:, 0] < first[:, 0])[:, np.newaxis], grown, first)
    effort, start, end = best[:, 0], best[:, 1], best[:, 2]
    is_longer = references >= hypotheses
    found = np.column_stack(
        [
            *(np.where(is_longer, start, 0), np.where(is_longer, end, references)),
            *(np.where(is_longer, 0, start), np.where(is_longer, hypotheses, end)),
            best[:, 3:],
        ]
    )
    rows = np.flatnonzero(effort > references)
    found[rows] = 0
    found[rows, 1] = found[rows, 5] = references[rows]
    return found


def _number(sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Pair of each place, and its number in the pair from 0."""
    pairs = np.repeat(np.arange(len(sizes)), sizes)
    return pairs, np.arange(len(pairs)) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _grow(parts: EncodedPairs, best: IntArray) -> IntArray:
    """Least effort with more units at the end of the best place, as `_least_effort`; `_NOWHERE` without any."""
    longer = np.maximum(parts.references.lengths, parts.hypotheses.lengths)
    most = np.where(best[:, 0] < _NOWHERE, np.minimum(best[:, 3] + best[:, 4], longer - best[:, 2]), 0)
    rows = np.flatnonzero(most)
    pairs, numbers = _number(most[rows])
    grown = np.full_like(best, _NOWHERE)
    if len(rows):
        pairs = rows[pairs]
        grown[rows] = _least_effort(parts, pairs, best[pairs, 1], best[pairs, 2] + numbers + 1)[rows]
    return grown


def _least_effort(parts: EncodedPairs, pairs: IntArray, starts: IntArray, ends: IntArray) -> IntArray:
    """Effort, start, end and counts of the first best place of each pair, shape (pairs, 6), where it has places."""
    sizes = parts.references.lengths, parts.hypotheses.lengths
    is_longer = (sizes[0] >= sizes[1])[pairs]
    sides = []
    for side, moves in ((parts.references, is_longer), (parts.hypotheses, ~is_longer)):
        whole = side.spans[pairs]
        placed = np.column_stack([whole[:, 0] + starts, whole[:, 0] + ends])
        sides.append(EncodedTexts(side.codes, np.where(moves[:, np.newaxis], placed, whole)))
    places = EncodedPairs(sides[0], sides[1], parts.alphabet_size, np.zeros(len(pairs), np.int64), parts.first_index)
    try:
        counts = count_with_unit_costs(places)[1:]
    except TooDifferentError as error:
        pair = parts.first_index + int(pairs[error.pair - parts.first_index])
        raise TooDifferentError(pair, error.lengths, error.most_cells) from None
    effort = counts.sum(axis=0) + counts[0]
    effort[counts[0] >= np.minimum(*sizes)[pairs]] = _NOWHERE
    best = np.full((len(parts.shared), 6), _NOWHERE)
    group = np.flatnonzero(np.diff(pairs, prepend=-1))
    least = np.minimum.reduceat(effort, group)
    is_least = np.flatnonzero(effort == np.repeat(least, np.diff(group, append=len(pairs))))
    rows = is_least[np.flatnonzero(np.diff(pairs[is_least], prepend=-1))]
    best[pairs[rows]] = np.column_stack([effort[rows], starts[rows], ends[rows], counts[:, rows].T])
    return best
