"""Tables as CSV: fractions to six digits, one number per column, for spreadsheets and plots."""

import csv
import io
from collections.abc import Iterable, Sequence
from functools import partial

from misread.tables.table import Table
from misread.text.display import show_in_spreadsheet


def render_csv(tables: Sequence[Table], *, raw: bool = False) -> str:
    """Render tables that have the columns of the first below each other, with a header and the signatures at the end.

    With `raw`, texts stay as they are, for programs; see `write_rows`.
    """
    return write_rows(
        [*tables[0].record_names, "signature"],
        ([*record, table.signature] for table in tables for record in table.records),
        raw=raw,
    )


def write_rows(header: Sequence[str], rows: Iterable[Sequence[str | float | None]], *, raw: bool = False) -> str:
    """A header and rows as CSV (RFC 4180): floats to six digits, None as an empty field, newline at the end.

    Unless `raw`, control characters are written as escapes, and a text that a spreadsheet would compute gets an
    apostrophe in front; a text that is a number stays one.
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
