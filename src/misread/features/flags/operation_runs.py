"""Stretches of an alignment in which nearly all operations are of one kind, and those that are long."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from misread.alignment import PairedTexts, find_operations, paired_error_counts
from misread.alignment.kernels.kinds import DELETION, INSERTION, SUBSTITUTION
from misread.types import IntArray

FEWEST: Final = 8
"""Characters below which no run of deletions or insertions is long."""

# Length of the pieces of a run, and the share of them that must be on the other side for it to have moved.
_SHINGLE, _MOVED = 5, 0.6
_COVERED: Final = 0.75  # of a line that is left out, at its place
_NEAR: Final = 6  # characters next to a run that belong to what it may be another spelling of
_LETTERS_PER_SUBSTITUTION: Final = 10


class Stretch(NamedTuple):
    """Characters of both sides; ends are one past the last."""

    reference_start: int
    reference_end: int
    hypothesis_start: int
    hypothesis_end: int

    @property
    def surplus(self) -> int:
        """Characters of the reference beyond those of the hypothesis."""
        return (self.reference_end - self.reference_start) - (self.hypothesis_end - self.hypothesis_start)

    def is_long(self, limit: int, reference: str, hypothesis: str) -> bool:
        """Whether it has that number of characters, half of its segment, or a whole line of its side."""
        length = abs(self.surplus)
        text, *edges = (reference, *self[:2]) if self.surplus > 0 else (hypothesis, *self[2:])
        start, end = edges
        if length >= limit or (reference and 2 * length >= max(len(reference), len(hypothesis))):
            return True
        # Letters that are alike may shift a line that is left out.
        middle = (start + end) // 2
        line_start, line_end = text.rfind("\n", 0, middle) + 1, (text.find("\n", middle) + 1 or len(text) + 1) - 1
        width, covered = line_end - line_start, min(end, line_end) - max(start, line_start)
        return "\n" in text and width >= FEWEST and min(length, covered) >= _COVERED * width


def find_runs(
    texts: PairedTexts, kind: int, limit: int, *, least: int | None = None
) -> Iterator[tuple[int, list[Stretch]]]:
    """Rows, and runs of deletions or insertions that are no other spelling and not elsewhere on the other side.

    They are those of `limit` characters, half of their segment or a whole line, and all of `least` characters. What is
    shorter than `limit` and near many substitutions is in the place of something.
    """
    counts = paired_error_counts(texts)
    numbers = counts.deletions if kind == DELETION else counts.insertions
    longer = np.maximum(counts.reference_length, counts.hypothesis_length)
    fewest = min(FEWEST, limit)
    enough = np.minimum(least or limit, np.maximum(fewest, longer // 2))
    side = texts.references if kind == DELETION else texts.hypotheses
    likely = np.flatnonzero(numbers >= fewest).tolist()
    rows = [row for row in likely if numbers[row] >= enough[row] or "\n" in side[row]]
    for row, codes in zip(rows, operations_of_rows(texts, rows), strict=True):
        pair = texts.references[row], texts.hypotheses[row]
        runs = [run for run in find_stretches(codes, kind, max(1, fewest // 2), cost=2) if abs(run.surplus) >= fewest]
        runs = [run for run in runs if (least and abs(run.surplus) >= least) or run.is_long(limit, *pair)]
        runs = [run for run in runs if abs(run.surplus) >= limit or not _is_spelling(codes, run)]
        if runs and (codes == DELETION + INSERTION - kind).any():
            text = pair[0] if kind == DELETION else pair[1]
            others = _characters_of(pair[1] if kind == DELETION else pair[0], codes, kind)
            spans = [run[:2] if kind == DELETION else run[2:] for run in runs]
            runs = [run for run, span in zip(runs, spans, strict=True) if not _is_moved(text[slice(*span)], others)]
        if runs:
            yield row, runs


def _characters_of(text: str, codes: Any, kind: int) -> str:
    """Characters of the other side than that of `kind` that have no partner, others as NUL."""
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).copy()
    characters[codes[codes != kind] != DELETION + INSERTION - kind] = 0
    return characters.tobytes().decode("utf-32-le", "surrogatepass")


def _is_moved(text: str, others: str) -> bool:
    """Whether most pieces of a text are among the others."""
    shingles = {text[start : start + _SHINGLE] for start in range(max(1, len(text) - _SHINGLE + 1))}
    return sum(shingle in others for shingle in shingles) > _MOVED * len(shingles)


def _is_spelling(codes: Any, run: Stretch) -> bool:
    """Whether substitutions near a run show that it is in the place of something, as words of digits."""
    before = np.searchsorted(np.cumsum(codes != DELETION), run.hypothesis_start + 1 - _NEAR)
    start = max(before, np.searchsorted(np.cumsum(codes != INSERTION), run.reference_start + 1 - _NEAR))
    end = min(
        np.searchsorted(np.cumsum(codes != INSERTION), run.reference_end + _NEAR),
        np.searchsorted(np.cumsum(codes != DELETION), run.hypothesis_end + _NEAR),
    )
    near = np.count_nonzero(codes[start : end + 1] == SUBSTITUTION)
    return bool(near > max(1, abs(run.surplus) // _LETTERS_PER_SUBSTITUTION))


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
