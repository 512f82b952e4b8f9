"""Tables as Markdown, and names and code in Markdown."""

import re
from collections.abc import Iterable
from dataclasses import replace

from misread.tables.table import Cell, Column, Table
from misread.text.display import show_label

_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_|<>[]&~$"})


def render_markdown(table: Table) -> str:
    """A table with its caption, notes and signature; ends with a newline."""
    verdict = [f"**{escape_markdown(table.verdict)}**"] if table.verdict else []
    notes = " ".join([*verdict, *map(escape_markdown, [*table.marks, *table.notes])])
    parts = [escape_markdown(table.caption), "", *markdown_rows(table), "", notes, "", code_span(table.signature)]
    return "\n".join(parts) + "\n"


def markdown_rows(table: Table) -> list[str]:
    """Lines of the header and the rows."""
    marks = ("---" if column.is_text else "---:" for column in table.headings)
    return [
        _row(map(_title, table.headings)),
        _row(marks),
        *(_row(map(_cell, row, table.headings)) for row in table.cells),
    ]


def escape_markdown(text: str) -> str:
    """Escape characters that Markdown would read as markup."""
    return text.translate(_SPECIAL)


def code_span(text: str) -> str:
    """A label as code, between more backticks than it has in a row."""
    shown = show_label(text)
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}" if longest else f"{fence}{shown}{fence}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _title(column: Column) -> str:
    # A title may contain the name of a group; the detail never comes from data and needs no escape.
    return replace(column, title=escape_markdown(column.heading)).plain


def _cell(cell: Cell, column: Column) -> str:
    text = escape_markdown(cell.signed) if column.is_text else cell.signed
    return replace(cell, text=f"**{text}**" if cell.is_bold else text, mark=None).plain
