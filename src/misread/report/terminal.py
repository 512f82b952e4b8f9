"""Rate tables on a screen."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from misread.report.cells import DAGGER, caption, columns, header, make_cells, notes, verdict_lines
from misread.report.rate_table import RateTable


def make_console() -> Console:
    """Give standard output as a console: colour in a terminal only, and none where NO_COLOR is set."""
    return Console(file=sys.stdout, highlight=False)


def print_lines(lines: Iterable[Text], console: Console) -> None:
    """Print lines as they are: the console neither wraps nor cuts them."""
    for line in lines:
        console.print(line, soft_wrap=True)


def print_rows(header: Sequence[str], rows: Iterable[Sequence[str]], console: Console, *, title: str = "") -> None:
    """Print rows below their header; where the screen is too narrow, cells fold and nothing is cut."""
    grid = Table(
        title=Text(title) if title else None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    for name in header:
        grid.add_column(Text(name), overflow="fold")
    for row in rows:
        grid.add_row(*map(Text, row))
    console.print(grid)


def print_table(table: RateTable, console: Console) -> None:
    """Print a table with its verdicts, notes and signature; colour only where the console has it.

    Parameters
    ----------
    table : RateTable
        Numbers.
    console : rich.console.Console
        Where to.
    """
    # No lines between columns: with them seven columns do not fit 80 characters.
    grid = Table(
        title=Text(caption(table)),
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    for position, title in enumerate(header(table)):
        # A number is never cut: where the screen is too narrow, cells fold at their spaces.
        grid.add_column(Text(title), justify="left" if position == 0 else "right", overflow="fold")
    for row in make_cells(table):
        name, rate, *rest = columns(row, table)
        style = "bold" if row.is_bold else ""
        shown = [Text(name, style), Text(rate + (DAGGER if row.has_dagger else ""), style)]
        grid.add_row(*shown, *(Text(text.replace("/", " / ")) for text in rest))
    console.print(grid)
    for line in verdict_lines(table):
        console.print(Text(line))
    for note in notes(table):
        console.print(Text(note))
    console.print(Text(table.signature, "dim"), soft_wrap=True)
