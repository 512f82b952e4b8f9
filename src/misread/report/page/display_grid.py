"""A column grid as it is shown: what a reader takes for one character stays in one cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from misread.alignment import ColumnGrid, split_graphemes

SAME: Final = "C"
NOTHING: Final = " "

_FIRST_THAT_JOINS: Final = "\u0300"


class DisplayRow(NamedTuple):
    """What one system has in the columns.

    Attributes
    ----------
    letters : str
        One a column: C same as the reference, S, D, I, T as in an alignment, and a space where the system has nothing
        because another one inserted something there.
    texts : tuple of str
        What stands in the cells that are S, I or T, from left to right.
    """

    letters: str
    texts: tuple[str, ...]


class DisplayGrid(NamedTuple):
    """A reference, "" in slots for insertions, and a row a system; None for one without output."""

    reference: tuple[str, ...]
    rows: tuple[DisplayRow | None, ...]


def make_display_grid(grid: ColumnGrid) -> DisplayGrid:
    r"""Join columns that would tear a grapheme of the reference or of a hypothesis apart.

    Errors are counted on what was aligned; a cell that was joined from several columns is a substitution wherever any
    of them is wrong and both sides have something.

    Parameters
    ----------
    grid : ColumnGrid
        Of characters, graphemes or words.

    Returns
    -------
    DisplayGrid

    Examples
    --------
    >>> from misread.alignment import column_grid
    >>> make_display_grid(column_grid("e\u0301t", {"a": "et"})).rows
    (DisplayRow(letters='SC', texts=('e',)),)
    """
    reference = [unit or "" for unit in grid.reference]
    rows = [None if row is None else (list(row.units), row.letters) for row in grid.rows.values()]
    ends = _column_ends([reference, *(row[0] for row in rows if row)])
    if len(ends) == len(reference):
        return DisplayGrid(tuple(reference), tuple(None if row is None else _row(*row) for row in rows))
    spans = [slice(begin, end) for begin, end in pairwise([0, *ends])]
    joined = ["".join(reference[span]) for span in spans]
    return DisplayGrid(tuple(joined), tuple(None if row is None else _row(*_join(joined, *row, spans)) for row in rows))


def _row(units: Sequence[str], letters: str) -> DisplayRow:
    return DisplayRow(letters, tuple(unit for unit, letter in zip(units, letters, strict=True) if letter not in "CD "))


def _column_ends(rows: Sequence[Sequence[str]]) -> list[int]:
    """Ends of columns at which no row's grapheme goes on."""
    width = len(rows[0])
    inside: set[int] = set()
    for row in rows:
        text = "".join(row)
        if text and (max(text) >= _FIRST_THAT_JOINS or "\r" in text):
            inside.update(_torn(row, text))
    return [end for end in range(1, width + 1) if end not in inside]


def _torn(row: Sequence[str], text: str) -> Iterator[int]:
    """Ends of columns that lie inside a grapheme of one row."""
    breaks = {0}
    place = 0
    for grapheme in split_graphemes(text):
        place += len(grapheme)
        breaks.add(place)
    place = 0
    for end, unit in enumerate(row, start=1):
        place += len(unit)
        if place not in breaks:
            yield end


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
