"""A table as people read it: titles, cells, notes and signature in plain text; renderers only escape and set it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from misread.text.labels import show_label

DAGGER = "†"


def join_detail(text: str, detail: str) -> str:
    """Put the small part behind the text, with a space unless it goes on with a slash.

    Examples
    --------
    >>> join_detail("3.01", "[1.87, 4.41]"), join_detail("88", "/2923")
    ('3.01 [1.87, 4.41]', '88/2923')
    """
    return f"{text}{detail}" if detail.startswith("/") else " ".join(filter(None, [text, detail]))


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one place.

    Attributes
    ----------
    text : str
        The number or the name; empty where there is none.
    detail : str
        What stands small behind it, such as an interval.
    is_bold, has_dagger : bool
        Marks of the text.
    """

    text: str = ""
    detail: str = ""
    is_bold: bool = False
    has_dagger: bool = False

    @property
    def plain(self) -> str:
        """Everything in one line, the marks as characters."""
        return join_detail(self.text + (DAGGER if self.has_dagger else ""), self.detail)


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes
    ----------
    title : str
        What it holds, with its unit.
    detail : str
        What the small part of the cells is.
    is_text : bool
        Whether it holds words, which begin at the left; numbers end at the right.
    is_decimal : bool
        Whether each text is one plain number, which can be aligned at its point.
    is_literal : bool
        Whether it holds signs of a text, each of which must look as it is: nothing is joined or made typographic.
    is_detail_optional : bool
        Whether the small part says what the caption says too, so that it may go where room is short.
    """

    title: str
    detail: str = ""
    is_text: bool = False
    is_decimal: bool = False
    is_literal: bool = False
    is_detail_optional: bool = False

    @property
    def plain(self) -> str:
        """Everything in one line."""
        return join_detail(self.title, self.detail)


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One table of a paper.

    Names in it come from data: what could not be seen of them is written as an escape, whatever renders the table.
    Signs of texts, in literal columns, were made visible before; records keep every text as it is.

    Attributes
    ----------
    stem : str
        Name of its files, and of its label in LaTeX.
    caption : str
        Full sentences.
    columns : sequence of Column
    rows : sequence of sequence of Cell
        As many cells a row as there are columns.
    notes : sequence of str
        Sentences below the table: method, marks, warnings, what is left out.
    signature : str
        All that the numbers depend on, in one line.
    record_names : sequence of str
        Names of the columns of `records`.
    records : sequence of sequence of (str, int, float or None)
        The same as numbers, unrounded, for CSV; rates are fractions.
    verdicts : sequence of str
        A sentence on each system against the best one, for the screen; empty where nothing is compared.
    """

    stem: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str]
    signature: str
    record_names: Sequence[str]
    records: Sequence[Sequence[str | float | None]]
    verdicts: Sequence[str] = ()

    def __post_init__(self) -> None:
        shown = {
            "caption": show_label(self.caption),
            "columns": [replace(column, title=show_label(column.title)) for column in self.columns],
            "rows": [list(map(_shown, row, self.columns)) for row in self.rows],
            "notes": list(map(show_label, self.notes)),
            "signature": show_label(self.signature),
            "verdicts": list(map(show_label, self.verdicts)),
        }
        for name, value in shown.items():
            object.__setattr__(self, name, value)


def _shown(cell: Cell, column: Column) -> Cell:
    return cell if column.is_literal else replace(cell, text=show_label(cell.text))
