"""The one table object: files, the terminal and the page render it, and only escape what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from misread.stats import ConfidenceInterval
from misread.tables.drawings import Axis, Share, Whisker
from misread.tables.number_text import NO_INTERVAL, NO_INTERVAL_MARK, RateFormat, interval_ends
from misread.text.display import show_label

DAGGER = "†"
DOUBLE_DAGGER = "‡"

ColumnKind = Literal["name", "sign", "text", "number", "decimal"]
Value = str | float | None
"""Columns of a file for one column of a table."""


def join_detail(text: str, detail: str) -> str:
    """The small part after the text, with a space unless it begins with a slash: "88/2923"."""
    return f"{text}{detail}" if detail.startswith("/") else " ".join(filter(None, [text, detail]))


def explorer_link(dataset: str, *filter_parts: str) -> str:
    """Address on the page of the segments that a filter of the explorer leaves."""
    return f"#dataset={dataset}&filter={quote(':'.join(filter_parts), safe='/')}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign before a text that carries its meaning without colour; the kind decides the colour."""

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
    # Sign after the text that a sentence below the table explains.
    footnote: str = ""
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
        return join_detail(self.signed + self.footnote, self.detail)


def show_value(value: Any, digits: int | None = None) -> str:
    """Text of a value: names as they are, whole numbers in groups of three, several joined by slashes, None empty."""
    if isinstance(value, tuple):
        return "/".join(show_value(part, digits) for part in value)
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:,}" if digits is None else f"{value:.{digits}f}"


def _whole_row(row: Any) -> Any:
    return row


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its title, its value for a row, how the value is shown, and its name in files.

    Names and texts are aligned left, numbers right; a decimal is one plain number that can be aligned at its point. A
    sign is a text that must look exactly as it is: nothing is joined or made typographic.

    >>> kappa = Column("kappa", lambda pair: pair["kappa"], digits=2, name="kappa")
    >>> kappa.cell({"kappa": 0.625}).text, kappa.values({"kappa": 0.625})
    ('0.62', (0.625,))
    """

    # What the cells hold, with its unit; None for a column of files alone.
    title: str | None
    # Of a row, by default the row itself: for files unrounded, and of the names of several, if there are several.
    value: Callable[[Any], Any] = _whole_row
    # Of a value that is not None: its text or its cell. By default as `show_value` writes it, with `digits` digits.
    show: Callable[[Any], str | Cell] | None = None
    digits: int | None = None
    # Names in files and records; a column without a name is for people alone.
    name: str | tuple[str, ...] = ()
    # Content of the small part of the cells.
    detail: str = ""
    kind: ColumnKind = "number"
    # Whether the small part repeats the caption, so that it may be dropped if space is short.
    is_detail_optional: bool = False
    # How long it stays where not all columns fit a terminal: the lowest goes first.
    keep: int = 2
    # Title of the column that says the same: next to it, nobody is told that this one is left out.
    implied_by: str = ""

    # For the page: name by which addresses sort, text of an empty cell, axis of drawings.
    key: str = ""
    blank: str = ""
    axis: Axis | None = None

    @property
    def is_text(self) -> bool:
        """Whether cells are words, aligned left."""
        return self.kind in ("name", "sign", "text")

    @property
    def heading(self) -> str:
        """The title; empty for a column of files alone."""
        return self.title or ""

    @property
    def plain(self) -> str:
        """Everything in one line."""
        return join_detail(self.heading, self.detail)

    @property
    def names(self) -> tuple[str, ...]:
        """Names in files and records."""
        return (self.name,) if isinstance(self.name, str) else self.name

    def cell(self, row: Any) -> Cell:
        """The cell of a row."""
        value = self.value(row)
        if value is None or self.show is None:
            return Cell(show_value(value, self.digits))
        shown = self.show(value)
        return shown if isinstance(shown, Cell) else Cell(shown)

    def values(self, row: Any) -> tuple[Value, ...]:
        """Values of a row in files, by `names`."""
        value = self.value(row)
        return value if isinstance(value, tuple) else (value,)

    def after(self, take: Callable[[Any], Any]) -> Column:
        """Apply the column to rows from which its own rows are taken first."""
        return replace(self, value=lambda row: self.value(take(row)))

    def without_detail(self) -> Column:
        """The column without the small part of its title and cells, for people alone."""
        return replace(self, value=_whole_row, show=lambda row: replace(self.cell(row), detail=""), name=(), detail="")


def in_files(name: str | tuple[str, ...], value: Callable[[Any], Any] | Value | tuple[Value, ...]) -> Column:
    """A column of files alone: a function of the row, or values that all rows share."""
    return Column(None, value if callable(value) else lambda _: value, name=name)


def rate_column(
    title: str,
    rate: Callable[[Any], float | None],
    rates: RateFormat,
    *,
    interval: Callable[[Any], ConfidenceInterval | None] | None = None,
    level: str = "",
    name: str = "",
    keep: int = 2,
) -> Column:
    """A rate and its unit; with its interval in brackets, whose ends are `low` and `high` in files."""
    title_in_unit, name = f"{title}{rates.sign}", name or title
    if interval is None:
        return Column(title_in_unit, rate, rates.rate, kind="decimal", name=name, keep=keep)

    def show(value: tuple[float | None, float | None, float | None]) -> Cell:
        micro, low, high = value
        if micro is None:
            return Cell()
        ends = NO_INTERVAL if low is None or high is None else f"[{rates.rate(low)}, {rates.rate(high)}]"
        return Cell(rates.rate(micro), ends)

    return Column(
        title_in_unit,
        lambda row: (rate(row), *interval_ends(interval(row))),
        show,
        name=(name, "low", "high"),
        detail=level,
        keep=keep,
    )


class Records(NamedTuple):
    """Rows of files where people see a wide table, with a column for each system, and their columns."""

    rows: Sequence[Any]
    columns: Sequence[Column]


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table: of a paper, of the page, or in a terminal; and the same as numbers, unrounded, for files.

    Names come from data: their invisible characters are written as escapes, whichever renderer is used. Signs were made
    visible before; records keep every text as it is.
    """

    # Name of its files.
    stem: str = ""
    # Label in LaTeX, by default made of the stem.
    label: str = ""
    # Full sentences.
    caption: str = ""
    columns: Sequence[Column]
    # Objects that columns take their values from.
    rows: Sequence[Any]
    # Those that people see; None for all of them.
    shown: Sequence[Any] | None = None
    # What files have, if it is not these rows and columns.
    long: Records | None = None
    # What the rows say, in one sentence right below them; empty if nothing is compared.
    verdict: str = ""
    # What signs in the cells mean.
    marks: Sequence[str] = ()
    # Further sentences below the table: method, warnings, systems left out.
    notes: Sequence[str] = ()
    # All that the numbers depend on, in one line.
    signature: str = ""
    # Ids of the segments in the rows, which the page shows in any case.
    segments: Sequence[str] = ()
    # As many cells per row as there are headings.
    cells: Sequence[Sequence[Cell]] = field(init=False, repr=False)

    @property
    def headings(self) -> list[Column]:
        """Columns that people see."""
        return [column for column in self.columns if column.title is not None]

    @property
    def record_names(self) -> tuple[str, ...]:
        """Names of the columns of files."""
        columns = self.long.columns if self.long else self.columns
        return tuple(name for column in columns for name in column.names)

    @property
    def records(self) -> list[tuple[Value, ...]]:
        """Numbers and texts of every row, as files have them; rates are fractions."""
        rows, columns = self.long or (self.rows, self.columns)
        stored = [column for column in columns if column.names]
        return [tuple(value for column in stored for value in column.values(row)) for row in rows]

    @property
    def named_records(self) -> list[dict[str, Value]]:
        """Records by the names of their columns."""
        names = self.record_names
        return [dict(zip(names, record, strict=True)) for record in self.records]

    @property
    def sentences(self) -> list[str]:
        """All sentences below the table."""
        return [*filter(None, [self.verdict]), *self.marks, *self.notes]

    def __post_init__(self) -> None:
        columns = [
            column if column.title is None else replace(column, title=show_label(column.title))
            for column in self.columns
        ]
        headings = [column for column in columns if column.title is not None]
        rows = self.rows if self.shown is None else self.shown
        cells = [[_readable(column.cell(row), column) for column in headings] for row in rows]
        lacks_interval = any(cell.detail == NO_INTERVAL for row in cells for cell in row)
        added = [NO_INTERVAL_MARK] if lacks_interval and NO_INTERVAL_MARK not in self.marks else []
        shown = {
            "caption": show_label(self.caption),
            "columns": columns,
            "cells": cells,
            "verdict": show_label(self.verdict),
            "marks": list(map(show_label, [*self.marks, *added])),
            "notes": list(map(show_label, self.notes)),
            "signature": show_label(self.signature),
        }
        for name, value in shown.items():
            object.__setattr__(self, name, value)


def say_once(tables: Sequence[Table]) -> list[Table]:
    """Leave what all tables say below their verdicts to the last one; what some of them say stays where it is."""
    if len(tables) < 2:
        return list(tables)
    *others, last = tables
    shared = {
        sentence
        for sentence in (*last.marks, *last.notes)
        if all(sentence in (*table.marks, *table.notes) for table in others)
    }

    def without(sentences: Sequence[str]) -> list[str]:
        return [sentence for sentence in sentences if sentence not in shared]

    return [*(replace(table, marks=without(table.marks), notes=without(table.notes)) for table in others), last]


def _readable(cell: Cell, column: Column) -> Cell:
    return cell if column.kind == "sign" else replace(cell, text=show_label(cell.text))
