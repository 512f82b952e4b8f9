"""Column grids for display, in which no grapheme is split over cells."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from misread.alignment import ColumnGrid, split_graphemes

SAME: Final = "C"
NOTHING: Final = " "

_FIRST_THAT_JOINS: Final = "\u0300"
_WITH_TEXT: Final = re.compile("[^CD ]")


class DisplayRow(NamedTuple):
    """Cells of one system."""

    # One per column: C same as the reference; S, D, I, T as in an alignment; a space in a slot where only other systems
    # inserted something.
    letters: str
    # Texts of the cells that are S, I or T, from left to right.
    texts: tuple[str, ...]


class DisplayGrid(NamedTuple):
    """A reference, "" in slots for insertions, and one row per system, None for a system without output."""

    reference: tuple[str, ...]
    rows: tuple[DisplayRow | None, ...]


def make_display_grid(grid: ColumnGrid) -> DisplayGrid:
    """Join columns that would split a grapheme of the reference or of a hypothesis.

    Errors are counted on the aligned units; a cell joined from several columns is a substitution if any of them is
    wrong and both sides have text.
    """
    reference = [unit or "" for unit in grid.reference]
    rows = [None if row is None else (list(row.units), row.letters) for row in grid.rows.values()]
    ends = _column_ends([reference, *(row[0] for row in rows if row)])
    if len(ends) == len(reference):
        return DisplayGrid(tuple(reference), tuple(None if row is None else _row(*row) for row in rows))
    spans = [slice(start, end) for start, end in pairwise([0, *ends])]
    joined = ["".join(reference[span]) for span in spans]
    return DisplayGrid(tuple(joined), tuple(None if row is None else _row(*_join(joined, *row, spans)) for row in rows))


def _row(units: Sequence[str], letters: str) -> DisplayRow:
    return DisplayRow(letters, tuple(units[match.start()] for match in _WITH_TEXT.finditer(letters)))


def _column_ends(rows: Sequence[Sequence[str]]) -> list[int]:
    """Ends of columns that are inside a grapheme of no row."""
    width = len(rows[0])
    inside: set[int] = set()
    for row in rows:
        text = "".join(row)
        if (not text.isascii() and max(text) >= _FIRST_THAT_JOINS) or "\r" in text:
            inside.update(_torn(row, text))
    return [end for end in range(1, width + 1) if end not in inside] if inside else [*range(1, width + 1)]


def _torn(row: Sequence[str], text: str) -> Iterator[int]:
    """Ends of columns that are inside a grapheme of this row."""
    breaks = {0, *accumulate(map(len, split_graphemes(text)))}
    yield from (end for end, offset in enumerate(accumulate(map(len, row)), start=1) if offset not in breaks)


def _join(
    reference: Sequence[str], units: Sequence[str], letters: str, spans: Sequence[slice]
) -> tuple[list[str], str]:
    texts = ["".join(units[span]) for span in spans]
    kinds = [_kind(letters[span], expected, text) for span, expected, text in zip(spans, reference, texts, strict=True)]
    return texts, "".join(kinds)


def _kind(letters: str, expected: str, text: str) -> str:
    """Kind of a joined cell."""
    if len(letters) == 1:
        return letters
    if not expected:
        return "I" if text else NOTHING
    if not text:
        return "D"
    return SAME if set(letters) <= {SAME, NOTHING} else "S"
