"""Tables in a terminal: no number is cut, and colour comes on top of signs."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from misread.tables.table import Cell, Table
from misread.text.display import cell_width

STYLES = {"regressed": "red bold", "improved": "green bold"}
# Of the width of the console: a longer name is folded.
_LONGEST_NAME = 1 / 3
_MOST_NAMED = 6


def render_text(tables: Iterable[Table]) -> str:
    """Tables as `print_table` prints them in a terminal as wide as this one, without colour."""
    text = io.StringIO()
    console = Console(file=text, highlight=False, color_system=None, force_terminal=False, force_jupyter=False)
    print_tables(tables, console)
    return text.getvalue()


def print_tables(tables: Iterable[Table], console: Console) -> None:
    """Print tables with a blank line between them."""
    for number, table in enumerate(tables):
        if number:
            console.print()
        print_table(table, console)


def print_table(table: Table, console: Console) -> None:
    """Print a table with its caption, verdict, notes and signature; colour only where the console has it."""
    print_rows(table, console)
    for sentence in table.notes:
        console.print(Text(sentence))
    if table.signature:
        console.print(Text(table.signature, "dim"), soft_wrap=True)


def print_rows(table: Table, console: Console) -> None:
    """Print the caption, the header, the rows, the verdict and what the marks mean.

    Where the console is too narrow, columns are left out and named; the first column always stays.
    """
    # No lines between columns: with them seven columns do not fit 80 characters.
    if table.caption:
        console.print(Text(table.caption, "bold"))
    grid = Grid(
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    shown, left_out = _fit(table, console.width)
    widths = _widths(shown, console.width)
    for column, width in zip(shown.headings, widths, strict=True):
        grid.add_column(Text(column.plain), justify="left" if column.is_text else "right", overflow="fold", width=width)
    for row in shown.cells:
        grid.add_row(*(Text(cell.plain, _style(cell)) for cell in row))
    # A terminal that is narrower still wraps the lines by itself.
    grid.width = sum(widths) + _spaces(len(shown.headings))
    console.print(grid, crop=False)
    if left_out:
        names = ", ".join(left_out[:_MOST_NAMED])
        more = f" and {len(left_out) - _MOST_NAMED:,} more" if len(left_out) > _MOST_NAMED else ""
        console.print(
            Text(
                f"Left out at a width of {console.width}: {names}{more}. All columns need "
                f"{_full_width(table)} (--width)."
            )
        )
    if table.verdict:
        console.print(Text(table.verdict, "bold"))
    for sentence in table.marks:
        console.print(Text(sentence))


def _fit(table: Table, available: int) -> tuple[Table, list[str]]:
    """The table with the columns that fit, those that matter most first, and the titles of the others.

    Optional details go before any column does. The first column stays, and so does the one that matters most.
    """
    if _least_width(table, available) > available:
        table = _without_optional_details(table)
    least = [_least(widths, available) for widths in _least_widths(table)]
    shown = [0]
    # Of columns that matter as much, the first one stays.
    for index in sorted(range(1, len(table.headings)), key=lambda column: (-table.headings[column].keep, column)):
        width = sum(least[column] for column in [*shown, index]) + _spaces(len(shown) + 1)
        if len(shown) == 1 or width <= available:
            shown.append(index)
    titles = {table.headings[index].heading for index in shown} - {""}
    left_out = [
        column.plain
        for index, column in enumerate(table.headings)
        if index not in shown and column.implied_by not in titles
    ]
    return _only(table, sorted(shown)), left_out


def _only(table: Table, positions: Sequence[int]) -> Table:
    """The table with these columns."""
    if len(positions) == len(table.headings):
        return table
    return replace(table, columns=[table.headings[position] for position in positions])


def _without_optional_details(table: Table) -> Table:
    """The table without what its caption says anyway."""
    columns = [column.without_detail() if column.is_detail_optional else column for column in table.headings]
    return replace(table, columns=columns)


def _spaces(columns: int) -> int:
    """Two between columns, and one at the end."""
    return 2 * columns - 1


def _style(cell: Cell) -> str:
    style = "bold" if cell.is_bold else ""
    return STYLES.get(cell.mark.kind, style) if cell.mark else style


def _least_widths(table: Table) -> list[tuple[int, int]]:
    """Least width of every column: what it needs anyway, and what it needs up to a share of the console.

    Numbers and words stay whole, long names are folded anywhere and sentences and titles at their spaces.
    """
    widths = []
    for column, cells in zip(table.headings, zip(*table.cells, strict=True), strict=False):
        title = max(map(cell_width, column.plain.split(" ")))
        whole = max(cell_width(cell.plain) for cell in cells)
        words = [word for cell in cells for word in ([cell.plain] if cell.mark else cell.plain.split(" "))]
        longest = max(map(cell_width, words))
        if not column.is_text:
            widths.append((max(title, whole), 0))
        elif any(cell.mark for cell in cells):
            widths.append((max(title, longest), 0))
        else:
            widths.append((title, longest if column.kind == "text" else whole))
    return widths or [(cell_width(column.plain), 0) for column in table.headings]


def _least_width(table: Table, available: int) -> int:
    """Width of the table if every column has its least."""
    return sum(_least(widths, available) for widths in _least_widths(table)) + _spaces(len(table.headings))


def _least(width: tuple[int, int], available: int) -> int:
    anyway, shared = width
    return max(anyway, min(shared, int(available * _LONGEST_NAME)))


def _full_width(table: Table) -> int:
    """Least width of a console that has all columns."""
    least, spaces = _least_widths(table), _spaces(len(table.headings))
    return next(width for width in count(1) if sum(_least(widths, width) for widths in least) + spaces <= width)


def _widths(table: Table, available: int) -> list[int]:
    """Widths of the columns: the widest shrink until all fit, but to no less than their least width."""
    widths = [
        max(cell_width(text) for text in [column.plain, *(row[index].plain for row in table.cells)])
        for index, column in enumerate(table.headings)
    ]
    least = [_least(least_widths, available) for least_widths in _least_widths(table)]
    for _ in range(sum(widths) + _spaces(len(table.headings)) - available):
        spare = [(width, index) for index, width in enumerate(widths) if width > least[index]]
        if spare:
            widths[max(spare)[1]] -= 1
    return widths
