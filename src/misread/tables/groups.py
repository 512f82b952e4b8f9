"""Tables of rates by group (books, writers, lengths or levels of degradation), and of their spread."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter

from misread.metrics import Direction, Fairness
from misread.stats import LENGTH_COLUMN, DatasetResult, GroupRow, MetricResult, make_group_rows, robustness_curve
from misread.tables.number_text import interval_ends, level_title
from misread.tables.rates_layout import metric_title, size_text
from misread.tables.settings import ReportSettings
from misread.tables.table import Cell, Column, Records, Table, explorer_link, in_files, rate_column
from misread.text.display import file_stem, show_label

_Differences = Mapping[tuple[str, str], float | None]
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
    first = result.first_system[metric]
    groups = settings.sort_groups(column, list(result.groups[column]))
    ranks = {group: rank for rank, group in enumerate(groups, start=1)}
    clean = settings.clean_level(column, groups)
    curve = robustness_curve(result, column, metric, clean=clean) if clean else []
    differences = {(row.level, row.system): row.difference for row in curve}

    def show_group(group: str) -> Cell:
        link = explorer_link(result.dataset, "in", show_label(column), show_label(group)) if linked else ""
        return Cell(group, value=ranks[group], link=link)

    def show_size(group: str) -> Cell:
        segments = rows[group, systems[0]].segments
        return Cell(f"{segments:,}", value=segments)

    by = "length of the reference" if column == LENGTH_COLUMN else column
    title = f"{metric_title(metric)} on {settings.name(result.dataset)} by {by}"
    return Table(
        stem=file_stem(result.dataset, metric, "by", column),
        caption=f"{title} ({size_text(result.segments)}). {first.direction.value.capitalize()} is better.",
        columns=[
            Column(column, show=show_group, kind="name", key="group", blank="(none)"),
            Column("n", show=show_size, key="n"),
            *_rate_columns(rows, systems, first, settings, clean, differences),
        ],
        rows=groups,
        notes=[*([_NOT_PAIRED] if clean else []), EXPLORATORY],
        signature=str(first.signature),
        long=Records(
            [rows[group, system] for group in groups for system in systems],
            _columns_in_files(result.dataset, metric, column, differences),
        ),
    )


def _rate_columns(
    rows: Mapping[tuple[str, str], GroupRow],
    systems: Sequence[str],
    first: MetricResult,
    settings: ReportSettings,
    clean: str | None,
    differences: _Differences,
) -> Iterator[Column]:
    """Rates of each system, with their difference to the clean level."""
    rates = settings.rates_of(first)
    groups = dict.fromkeys(group for group, _ in rows)
    best = {group: _best([rows[group, system].rate for system in systems], first.direction) for group in groups}
    level = next(filter(None, (level_title(row.interval) for row in rows.values())), "")

    def show_rate(row: GroupRow) -> Cell:
        text = "" if row.rate is None else rates.rate(row.rate)
        is_leading = row.rate is not None and row.rate == best[row.group]
        return Cell(text, rates.interval_of(row.rate, row.interval), value=row.rate, is_leading=is_leading)

    def columns_of(number: int, system: str) -> Iterator[Column]:
        title, key = f"{settings.name(system)}{rates.sign}", f"system-{number}"
        yield Column(title, lambda group: rows[group, system], show_rate, detail=level, key=key, blank="undefined")
        if clean:
            yield Column(
                f"Δ to {clean}",
                lambda group: None if group == clean else differences[group, system],
                rates.difference,
            )

    return chain.from_iterable(columns_of(number, system) for number, system in enumerate(systems, start=1))


def _columns_in_files(dataset: str, metric: str, column: str, differences: _Differences) -> list[Column]:
    """Columns of files with a row for each group and system."""
    return [
        in_files(("dataset", "metric", "column"), (dataset, metric, column)),
        in_files(("group", "system", "rate"), attrgetter("group", "system", "rate")),
        in_files(("low", "high"), lambda row: interval_ends(row.interval)),
        in_files("segments", lambda row: row.segments),
        in_files("difference_to_clean", lambda row: differences.get((row.group, row.system))),
    ]


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

    def group_column(title: str, end: str) -> Column:
        def take(row: tuple[str, Fairness]) -> tuple[str, float]:
            system, spread = row
            group: str = getattr(spread, f"{end}_group")
            return group, groups[group][system][metric].micro or 0.0

        names = (f"{end}_group", f"{end}_rate")
        return Column(title, take, lambda value: Cell(value[0], rates.rate(value[1])), kind="name", name=names)

    band = in_files("band", lambda row: row[1].band)
    has_bands = any(spread.band for spread in spreads.values())
    title = f"Spread of {metric_title(metric)} across groups of {column} on {settings.name(result.dataset)}"
    return Table(
        stem=file_stem(result.dataset, metric, "fairness", column),
        caption=f"{title} ({size_text(result.segments)}). A smaller range is more even.",
        columns=[
            in_files(("dataset", "metric", "column"), (result.dataset, metric, column)),
            Column("system", lambda row: row[0], settings.name, kind="name", name="system"),
            Column("groups", lambda row: row[1].groups, name="groups"),
            rate_column("mean", lambda row: row[1].mean, rates),
            rate_column("range", lambda row: row[1].range, rates),
            rate_column("SD", lambda row: row[1].standard_deviation, rates, name="standard_deviation"),
            group_column("best group", "best"),
            group_column("worst group", "worst"),
            replace(band, title="band of the range", kind="name") if has_bands else band,
        ],
        rows=list(spreads.items()),
        notes=[_EVERY_GROUP_WEIGHS_THE_SAME, EXPLORATORY],
        signature=str(result.first_system[metric].signature),
    )
