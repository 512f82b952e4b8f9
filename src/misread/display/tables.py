"""Tables on a screen."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from misread.report.tables.table import Table as ReportTable
from misread.text.labels import show_label


def make_console() -> Console:
    """Standard output as a console: colour in a terminal only, and none where NO_COLOR is set."""
    return Console(file=sys.stdout, highlight=False)


def print_lines(lines: Iterable[Text], console: Console) -> None:
    """Print lines as they are: the console neither wraps nor cuts them."""
    for line in lines:
        console.print(line, soft_wrap=True)


def print_rows(header: Sequence[str], rows: Iterable[Sequence[str]], console: Console, *, title: str = "") -> None:
    """Print rows below their header; where the screen is too narrow, cells fold and nothing is cut."""
    grid = Table(
        title=Text(show_label(title)) if title else None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    for name in header:
        grid.add_column(Text(show_label(name)), overflow="fold")
    for row in rows:
        grid.add_row(*(Text(show_label(cell)) for cell in row))
    console.print(grid)


def print_table(table: ReportTable, console: Console) -> None:
    """Print a table with its verdicts, notes and signature; colour only where the console has it."""
    # No lines between columns: with them seven columns do not fit 80 characters.
    grid = Table(
        title=Text(table.caption),
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    for column in table.columns:
        # A number is never cut: where the screen is too narrow, cells fold at their spaces.
        grid.add_column(Text(column.plain), justify="left" if column.is_text else "right", overflow="fold")
    for row in table.rows:
        cells = zip(row, table.columns, strict=True)
        grid.add_row(
            *(
                Text(cell.plain if column.is_text else cell.plain.replace("/", " / "), "bold" if cell.is_bold else "")
                for cell, column in cells
            )
        )
    console.print(grid)
    for verdict in table.verdicts:
        console.print(Text(verdict))
    for note in table.notes:
        console.print(Text(note))
    console.print(Text(table.signature, "dim"), soft_wrap=True)
