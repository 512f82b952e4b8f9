"""Rates by group: which books, writers, lengths or levels of degradation are hard, and for which system."""

from __future__ import annotations

from misread.errors import UnknownNameError
from misread.report.numbers import RateFormat, interval_ends, level_title
from misread.report.paper_table import Cell, Column, PaperTable
from misread.report.rate_layout import metric_title, size_text
from misread.report.settings import ReportSettings
from misread.stats import LENGTH_COLUMN, DatasetResult, GroupResult

EXPLORATORY = "Groups are exploratory: no test compares them, and nothing is adjusted for their number."


def lay_out_groups(result: DatasetResult, metric: str, column: str, settings: ReportSettings) -> PaperTable:
    """Lay out one metric by the groups of one column.

    Parameters
    ----------
    result : DatasetResult
        All systems on one data set.
    metric : str
        Id of the metric.
    column : str
        Which groups.
    settings : ReportSettings
        Names, digits, order of groups; where the column is one of degradation, each level says how far it lies from
        the clean one.

    Returns
    -------
    PaperTable
        A row a group with its number of segments, a column a system.

    Raises
    ------
    UnknownNameError
        If the data set has no such column; lists those that it has.
    """
    if column not in result["groups"]:
        raise UnknownNameError("group column", column, result["groups"], where=result["dataset"])
    groups, systems = result["groups"][column], list(result["systems"])
    names = settings.sort_groups(column, list(groups))
    clean = names[0] if column in settings.degradation else None
    of_first = result["systems"][systems[0]][metric]
    rates = settings.rates
    rows, records = [], []
    for name in names:
        values = {system: groups[name][system][metric] for system in systems}
        base = {system: groups[clean][system][metric]["micro"] if clean else None for system in systems}
        segments = next(iter(values.values()))["segments"]
        row = [Cell(name), Cell(f"{segments:,}")]
        for system, value in values.items():
            rate = value["micro"]
            row.append(Cell("" if rate is None else rates.rate(rate), rates.interval(value["confidence_interval"])))
            if clean:
                row.append(Cell() if name == clean else _difference(value, base[system], rates))
        rows.append(row)
        records += [
            (
                *(result["dataset"], metric, column, name, system),
                *(value["micro"], *interval_ends(value["confidence_interval"]), segments),
                _minus(value["micro"], base[system]),
            )
            for system, value in values.items()
        ]
    level = level_title(of_first["confidence_interval"])
    columns = [Column(column, is_text=True), Column("n")]
    for system in systems:
        columns.append(Column(f"{settings.name(system)}{rates.sign}", level))
        if clean:
            columns.append(Column(f"Δ to {clean}"))
    by = "length of the reference" if column == LENGTH_COLUMN else column
    title = f"{metric_title(metric)} on {settings.name(result['dataset'])} by {by}"
    return PaperTable(
        stem=f"{result['dataset']}_{metric}_by_{column}",
        caption=f"{title} ({size_text(result['segments'])}). {of_first['direction'].capitalize()} is better.",
        columns=columns,
        rows=rows,
        notes=[EXPLORATORY],
        signature=of_first["signature"],
        record_names=(
            *("dataset", "metric", "column", "group", "system"),
            *("rate", "low", "high", "segments", "difference_to_clean"),
        ),
        records=records,
    )


def _difference(value: GroupResult, base: float | None, rates: RateFormat) -> Cell:
    difference = _minus(value["micro"], base)
    return Cell("" if difference is None else rates.difference(difference))


def _minus(rate: float | None, base: float | None) -> float | None:
    return None if rate is None or base is None else rate - base
