"""A table as people read it: titles, cells, notes and signature as plain text, which renderers only escape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from misread.text.labels import show_label

DAGGER = "†"


def join_detail(text: str, detail: str) -> str:
    """The small part after the text, with a space unless it begins with a slash: "88/2923"."""
    return f"{text}{detail}" if detail.startswith("/") else " ".join(filter(None, [text, detail]))


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes
    ----------
    text : str
        The number or the name; empty if there is none.
    detail : str
        Small text after it, such as an interval.
    is_bold, has_dagger : bool
        Marks of the text.
    """

    text: str = ""
    detail: str = ""
    is_bold: bool = False
    has_dagger: bool = False

    @property
    def plain(self) -> str:
        """Everything in one line, marks as characters."""
        return join_detail(self.text + (DAGGER if self.has_dagger else ""), self.detail)


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes
    ----------
    title : str
        Content of the cells, with its unit.
    detail : str
        Content of the small part of the cells.
    is_text : bool
        Whether cells are words, aligned left; numbers are aligned right.
    is_decimal : bool
        Whether each text is one plain number, which can be aligned at its decimal point.
    is_literal : bool
        Whether cells are signs of a text that must look exactly as they are: nothing is joined or made typographic.
    is_detail_optional : bool
        Whether the small part repeats the caption, so that it may be dropped if space is short.
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
class Table:
    """One table of a paper.

    Names come from data: their invisible characters are written as escapes, whichever renderer is used. Literal columns
    were made visible before; records keep every text as it is.

    Attributes
    ----------
    stem : str
        Name of its files, and of its label in LaTeX.
    caption : str
        Full sentences.
    columns : sequence of Column
    rows : sequence of sequence of Cell
        As many cells per row as there are columns.
    notes : sequence of str
        Sentences below the table: method, marks, warnings, systems left out.
    signature : str
        All that the numbers depend on, in one line.
    record_names : sequence of str
        Names of the columns of `records`.
    records : sequence of sequence of (str, int, float or None)
        The same as numbers, unrounded, for CSV; rates are fractions.
    verdicts : sequence of str
        One sentence per system compared with the best one, for the terminal; empty if nothing is compared.
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
