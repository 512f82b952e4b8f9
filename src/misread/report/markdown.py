"""Rate tables as Markdown."""

from __future__ import annotations

from misread.report.cells import DAGGER, caption, columns, header, make_cells, notes
from misread.report.rate_table import RateTable

_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_|<>[]"})


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
    lines = [caption(table).translate(_SPECIAL), "", _line(titles), _line(["---", *["---:"] * (len(titles) - 1)])]
    for row in make_cells(table):
        name, rate, *rest = columns(row, table)
        name = name.translate(_SPECIAL)
        if row.is_bold:
            name, rate = f"**{name}**", f"**{rate}**"
        lines.append(_line([name, rate + (DAGGER if row.has_dagger else ""), *rest]))
    lines += ["", " ".join(note.translate(_SPECIAL) for note in notes(table)), "", f"`{table.signature}`"]
    return "\n".join(lines) + "\n"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
