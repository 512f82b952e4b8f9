"""Tables as Markdown."""

from __future__ import annotations

from dataclasses import replace

from misread.report.render.markdown_text import code_span, escape_markdown, markdown_row
from misread.report.tables.table import Cell, Column, Table


def render_markdown(table: Table) -> str:
    """Render a table with its caption, notes and signature.

    Parameters
    ----------
    table : Table
        Table to render.

    Returns
    -------
    str
        Ends with a newline.
    """
    marks = ("---" if column.is_text else "---:" for column in table.columns)
    lines = [
        escape_markdown(table.caption),
        "",
        markdown_row(map(_title, table.columns)),
        markdown_row(marks),
        *(markdown_row(map(_cell, row, table.columns)) for row in table.rows),
        "",
        " ".join(escape_markdown(note) for note in table.notes),
        "",
        code_span(table.signature),
    ]
    return "\n".join(lines) + "\n"


def _title(column: Column) -> str:
    # A title may contain the name of a group; the detail never comes from data and needs no escape.
    return replace(column, title=escape_markdown(column.title)).plain


def _cell(cell: Cell, column: Column) -> str:
    text = escape_markdown(cell.text) if column.is_text else cell.text
    return replace(cell, text=f"**{text}**" if cell.is_bold else text).plain
