"""Tables of the spread of rates over groups (fairness)."""

from __future__ import annotations

from misread.stats import DatasetResult
from misread.tables.groups import EXPLORATORY
from misread.tables.rates_layout import metric_title, size_text
from misread.tables.settings import ReportSettings
from misread.tables.table import Cell, Column, Table
from misread.text.display import file_stem

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
