"""A table of groups laid out for people: every group with its rate, interval and number, and the spread below it."""

from __future__ import annotations

from misread.report.numbers import RateFormat
from misread.report.paper_table import Cell, Column, PaperTable
from misread.report.rate_layout import metric_title
from misread.report.settings import ReportSettings
from misread.stats import DatasetResult, ParityResult, group_rows, parity_of_groups, robustness_curve

_RECORD_NAMES = (
    *("dataset", "metric", "column", "group", "system", "rate", "low", "high", "segments"),
    *("difference_to_clean", "worst"),
)


def lay_out_groups(result: DatasetResult, column: str, metric: str, settings: ReportSettings) -> PaperTable:
    """Turn the results of one metric by group into cells.

    Parameters
    ----------
    result : DatasetResult
        As `misread.stats.compare` gives it.
    column : str
        Group column. Of one that the settings name as levels of degradation, each rate stands beside its difference
        to the first level, the clean one.
    metric : str
        Id.
    settings : ReportSettings
        Names, order of groups, digits and unit.

    Returns
    -------
    PaperTable

    Raises
    ------
    UnknownNameError
        If there is no such column or metric.
    """
    rows = {(row.system, row.group): row for row in group_rows(result, column, metric)}
    groups = settings.sort_groups(column, list(result["groups"][column]))
    has_levels = column in settings.degradation
    differences: dict[tuple[str, str], float | None] = {}
    if has_levels:
        curve = robustness_curve(result, column, metric, clean=groups[0], levels=groups)
        differences = {(row.system, row.level): row.difference for row in curve}
    rates = settings.rates
    shown = [rows[system, group] for group in groups for system in result["systems"]]
    level = next((f"[{row.interval['confidence'] * 100:g} %]" for row in shown if row.interval), "[no interval]")
    cells = []
    records = []
    for row in shown:
        difference = differences.get((row.system, row.group))
        cells.append(
            (
                Cell(row.group),
                Cell(settings.name(row.system)),
                Cell("" if row.rate is None else rates.rate(row.rate), is_bold=row.is_worst),
                Cell(detail=rates.interval(row.interval)),
                Cell(str(row.segments)),
                *([Cell("" if difference is None else rates.difference(difference))] if has_levels else []),
            )
        )
        ends = (row.interval["low"], row.interval["high"]) if row.interval else (None, None)
        records.append(
            (
                *(result["dataset"], metric, column, row.group, row.system, row.rate, *ends, row.segments),
                *(difference, "yes" if row.is_worst else "no"),
            )
        )
    return PaperTable(
        stem=f"{result['dataset']}_{metric}_by_{column}",
        caption=f"{metric_title(metric)} on {settings.name(result['dataset'])} by {column}. Bold: the worst group.",
        columns=[
            Column(column, is_text=True),
            Column("system", is_text=True),
            Column(f"{metric_title(metric)}{rates.sign}", is_decimal=True),
            Column("", level),
            Column("n"),
            *([Column(f"Δ to {groups[0]}")] if has_levels else []),
        ],
        rows=cells,
        # Levels of degradation are meant to differ; groups of people are not.
        notes=["Segments of two levels are different ones: differences between levels are not paired."]
        if has_levels
        else [
            _spread(settings.name(system), parity, rates)
            for system, parity in parity_of_groups(result, column, metric).items()
        ],
        signature=next(iter(result["systems"].values()))[metric]["signature"],
        record_names=_RECORD_NAMES,
        records=records,
    )


def _spread(name: str, parity: ParityResult, rates: RateFormat) -> str:
    band = f" {parity['band']}." if parity["band"] else ""
    return (
        f"{name}: range {rates.rate(parity['range'])}, standard deviation {rates.rate(parity['standard_deviation'])} "
        f"over {parity['groups']} groups of equal weight; worst {parity['worst_group']}, best {parity['best_group']}."
        f"{band}"
    )
