"""Tables of rates by group (books, writers, lengths or levels of degradation), and of their spread (fairness)."""

from __future__ import annotations

from collections.abc import Sequence

from misread.metrics import Direction
from misread.stats import LENGTH_COLUMN, DatasetResult, make_group_rows, robustness_curve
from misread.tables.number_text import interval_ends, level_title
from misread.tables.rates_layout import metric_title, size_text
from misread.tables.settings import ReportSettings
from misread.tables.table import Cell, Column, Table, explorer_link
from misread.text.display import file_stem, show_label

_NOT_PAIRED = "Levels have different segments: differences between levels are not paired."
EXPLORATORY = "Groups are exploratory: no test compares them, and nothing is adjusted for their number."


def lay_out_groups(
    result: DatasetResult,
    column: str,
    metric: str,
    settings: ReportSettings,
    *,
    systems: Sequence[str] | None = None,
    linked: bool = False,
) -> Table:
    """Lay out one metric by the groups of one column; unknown columns and metrics are refused by name.

    One row per group with its number of segments, one column per system. If the column is one of degradation, each
    level has its difference to the clean one, unless no segment has the clean level. `linked` groups lead to their
    segments.
    """
    rows = {(row.group, row.system): row for row in make_group_rows(result, column, metric)}
    systems = list(result.systems) if systems is None else systems
    of_first = result.first_system[metric]
    rates = settings.rates_of(of_first)
    groups = settings.sort_groups(column, list(result.groups[column]))
    clean = settings.clean_level(column, groups)
    curve = robustness_curve(result, column, metric, clean=clean) if clean else []
    differences = {(row.level, row.system): row.difference for row in curve}
    cells = []
    for place, group in enumerate(groups, start=1):
        of_group = [rows[group, system] for system in systems]
        link = explorer_link(result.dataset, "in", show_label(column), show_label(group)) if linked else ""
        segments = of_group[0].segments
        line = [Cell(group, value=place, link=link), Cell(f"{segments:,}", value=segments)]
        best = _best([row.rate for row in of_group], of_first.direction)
        for row in of_group:
            text = "" if row.rate is None else rates.rate(row.rate)
            is_leading = row.rate is not None and row.rate == best
            line.append(Cell(text, rates.interval_of(row.rate, row.interval), value=row.rate, is_leading=is_leading))
            if clean:
                difference = None if group == clean else differences[group, row.system]
                line.append(Cell("" if difference is None else rates.difference(difference)))
        cells.append(line)
    level = next(filter(None, (level_title(row.interval) for row in rows.values())), "")
    columns = [Column(column, kind="name", key="group", blank="(none)"), Column("n", key="n")]
    for place, system in enumerate(systems, start=1):
        title = f"{settings.name(system)}{rates.sign}"
        columns.append(Column(title, level, key=f"system-{place}", blank="undefined"))
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


def _best(rates: Sequence[float | None], direction: Direction) -> float | None:
    """Best rate of several systems."""
    known = [rate for rate in rates if rate is not None]
    return (min if direction is Direction.LOWER_IS_BETTER else max)(known) if known and len(rates) > 1 else None


_EVERY_GROUP_WEIGHS_THE_SAME = "Spread over groups, each weighted equally regardless of its number of segments."


def lay_out_fairness(result: DatasetResult, column: str, metric: str, settings: ReportSettings) -> Table:
    """Lay out the spread of one rate over the groups of one column; unknown columns and metrics are refused by name.

    One row per system: range and standard deviation of its rates, best and worst group, and for character error rates
    the band that the specification gives the range. Systems with a rate on fewer than two groups have no row.
    """
    groups = result.groups[column]
    rates = settings.rates_of(result.first_system[metric])
    spreads = result.fairness[column][metric]
    has_bands = any(of.band for of in spreads.values())
    rows, records = [], []
    for system, of in spreads.items():
        best, worst = of.best_group, of.worst_group
        ends = {group: groups[group][system][metric].micro or 0.0 for group in (best, worst)}
        spread = (of.mean, of.range, of.standard_deviation)
        rows.append(
            [
                Cell(settings.name(system)),
                Cell(f"{of.groups:,}"),
                *(Cell(rates.rate(value)) for value in spread),
                *(Cell(group, rates.rate(ends[group])) for group in (best, worst)),
                *([Cell(of.band or "")] if has_bands else []),
            ]
        )
        records.append(
            (
                *(result.dataset, metric, column, system, of.groups, *spread),
                *(best, ends[best], worst, ends[worst], of.band),
            )
        )
    title = f"{metric_title(metric)} across groups of {column} (fairness) on {settings.name(result.dataset)}"
    return Table(
        stem=file_stem(result.dataset, metric, "fairness", column),
        caption=f"{title} ({size_text(result.segments)}). A smaller range is more even.",
        columns=[
            Column("system", kind="name"),
            Column("groups"),
            *(Column(f"{name}{rates.sign}", kind="decimal") for name in ("mean", "range", "SD")),
            Column("best group", kind="name"),
            Column("worst group", kind="name"),
            *([Column("band of the range", kind="name")] if has_bands else []),
        ],
        rows=rows,
        notes=[_EVERY_GROUP_WEIGHS_THE_SAME, EXPLORATORY],
        signature=result.first_system[metric].signature,
        record_names=(
            *("dataset", "metric", "column", "system", "groups", "mean", "range", "standard_deviation"),
            *("best_group", "best_rate", "worst_group", "worst_rate", "band"),
        ),
        records=records,
    )
