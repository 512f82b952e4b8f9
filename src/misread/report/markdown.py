"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from misread.report.paper_table import Cell, Column, PaperTable

_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_|<>[]"})


def render_markdown(table: PaperTable) -> str:
    """Render a table with its caption, notes and signature.

    Parameters
    ----------
    table : PaperTable
        What it says.

    Returns
    -------
    str
        Ends with a newline.
    """
    marks = ("---" if column.is_text else "---:" for column in table.columns)
    lines = [
        table.caption.translate(_SPECIAL),
        "",
        _line(map(_title, table.columns)),
        _line(marks),
        *(_line(map(_cell, row, table.columns)) for row in table.rows),
        "",
        " ".join(note.translate(_SPECIAL) for note in table.notes),
        "",
        f"`{table.signature}`",
    ]
    return "\n".join(lines) + "\n"


def _title(column: Column) -> str:
    # The name of a group may stand in a title; the small part is ours and needs no escape.
    return replace(column, title=column.title.translate(_SPECIAL)).plain


def _cell(cell: Cell, column: Column) -> str:
    text = cell.text.translate(_SPECIAL) if column.is_text else cell.text
    return replace(cell, text=f"**{text}**" if cell.is_bold else text).plain


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
