"""The table of all systems by data set and metric."""

from __future__ import annotations

from collections.abc import Sequence

from misread.stats import DatasetResult
from misread.tables.numbers import interval_ends, level_title, pvalue_text
from misread.tables.rates import make_rate_table
from misread.tables.rates_layout import NOT_SIGNIFICANT, lay_out_rates, metric_title
from misread.tables.settings import ReportSettings
from misread.tables.table import Cell, Column, Table


def lay_out_overview(results: Sequence[DatasetResult], settings: ReportSettings) -> Table:
    """One row per data set, metric and system: rate with interval, adjusted p-value against the baseline, n.

    The signature has one part per data set. At least one result is needed.
    """
    rows: list[list[Cell]] = []
    records: list[tuple[str | float | None, ...]] = []
    level = ""
    for result in results:
        for metric in settings.metrics:
            table = make_rate_table(result, metric, settings)
            paper = lay_out_rates(table, settings)
            place = [Cell(table.dataset_name), Cell(metric_title(metric))]
            for row, cells in zip(table.rows, paper.rows, strict=True):
                interval = row.result.confidence_interval
                level = level or level_title(interval)
                pvalue = row.to_baseline.pvalue_adjusted if row.to_baseline else None
                rate = Cell(
                    cells[1].text,
                    table.format.interval_of(row.result.micro, interval),
                    cells[1].is_bold,
                    cells[1].has_dagger,
                )
                rows.append(
                    [
                        *place,
                        cells[0],
                        rate,
                        Cell("" if pvalue is None else pvalue_text(pvalue)),
                        Cell(f"{row.result.segments:,}"),
                    ]
                )
                records.append(
                    (
                        *(result.dataset, metric, row.system, row.result.micro, *interval_ends(interval)),
                        *(pvalue, row.result.segments),
                    )
                )
                # Names of the row above are not repeated.
                place = [Cell(), Cell()]
    notes = [f"Baseline on {settings.name(of.dataset)}: {settings.name(of.baseline)}." for of in results]
    return Table(
        stem="overview",
        caption="All systems on all data sets. The table of each metric says how intervals and p were computed.",
        columns=[
            *(Column(name, kind="name") for name in ("data set", "metric", "system")),
            Column(f"rate{settings.rates.sign}", level),
            Column("p to baseline"),
            Column("n"),
        ],
        rows=rows,
        marks=[NOT_SIGNIFICANT] if any(cell.has_dagger for row in rows for cell in row) else [],
        notes=notes,
        signature=" ".join(of.signature for of in results),
        record_names=("dataset", "metric", "system", "rate", "low", "high", "pvalue_to_baseline", "segments"),
        records=records,
    )
