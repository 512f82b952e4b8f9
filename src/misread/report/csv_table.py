"""Tables as CSV: fractions to six digits, one number a column, for spreadsheets and plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from misread.report.paper_table import PaperTable


def render_csv(tables: Sequence[PaperTable]) -> str:
    """Render tables of the same kind below each other.

    Parameters
    ----------
    tables : sequence of PaperTable
        At least one; all have the columns of the first.

    Returns
    -------
    str
        With a header and the signature as last column; ends with a newline.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*tables[0].record_names, "signature"])
    for table in tables:
        writer.writerows([*map(_field, record), table.signature] for record in table.records)
    return text.getvalue()


def _field(value: str | float | None) -> str:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)
