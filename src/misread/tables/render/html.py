"""Tables as HTML fragments, styled only by the page around them."""

from html import escape

from misread.tables.table import Cell, Column, Table


def render_html(table: Table) -> str:
    """A figure element with the table, its caption, notes and signature; every text escaped, newline at the end."""
    titles = "".join(_title(column) for column in table.headings)
    lines = [
        f'<figure class="misread-table" id="{escape(table.stem)}">',
        "<table>",
        f"<caption>{escape(table.caption)}</caption>",
        f"<thead><tr>{titles}</tr></thead>",
        "<tbody>",
        *(f"<tr>{''.join(map(_cell, row, table.headings))}</tr>" for row in table.cells),
        "</tbody>",
        "</table>",
        f"<figcaption>{' '.join(_sentences(table))} <code>{escape(table.signature)}</code></figcaption>",
        "</figure>",
    ]
    return "\n".join(lines) + "\n"


def _sentences(table: Table) -> list[str]:
    verdict = [f"<strong>{escape(table.verdict)}</strong>"] if table.verdict else []
    return [*verdict, *map(escape, [*table.marks, *table.notes])]


def _title(column: Column) -> str:
    return f'<th scope="col"{_kind(column)}>{_with_detail(escape(column.heading), column.detail)}</th>'


def _cell(cell: Cell, column: Column) -> str:
    text = escape(cell.signed)
    if cell.is_bold:
        text = f"<strong>{text}</strong>"
    if cell.footnote:
        text += f"<sup>{cell.footnote}</sup>"
    tag = 'th scope="row"' if column.is_text else "td"
    return f"<{tag}{_kind(column)}>{_with_detail(text, cell.detail)}</{tag.split()[0]}>"


def _with_detail(text: str, detail: str) -> str:
    if not detail:
        return text
    space = "" if detail.startswith("/") or not text else " "
    return f"{text}{space}<small>{escape(detail)}</small>"


def _kind(column: Column) -> str:
    # Names may run from right to left; numbers do not.
    return ' dir="auto"' if column.is_text else ' class="number"'
