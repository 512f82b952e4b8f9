"""Table of the spread of the rates of segments: standard deviation and percentiles."""

from dataclasses import replace
from typing import Final

from misread.metrics.summary import PERCENTILES
from misread.tables.number_text import RateFormat
from misread.tables.rates import RateRow, RateTable
from misread.tables.rates_layout import metric_title, size_text
from misread.tables.table import Column, Table, in_files, rate_column
from misread.text.display import file_stem

_EVERY_SEGMENT_WEIGHS_THE_SAME: Final = (
    "Rates of segments, each weighted equally regardless of its length; of several runs, those of the runs together."
)


def lay_out_spread(table: RateTable) -> Table:
    """Lay out mean, standard deviation and percentiles of the rates of segments, one row per system.

    Parameters
    ----------
    table : RateTable
        One metric of all systems; a system none of whose segments has a rate has empty cells.

    Returns
    -------
    Table
        Rates in the unit of `table`; files have fractions.
    """
    rates = table.format
    title = f"Spread of {metric_title(table.metric)} over segments on {table.dataset_name}"
    return Table(
        stem=file_stem(table.dataset, table.metric, "spread"),
        caption=f"{title} ({size_text(table.segments)}).",
        columns=[
            in_files(("dataset", "metric"), (table.dataset, table.metric)),
            in_files("system", lambda row: row.system),
            Column("system", lambda row: row.name, kind="name"),
            Column("n", _segments, lambda number: f"{number:,}", name="segments"),
            rate_column("mean", lambda row: row.result.macro, rates),
            _column("SD", "standard_deviation", rates),
            *(_column(f"p{percent}", f"percentile_{percent}", rates) for percent in PERCENTILES),
        ],
        rows=table.rows,
        notes=[_EVERY_SEGMENT_WEIGHS_THE_SAME],
        signature=str(table.signature),
    )


def spread_in_files() -> list[Column]:
    """Columns of the table, as columns of files on rows of rates."""
    names = ["standard_deviation", *(f"percentile_{percent}" for percent in PERCENTILES)]
    return [replace(_column("", name, RateFormat()), title=None) for name in names]


def _segments(row: RateRow) -> int:
    return row.result.segments - row.result.empty_references


def _column(title: str, name: str, rates: RateFormat) -> Column:
    def take(row: RateRow) -> float | None:
        value: float | None = row.result.spread[name] if row.result.spread else None
        return value

    return rate_column(title, take, rates, name=name)
