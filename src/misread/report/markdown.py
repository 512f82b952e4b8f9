"""Rate tables as Markdown."""

from __future__ import annotations

from misread.report.cells import DAGGER, caption, columns, header, make_cells, notes
from misread.report.markdown_text import escape_markdown, markdown_row
from misread.report.rate_table import RateTable


def render_markdown(table: RateTable) -> str:
    """Render a table with its caption, notes and signature.

    Parameters
    ----------
    table : RateTable
        Numbers.

    Returns
    -------
    str
        Ends with a newline.
    """
    titles = header(table)
    lines = [
        escape_markdown(caption(table)),
        "",
        markdown_row(titles),
        markdown_row(["---", *["---:"] * (len(titles) - 1)]),
    ]
    for row in make_cells(table):
        name, rate, *rest = columns(row, table)
        name = escape_markdown(name)
        if row.is_bold:
            name, rate = f"**{name}**", f"**{rate}**"
        lines.append(markdown_row([name, rate + (DAGGER if row.has_dagger else ""), *rest]))
    lines += ["", " ".join(escape_markdown(note) for note in notes(table)), "", f"`{table.signature}`"]
    return "\n".join(lines) + "\n"
