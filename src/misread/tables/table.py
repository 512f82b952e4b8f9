"""The one table object: files, the terminal and the page render it, and only escape what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import quote

from misread.tables.drawings import Axis, Share, Whisker
from misread.tables.number_text import NO_INTERVAL, NO_INTERVAL_MARK
from misread.text.display import show_label

DAGGER = "†"

ColumnKind = Literal["name", "sign", "text", "number", "decimal"]


def join_detail(text: str, detail: str) -> str:
    """The small part after the text, with a space unless it begins with a slash: "88/2923"."""
    return f"{text}{detail}" if detail.startswith("/") else " ".join(filter(None, [text, detail]))


def explorer_link(dataset: str, *filter_parts: str) -> str:
    """Address on the page of the segments that a filter of the explorer leaves."""
    return f"#dataset={dataset}&filter={quote(':'.join(filter_parts), safe='/')}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign before a text that says what it means without colour; the kind decides the colour."""

    kind: str
    sign: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell."""

    # The number or the name; empty if there is none.
    text: str = ""
    # Small text after it, such as an interval.
    detail: str = ""
    is_bold: bool = False
    has_dagger: bool = False
    mark: Mark | None = None

    # The rest is for the page alone. What the column is sorted by.
    value: float | str | None = None
    # Smaller text below.
    remark: str = ""
    # Address on the page, and what a screen reader says of it in place of the text.
    link: str = ""
    spoken: str = ""
    # Best of its row, though no test says so.
    is_leading: bool = False
    whisker: Whisker | None = None
    shares: Sequence[Share] = ()

    @property
    def signed(self) -> str:
        """The text after the sign of its mark."""
        return f"{self.mark.sign} {self.text}" if self.mark else self.text

    @property
    def plain(self) -> str:
        """Everything in one line, marks as characters."""
        return join_detail(self.signed + (DAGGER if self.has_dagger else ""), self.detail)


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Names and texts are aligned left, numbers right; a decimal is one plain number that can be aligned at its point. A
    sign is a text that must look exactly as it is: nothing is joined or made typographic.
    """

    # Content of the cells, with its unit.
    title: str
    # Content of the small part of the cells.
    detail: str = ""
    kind: ColumnKind = "number"
    # Whether the small part repeats the caption, so that it may be dropped if space is short.
    is_detail_optional: bool = False
    # How long it stays where not all columns fit a terminal: the lowest goes first.
    keep: int = 2

    # For the page: name by which addresses sort, what stands in an empty cell, axis of drawings.
    key: str = ""
    blank: str = ""
    axis: Axis | None = None

    @property
    def is_text(self) -> bool:
        """Whether cells are words, aligned left."""
        return self.kind in ("name", "sign", "text")

    @property
    def plain(self) -> str:
        """Everything in one line."""
        return join_detail(self.title, self.detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table: of a paper, of the page, or in a terminal.

    Names come from data: their invisible characters are written as escapes, whichever renderer is used. Signs were made
    visible before; records keep every text as it is.
    """

    # Name of its files, and of its label in LaTeX.
    stem: str = ""
    # Full sentences.
    caption: str = ""
    columns: Sequence[Column]
    # As many cells per row as there are columns.
    rows: Sequence[Sequence[Cell]]
    # What signs in the cells mean, right below the rows.
    marks: Sequence[str] = ()
    # Sentences below the table: method, warnings, systems left out.
    notes: Sequence[str] = ()
    # All that the numbers depend on, in one line.
    signature: str = ""
    # The same as numbers, unrounded, for CSV; rates are fractions.
    record_names: Sequence[str] = ()
    records: Sequence[Sequence[str | float | None]] = ()
    # Ids of the segments in the rows, which the page shows in any case.
    segments: Sequence[str] = ()
    # One sentence per system compared with the best one, for the terminal; empty if nothing is compared.
    verdicts: Sequence[str] = ()

    @property
    def named_records(self) -> list[dict[str, str | float | None]]:
        """Records by the names of their columns."""
        return [dict(zip(self.record_names, record, strict=True)) for record in self.records]

    @property
    def _all_marks(self) -> list[str]:
        lacks_interval = any(cell.detail == NO_INTERVAL for row in self.rows for cell in row)
        return [*self.marks, *([NO_INTERVAL_MARK] if lacks_interval and NO_INTERVAL_MARK not in self.marks else [])]

    @property
    def sentences(self) -> list[str]:
        """All sentences below the table."""
        return [*self.marks, *self.notes]

    def __post_init__(self) -> None:
        shown = {
            "caption": show_label(self.caption),
            "columns": [replace(column, title=show_label(column.title)) for column in self.columns],
            "rows": [list(map(_shown, row, self.columns)) for row in self.rows],
            "marks": list(map(show_label, self._all_marks)),
            "notes": list(map(show_label, self.notes)),
            "signature": show_label(self.signature),
            "verdicts": list(map(show_label, self.verdicts)),
        }
        for name, value in shown.items():
            object.__setattr__(self, name, value)


def _shown(cell: Cell, column: Column) -> Cell:
    return cell if column.kind == "sign" else replace(cell, text=show_label(cell.text))
