"""Errors of an alignment that are no misread units: runs left out, added or moved, and boundaries of words."""

from typing import Final, NamedTuple

import numpy as np

from misread.alignment import distances, find_operations
from misread.alignment.encode.texts import Unit
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION
from misread.alignment.kernels.pairs import Bytes
from misread.text.words import split_words
from misread.types import BoolArray, IntArray

LONG_RUN: Final = {"word": 5, "char": 16}
"""Fewest units of a run, by unit."""
KINDS: Final = {
    "word": ("omitted runs", "added runs", "moved text", "word boundaries"),
    "char": ("omitted runs", "added runs", "moved text"),
}
"""Kinds that are counted, by unit."""
_MOST_CHANGED: Final = 3  # a moved run differs in at most one unit in three


class _Run(NamedTuple):
    """Units of one side that the other lacks."""

    start: int
    length: int


def count_structure(references: list[str], hypotheses: list[str], unit: Unit) -> tuple[IntArray, IntArray]:
    """Errors of each pair, shape (pairs,), and those of each kind, shape (kinds, pairs).

    A block without a hit whose sides are equal without spaces is a boundary of words, with all its operations. Of what
    is left, `LONG_RUN` deletions or insertions in a row are a run. A deleted and an inserted run whose distance is at
    most a third of the longer one are moved: both lengths less the distance.
    """
    operations = find_operations(references, hypotheses, unit=unit)
    codes, offsets = operations.codes, operations.offsets
    errors = np.diff(np.concatenate([[0], np.cumsum(codes != HIT)])[offsets])
    kinds = np.zeros((len(KINDS[unit]), len(references)), np.int64)
    for row in np.flatnonzero(errors >= 2).tolist():
        row_codes = codes[offsets[row] : offsets[row + 1]]
        if unit == "char" and not _has_run(row_codes, LONG_RUN[unit]):
            continue
        reference, hypothesis = references[row], hypotheses[row]
        if unit == "word":
            kinds[:, row] = _count_row(row_codes, split_words(reference), split_words(hypothesis), unit)
        else:
            kinds[:, row] = _count_row(row_codes, reference, hypothesis, unit)
    return errors, kinds


def _has_run(codes: Bytes, least: int) -> bool:
    return any(kind_length >= least for kind in (DELETION, INSERTION) for _, kind_length in _stretches(codes == kind))


def _stretches(holds: BoolArray) -> list[tuple[int, int]]:
    """Begin and length of each maximal stretch of true entries."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], holds.astype(np.int8), [0]])))
    return list(zip(edges[::2].tolist(), (edges[1::2] - edges[::2]).tolist(), strict=True))


def _count_row(codes: Bytes, reference: list[str] | str, hypothesis: list[str] | str, unit: Unit) -> list[int]:
    before = [np.concatenate([[0], np.cumsum(codes != kind)]) for kind in (INSERTION, DELETION)]
    boundaries, codes = 0, codes.copy()
    if unit == "word":
        for start, length in _stretches(codes != HIT):
            read, written = (
                "".join(side[index[start] : index[start + length]])
                for side, index in zip((reference, hypothesis), before, strict=True)
            )
            if length > 1 and read == written:
                boundaries += length
                codes[start : start + length] = HIT
    runs, runs_added = (
        [_Run(int(index[start]), length) for start, length in _stretches(codes == kind) if length >= LONG_RUN[unit]]
        for kind, index in zip((DELETION, INSERTION), before, strict=True)
    )
    moved, deleted, inserted = _take_moved(runs, runs_added, reference, hypothesis, unit)
    counts = [sum(run.length for run in deleted), sum(run.length for run in inserted), moved]
    return [*counts, boundaries] if unit == "word" else counts


def _take_moved(
    deleted: list[_Run], inserted: list[_Run], reference: list[str] | str, hypothesis: list[str] | str, unit: Unit
) -> tuple[int, list[_Run], list[_Run]]:
    """Errors of moved runs, and the runs that are not moved; the longest deleted run chooses first."""
    moved, left = 0, []
    free = list(inserted)
    join = " ".join if unit == "word" else "".join
    for run in sorted(deleted, key=lambda run: (-run.length, run.start)):
        text = join(reference[run.start : run.start + run.length])
        others = [join(hypothesis[other.start : other.start + other.length]) for other in free]
        apart = distances([text] * len(others), others, unit=unit).tolist() if others else []
        nearest = min(range(len(free)), key=lambda number: apart[number], default=None)
        if nearest is None or _MOST_CHANGED * apart[nearest] > max(run.length, free[nearest].length):
            left.append(run)
        else:
            moved += run.length + free.pop(nearest).length - apart[nearest]
    return moved, left, free
