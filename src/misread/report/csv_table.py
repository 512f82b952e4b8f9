"""Tables as CSV: fractions to six digits, one number a column, for spreadsheets and plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

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
    return write_rows(
        [*tables[0].record_names, "signature"],
        ([*record, table.signature] for table in tables for record in table.records),
    )


def write_rows(header: Sequence[str], rows: Iterable[Sequence[str | float | None]]) -> str:
    r"""Write a header and rows: floats to six digits, None as an empty field.

    Examples
    --------
    >>> write_rows(["system", "rate", "n"], [["a", 0.25, 3], ["b", None, 3]])
    'system,rate,n\na,0.250000,3\nb,,3\n'
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(map(_field, row) for row in rows)
    return text.getvalue()


def _field(value: str | float | None) -> str:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)
