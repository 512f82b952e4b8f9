"""Stretches of an alignment in which nearly all operations are of one kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from misread.alignment import PairedTexts, find_operations
from misread.alignment.kernels.kinds import DELETION, INSERTION
from misread.types import IntArray


class Stretch(NamedTuple):
    """Characters of both sides; ends are one past the last."""

    reference_start: int
    reference_end: int
    hypothesis_start: int
    hypothesis_end: int


def operations_of_rows(texts: PairedTexts, rows: Sequence[int]) -> Iterator[Any]:
    """Codes of the operations of characters of these rows, from the alignment of all texts if that is known."""
    known = texts.aligned.get(("char", "unit"))
    if known is not None:
        for row in rows:
            yield known.codes[known.offsets[row] : known.offsets[row + 1]]
        return
    operations = find_operations([texts.references[row] for row in rows], [texts.hypotheses[row] for row in rows])
    for index in range(len(rows)):
        yield operations.codes[operations.offsets[index] : operations.offsets[index + 1]]


def find_stretches(codes: Any, kind: int, least: int, *, cost: int) -> list[Stretch]:
    """Stretches whose score is at least `least`, in reading order: operations of a kind less `cost` for each other.

    They are the maximal scoring subsequences (Ruzzo & Tompa 1999, A linear time algorithm for finding all maximal
    scoring subsequences), so that a letter that fits by chance does not divide missing text.
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], codes == kind, [False]])))
    starts, ends = edges[::2].tolist(), edges[1::2].tolist()
    # Sum before and after, start and end of every candidate.
    candidates: list[tuple[int, int, int, int]] = []
    total, last_end = 0, 0
    for start, end in zip(starts, ends, strict=True):
        before = total - cost * (start - last_end)
        total, last_end = before + end - start, end
        candidate = (before, total, start, end)
        while True:
            index = len(candidates) - 1
            while index >= 0 and candidates[index][0] >= candidate[0]:
                index -= 1
            if index < 0 or candidates[index][1] >= candidate[1]:
                break
            candidate = (candidates[index][0], total, candidates[index][2], end)
            del candidates[index:]
        candidates.append(candidate)
    long_enough = [(start, end) for before, after, start, end in candidates if after - before >= least]
    if not long_enough:
        return []
    reference, hypothesis = (_count_before(codes != other) for other in (INSERTION, DELETION))
    return [
        Stretch(int(reference[start]), int(reference[end]), int(hypothesis[start]), int(hypothesis[end]))
        for start, end in long_enough
    ]


def _count_before(is_kind: Any) -> IntArray:
    return np.concatenate([[0], np.cumsum(is_kind)])
