"""Tables in a terminal: no number is cut, and colour comes on top of signs."""

from __future__ import annotations

import io
from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from misread.report.tables.table import Cell, Column, Table
from misread.text.visible import cell_width

STYLES = {"regressed": "red bold", "improved": "green bold"}
# Of the width of the console: a longer name is folded.
_LONGEST_NAME = 1 / 3


def render_text(tables: Iterable[Table]) -> str:
    """Tables as `print_table` prints them in a terminal as wide as this one, without colour."""
    text = io.StringIO()
    console = Console(file=text, highlight=False, color_system=None, force_terminal=False, force_jupyter=False)
    for table in tables:
        print_table(table, console)
    return text.getvalue()


def print_table(table: Table, console: Console) -> None:
    """Print a table with its caption, verdicts, notes and signature; colour only where the console has it."""
    print_rows(table, console)
    for sentence in [*table.verdicts, *table.notes]:
        console.print(Text(sentence))
    console.print(Text(table.signature, "dim"), soft_wrap=True)


def print_rows(table: Table, console: Console) -> None:
    """Print the caption, the header and the rows; where the console is too narrow, cells fold at their spaces."""
    # No lines between columns: with them seven columns do not fit 80 characters.
    grid = Grid(
        title=Text(table.caption) if table.caption else None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    widths = _widths(table, console.width)
    for column, width in zip(table.columns, widths, strict=True):
        grid.add_column(Text(column.plain), justify="left" if column.is_text else "right", overflow="fold", width=width)
    for row in table.rows:
        grid.add_row(
            *(Text(_text(cell, column), _style(cell)) for cell, column in zip(row, table.columns, strict=True))
        )
    # A terminal that is narrower still wraps the lines by itself.
    grid.width = sum(widths) + _spaces(table)
    console.print(grid, crop=False)


def _spaces(table: Table) -> int:
    """Two between columns, and one at the end."""
    return 2 * len(table.columns) - 1


def _text(cell: Cell, column: Column) -> str:
    return cell.plain if column.is_text else cell.plain.replace("/", " / ")


def _style(cell: Cell) -> str:
    style = "bold" if cell.is_bold else ""
    return STYLES.get(cell.mark.kind, style) if cell.mark else style


def _widths(table: Table, available: int) -> list[int]:
    """Widths of the columns: the widest shrink until all fit, but to no less than their longest word.

    A word and its mark stay together, and a long name may be folded anywhere.
    """
    widths, least = [], []
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in table.rows]
        texts = [column.plain, *(_text(cell, column) for cell in cells)]
        words = [word for text in texts for word in text.split(" ")]
        words += [_text(cell, column) for cell in cells if cell.mark]
        longest = max(map(cell_width, words))
        widths.append(max(map(cell_width, texts)))
        least.append(min(longest, int(available * _LONGEST_NAME)) if column.is_text else longest)
    for _ in range(sum(widths) + _spaces(table) - available):
        spare = [(width, place) for place, width in enumerate(widths) if width > least[place]]
        if spare:
            widths[max(spare)[1]] -= 1
    return widths
