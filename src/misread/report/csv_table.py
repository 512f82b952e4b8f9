"""Rate tables as CSV: fractions to six digits, one number a column, for spreadsheets and plots."""

from __future__ import annotations

import csv
import io

from misread.report.rate_table import RateRow, RateTable
from misread.stats import Interval

_HEADER = (
    "dataset,metric,system,rate,low,high,substitutions,deletions,insertions,errors,length,segments,"
    "difference_to_best,difference_low,difference_high,pvalue_adjusted,separated_from_best,signature"
)


def render_csv(tables: list[RateTable]) -> str:
    """Render tables below each other, one row a system.

    Parameters
    ----------
    tables : list of RateTable
        Numbers.

    Returns
    -------
    str
        With a header; ends with a newline.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEADER.split(","))
    for table in tables:
        for row in table.rows:
            writer.writerow(_cells(row, table))
    return text.getvalue()


def _cells(row: RateRow, table: RateTable) -> list[str | int]:
    result, best = row.result, row.to_best
    counts = [result.get(name) for name in ("substitutions", "deletions", "insertions", "errors", "length", "segments")]
    return [
        table.dataset,
        table.metric,
        row.system,
        _number(result["micro"]),
        *_ends(result["confidence_interval"]),
        *["" if count is None else str(count) for count in counts],
        _number(best.value if best else None),
        *_ends(best.interval if best else None),
        _number(best.pvalue_adjusted if best else None),
        ("yes" if row.is_separated else "no") if best else "",
        table.signature,
    ]


def _ends(interval: Interval | None) -> list[str]:
    return [_number(interval["low"]), _number(interval["high"])] if interval else ["", ""]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"
