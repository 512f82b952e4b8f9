"""Tables of rates by group: books, writers, lengths or levels of degradation."""

from __future__ import annotations

from misread.report.file_stem import file_stem
from misread.report.numbers import interval_ends, level_title
from misread.report.settings import ReportSettings
from misread.report.tables.rates_layout import metric_title, size_text
from misread.report.tables.table import Cell, Column, Table
from misread.stats import LENGTH_COLUMN, DatasetResult, make_group_rows, robustness_curve

_NOT_PAIRED = "Levels have different segments: differences between levels are not paired."
EXPLORATORY = "Groups are exploratory: no test compares them, and nothing is adjusted for their number."


def lay_out_groups(result: DatasetResult, column: str, metric: str, settings: ReportSettings) -> Table:
    """Lay out one metric by the groups of one column.

    Parameters
    ----------
    result : DatasetResult
        All systems on one data set.
    column : str
        Which groups.
    metric : str
        Id of the metric.
    settings : ReportSettings
        Names, digits, order of groups. If the column is one of degradation, each level has its difference to the clean
        one, unless no segment has the clean level.

    Returns
    -------
    Table
        One row per group with its number of segments, one column per system.

    Raises
    ------
    UnknownNameError
        If there is no such column or metric; lists those there are.
    """
    rows = {(row.group, row.system): row for row in make_group_rows(result, column, metric)}
    systems = list(result.systems)
    rates = settings.rates_of(result.first_system[metric])
    groups = settings.sort_groups(column, list(result.groups[column]))
    clean = settings.clean_level(column, groups)
    curve = robustness_curve(result, column, metric, clean=clean) if clean else []
    differences = {(row.level, row.system): row.difference for row in curve}
    cells = []
    for group in groups:
        line = [Cell(group), Cell(f"{rows[group, systems[0]].segments:,}")]
        for system in systems:
            row = rows[group, system]
            line.append(Cell("" if row.rate is None else rates.rate(row.rate), rates.interval(row.interval)))
            if clean:
                difference = None if group == clean else differences[group, system]
                line.append(Cell("" if difference is None else rates.difference(difference)))
        cells.append(line)
    of_first = result.first_system[metric]
    level = next(filter(None, (level_title(row.interval) for row in rows.values())), "")
    columns = [Column(column, is_text=True), Column("n")]
    for system in systems:
        columns.append(Column(f"{settings.name(system)}{rates.sign}", level))
        if clean:
            columns.append(Column(f"Δ to {clean}"))
    by = "length of the reference" if column == LENGTH_COLUMN else column
    title = f"{metric_title(metric)} on {settings.name(result.dataset)} by {by}"
    return Table(
        stem=file_stem(result.dataset, metric, "by", column),
        caption=f"{title} ({size_text(result.segments)}). {of_first.direction.value.capitalize()} is better.",
        columns=columns,
        rows=cells,
        notes=[*([_NOT_PAIRED] if clean else []), EXPLORATORY],
        signature=of_first.signature,
        record_names=(
            *("dataset", "metric", "column", "group", "system"),
            *("rate", "low", "high", "segments", "difference_to_clean"),
        ),
        records=[
            (
                *(result.dataset, metric, column, group, system, rows[group, system].rate),
                *(*interval_ends(rows[group, system].interval), rows[group, system].segments),
                differences.get((group, system)),
            )
            for group in groups
            for system in systems
        ],
    )
