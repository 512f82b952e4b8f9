"""Levenshtein alignment of few pairs, from the whole matrix of costs.

The matrices of pairs of similar size are filled together, one row of each at a time.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION, SUBSTITUTION
from misread.alignment.kernels.pairs import Bytes, Codes, Sides
from misread.types import IntArray

# Cells that are filled together: they stay in the cache.
_GROUP: Final = 1 << 18
_CELL_SECONDS: Final = 1e-8
_UNIT_SECONDS: Final = 2e-7
_PAIR_SECONDS: Final = 2e-5
# A row of all matrices of a group, however few cells it has.
_ROW_SECONDS: Final = 1e-5
_MAY_DELETE: Final = 1
_MAY_INSERT: Final = 2


class _Pair(NamedTuple):
    """The part between the common prefix and the common suffix of a pair."""

    number: int
    prefix: int
    suffix: int
    reference: Codes
    hypothesis: Codes


def estimate_seconds(sides: Sides) -> float:
    """About how long `count_operations` would take at most."""
    rows, columns = (np.diff(spans)[:, 0].astype(np.float64) for spans in (sides[1], sides[3]))
    seconds = _CELL_SECONDS * rows @ columns + _UNIT_SECONDS * (rows + columns).sum() + _PAIR_SECONDS * len(rows)
    return float(seconds + _ROW_SECONDS * rows.max(initial=0))


def count_operations(sides: Sides) -> IntArray:
    """Hits, substitutions, deletions and insertions of every pair, shape (4, pairs), as the kernel counts them."""
    return _count(_find_paths(sides))


def find_operations(sides: Sides) -> tuple[Bytes, IntArray]:
    """Operations of all pairs, pair after pair, and how many each pair has, as the kernel finds them."""
    paths = _find_paths(sides)
    return np.frombuffer(b"".join(paths), np.uint8), np.array([*map(len, paths)], np.int64)


def _count(paths: Sequence[bytes]) -> IntArray:
    return np.array(
        [[path.count(kind) for path in paths] for kind in (HIT, SUBSTITUTION, DELETION, INSERTION)], np.int64
    )


def _find_paths(sides: Sides) -> list[bytes]:
    """Operations of each pair in reading order."""
    pairs = sorted(_strip_ends(sides), key=lambda pair: (len(pair.reference), len(pair.hypothesis)))
    paths = [b""] * len(pairs)
    for group in _group(pairs):
        steps = _fill([pair.reference for pair in group], [pair.hypothesis for pair in group])
        for index, pair in enumerate(group):
            path = _walk_back(pair.reference.tolist(), pair.hypothesis.tolist(), steps[:, index])
            paths[pair.number] = bytes([HIT]) * pair.prefix + path + bytes([HIT]) * pair.suffix
    return paths


def _strip_ends(sides: Sides) -> Iterator[_Pair]:
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    for number, (span, other_span) in enumerate(zip(reference_spans.tolist(), hypothesis_spans.tolist(), strict=True)):
        reference, hypothesis = reference_codes[slice(*span)], hypothesis_codes[slice(*other_span)]
        prefix = _count_equal(reference, hypothesis)
        reference, hypothesis = reference[prefix:], hypothesis[prefix:]
        suffix = _count_equal(reference[::-1], hypothesis[::-1])
        rows, columns = len(reference) - suffix, len(hypothesis) - suffix
        yield _Pair(number, prefix, suffix, reference[:rows], hypothesis[:columns])


def _count_equal(reference: Codes, hypothesis: Codes) -> int:
    """Number of units before the first that differs."""
    shorter = min(len(reference), len(hypothesis))
    differing = reference[:shorter] != hypothesis[:shorter]
    first = int(differing.argmax()) if shorter else 0
    return first if shorter and differing[first] else shorter


def _group(pairs: Sequence[_Pair]) -> Iterator[list[_Pair]]:
    """Group pairs so that the matrices of a group have about `_GROUP` cells together."""
    cells = np.cumsum([len(pair.reference) * len(pair.hypothesis) for pair in pairs])
    numbered = groupby(zip((cells // _GROUP).tolist(), pairs, strict=True), key=lambda entry: entry[0])
    return ([pair for _, pair in entries] for _, entries in numbered)


def _fill(references: Sequence[Codes], hypotheses: Sequence[Codes]) -> Bytes:
    """Steps possible in each cell, shape (rows, pairs, columns): a deletion, or an insertion but no substitution."""
    rows, columns = _lay_side_by_side(references), _lay_side_by_side(hypotheses)
    places = np.arange(columns.shape[1] + 1)
    costs = np.broadcast_to(places, (len(columns), len(places)))
    steps = np.empty((rows.shape[1], *columns.shape), np.uint8)
    for row, units in enumerate(rows.T[:, :, np.newaxis]):
        above = costs
        costs = np.empty_like(above)
        costs[:, 0] = row + 1
        np.minimum(above[:, :-1] + (units != columns), above[:, 1:] + 1, out=costs[:, 1:])
        # A cell costs one more than that to its left, at most: without the columns that is a running minimum.
        costs = np.minimum.accumulate(costs - places, axis=1) + places
        may_delete, may_insert = costs[:, 1:] > above[:, 1:], costs[:, :-1] < above[:, :-1]
        steps[row] = may_delete * np.uint8(_MAY_DELETE) | may_insert * np.uint8(_MAY_INSERT)
    return steps


def _lay_side_by_side(texts: Sequence[Codes]) -> NDArray[Any]:
    """Codes of each text in a row; the zeros after shorter texts change no cell that is read."""
    laid = np.zeros((len(texts), max(map(len, texts))), np.uint32)
    for row, text in zip(laid, texts, strict=True):
        row[: len(text)] = text
    return laid


def _walk_back(reference: Sequence[int], hypothesis: Sequence[int], steps: Bytes) -> bytes:
    """From the end: a deletion if one is possible, else a substitution, else an insertion, else a hit."""
    row, column, width = len(reference), len(hypothesis), steps.shape[1]
    cells = steps.tobytes()
    path = bytearray()
    while row and column:
        step = cells[(row - 1) * width + column - 1]
        if step & _MAY_DELETE:
            path.append(DELETION)
            row -= 1
        elif step & _MAY_INSERT:
            path.append(INSERTION)
            column -= 1
        else:
            row -= 1
            column -= 1
            path.append(HIT if reference[row] == hypothesis[column] else SUBSTITUTION)
    path += bytes([DELETION]) * row + bytes([INSERTION]) * column
    path.reverse()
    return bytes(path)
