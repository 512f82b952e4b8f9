"""Stretches where the texts of several systems differ."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from misread.alignment import PairedTexts, paired_operations
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION
from misread.errors import TooDifferentError
from misread.types import BoolArray


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of one segment: where it begins and ends in the text of every system."""

    row: int
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def readings(self, texts: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Text of every system there."""
        return tuple(text[self.row][start:end] for text, start, end in zip(texts, self.starts, self.ends, strict=True))


@dataclass(frozen=True, slots=True)
class _Aligned:
    """Alignment of a system's text with the pivot of one segment."""

    text: str
    agreed: BoolArray  # whether it has the character of the pivot, shape (characters,)
    inserted: BoolArray  # whether it has more before that character, and at the end, shape (characters + 1,)
    positions: list[int]  # of each character of the pivot in the text

    def cut(self, start: int, end: int) -> tuple[int, int]:
        """Ends in the text of a part of the pivot whose neighbours are agreed."""
        first = self.positions[start - 1] + 1 if start else 0
        last = self.positions[end] if end < len(self.positions) else len(self.text)
        return first, last


def find_disputed(texts: Sequence[Sequence[str]], context: int) -> list[list[Stretch]]:
    """Disputed stretches of every segment, in reading order; `texts` are the segments of each system.

    All systems are aligned, character by character, with the first. A stretch is as long as not all agree, wider by
    `context` characters on either side, and joined with what it touches then. No reading is blank, or begins or ends
    with white space, if more context can prevent it: people do not type it. No character is parted from its combining
    marks.
    """
    pivots = texts[0]
    rows = [row for row, pivot in enumerate(pivots) if any(text[row] != pivot for text in texts)]
    stretches: list[list[Stretch]] = [[] for _ in pivots]
    try:
        aligned = [_align([pivots[row] for row in rows], [text[row] for row in rows]) for text in texts]
    except TooDifferentError as error:
        raise TooDifferentError(rows[error.pair], error.lengths, error.most_cells) from None
    for row, *systems in zip(rows, *aligned, strict=True):
        stretches[row] = [
            _stretch(row, systems, start, end) for start, end in _find_parts(pivots[row], systems, context)
        ]
    return stretches


def _align(pivots: Sequence[str], texts: Sequence[str]) -> list[_Aligned]:
    """Align the text of each segment with its pivot."""
    operations = paired_operations(PairedTexts(pivots, texts), unit="char", alignment="unit")
    aligned = []
    for text, (start, end) in zip(texts, pairwise(operations.offsets.tolist()), strict=True):
        codes = operations.codes[start:end]
        is_pivot, is_text = codes != INSERTION, codes != DELETION
        inserted = np.zeros(int(is_pivot.sum()) + 1, np.bool_)
        inserted[np.cumsum(is_pivot)[~is_pivot]] = True
        positions = (np.cumsum(is_text) - is_text)[is_pivot].tolist()
        aligned.append(_Aligned(text, codes[is_pivot] == HIT, inserted, positions))
    return aligned


def _stretch(row: int, systems: Sequence[_Aligned], start: int, end: int) -> Stretch:
    starts, ends = zip(*(system.cut(start, end) for system in systems), strict=True)
    return Stretch(row, starts, ends)


def _find_parts(pivot: str, systems: Sequence[_Aligned], context: int) -> list[tuple[int, int]]:
    """Disputed parts of the pivot of one segment."""
    differs = ~np.logical_and.reduce([system.agreed for system in systems])
    inserted = np.logical_or.reduce([system.inserted for system in systems])
    characters = [(position, position + 1) for position in np.flatnonzero(differs).tolist()]
    gaps = [(position, position) for position in np.flatnonzero(inserted).tolist()]
    parts = _join(
        (max(0, start - context), min(len(pivot), end + context)) for start, end in sorted([*characters, *gaps])
    )
    # A part that was widened may touch the next, and both together have other ends.
    while (wider := _join(_widen(pivot, systems, differs, part) for part in parts)) != parts:
        parts = wider
    return parts


def _join(parts: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Parts in their order; those that touch are joined."""
    joined: list[tuple[int, int]] = []
    for start, end in parts:
        if joined and start <= joined[-1][1]:
            joined[-1] = (min(start, joined[-1][0]), max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _widen(pivot: str, systems: Sequence[_Aligned], differs: BoolArray, part: tuple[int, int]) -> tuple[int, int]:
    """A part with the context that its ends need, up to the next disputed character."""
    start, end = part

    def is_right(ends_well: Callable[[str, int, int], bool]) -> bool:
        return all(ends_well(system.text, *system.cut(start, end)) for system in systems)

    while start > 0 and not differs[start - 1] and not is_right(_begins_well):
        start -= 1
    while end < len(pivot) and not differs[end] and (_is_mark(pivot[end]) or not is_right(_ends_well)):
        end += 1
    return start, end


def _begins_well(text: str, first: int, last: int) -> bool:
    return first < last and not text[first].isspace() and not _is_mark(text[first])


def _ends_well(text: str, first: int, last: int) -> bool:
    return first < last and not text[last - 1].isspace()


def _is_mark(character: str) -> bool:
    """Whether a character belongs to the one before it."""
    return unicodedata.category(character).startswith("M") or character == "\u200d"
