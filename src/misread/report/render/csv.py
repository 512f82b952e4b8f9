"""Tables as CSV: fractions to six digits, one number a column, for spreadsheets and plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from functools import partial

from misread.report.tables.table import PaperTable
from misread.text.labels import show_in_spreadsheet


def render_csv(tables: Sequence[PaperTable], *, raw: bool = False) -> str:
    """Render tables of the same kind below each other.

    Parameters
    ----------
    tables : sequence of PaperTable
        At least one; all have the columns of the first.
    raw : bool
        Whether texts stay as they are, for programs; else they are made fit for spreadsheets, as by `write_rows`.

    Returns
    -------
    str
        With a header and the signature as last column; ends with a newline.
    """
    return write_rows(
        [*tables[0].record_names, "signature"],
        ([*record, table.signature] for table in tables for record in table.records),
        raw=raw,
    )


def write_rows(header: Sequence[str], rows: Iterable[Sequence[str | float | None]], *, raw: bool = False) -> str:
    r"""Write a header and rows: floats to six digits, None as an empty field.

    Parameters
    ----------
    header : sequence of str
        Names of the columns.
    rows : iterable of sequence of (str, int, float or None)
        Fields.
    raw : bool
        Whether texts stay as they are. Else control characters are written as escapes, and a text that a spreadsheet
        would compute gets an apostrophe in front; a text that is a number stays one.

    Returns
    -------
    str
        Ends with a newline.

    References
    ----------
    RFC 4180.

    Examples
    --------
    >>> write_rows(["system", "rate", "n"], [["a", 0.25, 3], ["b", None, 3]])
    'system,rate,n\na,0.250000,3\nb,,3\n'
    >>> write_rows(["group", "n"], [["=1+1", 3], ["-5", 3]])
    "group,n\n'=1+1,3\n-5,3\n"
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(map(partial(_field, raw=raw), row) for row in rows)
    return text.getvalue()


def _field(value: str | float | None, *, raw: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value if raw else show_in_spreadsheet(value)
    return f"{value:.6f}" if isinstance(value, float) else str(value)
