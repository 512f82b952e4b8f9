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

COLUMNS: Final = 4
"""Place in the longer part; substitutions, deletions, insertions."""


def fit_parts(parts: EncodedPairs) -> IntArray:
    """Find the place of the fewest errors of each pair, shape (pairs, 4); no part is empty.

    A place counts from the start of the longer part. Places are all stretches of the longer part that are a character
    shorter than the shorter one; the first of the best counts. Of two parts of one length the only place is the whole.
    """
    found = np.empty((len(parts.shared), COLUMNS), np.int64)
    beyond = np.abs(parts.references.lengths - parts.hypotheses.lengths)
    for batch in _batches(beyond + 1):
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
    beyond = np.abs(references - hypotheses)
    # The published program ends each stretch a character early.
    sizes = np.minimum(references, hypotheses) - (beyond > 0)
    pairs, starts = _number(beyond + 1)
    is_longer = (references >= hypotheses)[pairs]
    sides = []
    for side, moves in ((parts.references, is_longer), (parts.hypotheses, ~is_longer)):
        whole = side.spans[pairs]
        placed = np.column_stack([whole[:, 0] + starts, whole[:, 0] + starts + sizes[pairs]])
        sides.append(EncodedTexts(side.codes, np.where(moves[:, np.newaxis], placed, whole)))
    places = EncodedPairs(sides[0], sides[1], parts.alphabet_size, np.zeros(len(pairs), np.int64), parts.first_index)
    try:
        counts = count_with_unit_costs(places)[1:]
    except TooDifferentError as error:
        pair = parts.first_index + int(pairs[error.pair - parts.first_index])
        raise TooDifferentError(pair, error.lengths, error.most_cells) from None
    errors = counts.sum(axis=0)
    group = np.flatnonzero(np.diff(pairs, prepend=-1))
    is_least = np.flatnonzero(errors == np.repeat(np.minimum.reduceat(errors, group), beyond + 1))
    rows = is_least[np.flatnonzero(np.diff(pairs[is_least], prepend=-1))]
    return np.column_stack([starts[rows], counts[:, rows].T])


def _number(sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Pair of each place, and its number in the pair from 0."""
    pairs = np.repeat(np.arange(len(sizes)), sizes)
    return pairs, np.arange(len(pairs)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
