"""Figures of rates with their intervals: by system and group, by level of degradation, and differences of pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from misread.errors import needed_for
from misread.stats import DatasetResult, GroupResult, MetricResult
from misread.tables.figures.canvas import (
    COLOURS,
    COLUMN_WIDTH,
    LINE_HEIGHT,
    STYLE,
    Places,
    add_legend,
    drawing,
    height_with_legend,
    label_rows,
    mark_of,
    plain,
)
from misread.tables.number_text import RateFormat, interval_ends
from misread.tables.rates import make_rate_table
from misread.tables.rates_layout import metric_title
from misread.tables.settings import ReportSettings
from misread.text.display import file_stem

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer

_SYSTEM_LINES = 0.45
"""Lines of one system in a row."""


def draw_comparison(result: DatasetResult, settings: ReportSettings, folder: Path) -> list[Path]:
    """Draw rates and differences by the first metric, and a curve for each column that degrades; return the files."""
    metric = settings.metrics[0]
    paths = draw_rates(result, metric, settings, folder) + draw_differences(result, metric, settings, folder)
    for column in settings.degradation:
        if column in result.groups:
            paths += draw_robustness(result, metric, column, settings, folder)
    return paths


def draw_rates(result: DatasetResult, metric: str, settings: ReportSettings, folder: Path) -> list[Path]:
    """Draw the rate of every system with its interval, one figure per group column or one without groups."""
    if not result.groups:
        return _draw(result, metric, settings, "", ["all"], folder / file_stem(result.dataset, metric))
    paths = []
    for column, groups in result.groups.items():
        stem = file_stem(result.dataset, metric, "by", column)
        ordered = settings.sort_groups(column, list(groups))
        paths += _draw(result, metric, settings, column, ordered, folder / stem)
    return paths


def _draw(
    result: DatasetResult, metric: str, settings: ReportSettings, column: str, groups: Sequence[str], stem: Path
) -> list[Path]:
    systems = list(result.systems)
    names = [settings.name(system) for system in systems]
    places = Places(list(groups) if column else [settings.name(result.dataset)], _SYSTEM_LINES * len(systems) + 0.5)
    with drawing(stem, settings.figure_formats, height_with_legend(names, places.height), places.width) as (
        figure,
        paths,
    ):
        axes = figure.add_subplot()
        marks = []
        # The systems of a group fill its row.
        spread = 0.8 * (1 - 1 / len(systems)) if places.are_rows else 0.5
        for index, system in enumerate(systems):
            values = [_value(result, metric, system, column, group) for group in groups]
            offset = (index - (len(systems) - 1) / 2) * spread / len(systems)
            marks.append(_draw_system(axes, values, offset, index, settings.rates, are_rows=places.are_rows))
        if not places.are_rows:
            axes.set_xlim(-0.5, len(groups) - 0.5)
        places.label(axes, title=column, rates=f"{metric_title(metric)}{settings.rates.axis}")
        add_legend(figure, marks, names)
    return paths


def _value(result: DatasetResult, metric: str, system: str, column: str, group: str) -> MetricResult | GroupResult:
    if column:
        return result.groups[column][group][system][metric]
    return result.systems[system][metric]


def _draw_system(
    axes: Axes,
    values: Sequence[MetricResult | GroupResult],
    offset: float,
    index: int,
    rates: RateFormat,
    *,
    are_rows: bool,
) -> ErrorbarContainer:
    known = [(x, value, value.micro) for x, value in enumerate(values)]
    points = [(x, value, rates.scaled(rate)) for x, value, rate in known if rate is not None]
    below, above = [], []
    for _, value, rate in points:
        interval = value.confidence_interval
        # The percentile interval of a skewed sample may not contain the rate; bars cannot have a negative length.
        below.append(max(0.0, rate - rates.scaled(interval.low)) if interval else 0.0)
        above.append(max(0.0, rates.scaled(interval.high) - rate) if interval else 0.0)
    places, heights = [x + offset for x, _, _ in points], [rate for _, _, rate in points]
    ends = [below, above]
    return axes.errorbar(
        *((heights, places) if are_rows else (places, heights)),
        xerr=ends if are_rows else None,
        yerr=None if are_rows else ends,
        **mark_of(index),
        linestyle="",
        markersize=4,
        capsize=2,
        linewidth=1,
        # The mark of a rate of zero, on the axis, is not clipped.
        clip_on=False,
        zorder=3,
    )


_ROW_HEIGHT = 1.3
"""Lines."""
_AXIS_HEIGHT = 3.5
"""Lines above and below the rows: title, numbers, title of the axis."""


def draw_forest(result: DatasetResult, metric: str, axes: Axes | None = None) -> Axes:
    """Draw the systems of the table of a metric in its order, on a new figure of pyplot unless there are axes."""
    with needed_for("plots need", "Matplotlib", "report"):
        import matplotlib.pyplot as plt
        from matplotlib import style
    settings = ReportSettings([metric])
    rows = make_rate_table(result, metric, settings).rows
    rates = settings.rates_of(result.first_system[metric])
    with style.context(STYLE):
        if axes is None:
            height = LINE_HEIGHT * (_AXIS_HEIGHT + _ROW_HEIGHT * len(rows))
            axes = plt.subplots(figsize=(COLUMN_WIDTH, height))[1]
        elif (figure := axes.get_figure(root=True)) and figure.get_layout_engine() is None:
            # Names of systems are longer than the margin of a figure that nobody has laid out.
            figure.set_layout_engine("constrained")
        for height, row in enumerate(rows):
            if interval := row.result.interval:
                ends = [rates.scaled(interval.low), rates.scaled(interval.high)]
                axes.plot(ends, [height, height], color=COLOURS[0], linewidth=1.2, solid_capstyle="butt")
            # Systems without a rate have no row.
            rate = rates.scaled(row.result.rate or 0.0)
            # The mark of a rate of zero, on the axis, is not clipped.
            axes.plot(rate, height, marker="o", markersize=4.5, color=COLOURS[0], clip_on=False, zorder=3)
        label_rows(axes, [plain(row.name) for row in rows])
        if axes.dataLim.x0 >= 0:
            axes.set_xlim(left=0)
        axes.set_xlabel(f"{metric_title(metric)}{rates.axis}")
        axes.set_title(plain(result.dataset), fontsize="medium")
    return axes


_AXIS_HEIGHT_OF_DIFFERENCES = 4
"""Lines below the rows: numbers, title and legend."""


def draw_differences(result: DatasetResult, metric: str, settings: ReportSettings, folder: Path) -> list[Path]:
    """Draw the difference of every pair with its interval, with a hollow mark if it is not significant.

    No files if no pair has an interval.
    """
    pairs = [(pair, pair.confidence_interval) for pair in result.pairs(metric) if pair.confidence_interval]
    if not pairs:
        return []
    rates = settings.rates
    height = LINE_HEIGHT * (_AXIS_HEIGHT_OF_DIFFERENCES + _ROW_HEIGHT * len(pairs))
    with drawing(folder / file_stem(result.dataset, metric, "differences"), settings.figure_formats, height) as (
        figure,
        paths,
    ):
        axes = figure.add_subplot()
        axes.axvline(0, color="black", linewidth=0.8)
        for row, (pair, interval) in enumerate(pairs):
            low, difference, high = (rates.scaled(value) for value in (interval.low, pair.difference, interval.high))
            axes.plot([low, high], [row, row], color=COLOURS[0], linewidth=1.2, solid_capstyle="butt")
            fill = COLOURS[0] if pair.significant else "white"
            axes.plot(difference, row, marker="o", markersize=4.5, color=COLOURS[0], markerfacecolor=fill)
        names = [f"{settings.name(pair.system)} – {settings.name(pair.baseline)}" for pair, _ in pairs]
        label_rows(axes, list(map(plain, names)))
        axes.margins(x=0.08)
        unit = " in points" if rates.unit == "percent" else ""
        # Below the whole figure: names of systems leave little space below the axis.
        figure.supxlabel(f"difference of {metric_title(metric)}{unit}; hollow: not significant", fontsize=8)
    return paths


def draw_robustness(
    result: DatasetResult, metric: str, column: str, settings: ReportSettings, folder: Path
) -> list[Path]:
    """Draw rates by level of degradation, in the order of `settings.group_order`."""
    levels = settings.sort_groups(column, list(result.groups[column]))
    names = [settings.name(system) for system in result.systems]
    scaled = settings.rates.scaled
    places, numbers = Places(levels), range(len(levels))
    stem = file_stem(result.dataset, metric, "robustness", column)
    with drawing(folder / stem, settings.figure_formats, height_with_legend(names, places.height), places.width) as (
        figure,
        paths,
    ):
        axes = figure.add_subplot()
        marks = []
        for index, system in enumerate(result.systems):
            values = [result.groups[column][level][system][metric] for level in levels]
            rates = [math.nan if score.micro is None else scaled(score.micro) for score in values]
            curve = (rates, numbers) if places.are_rows else (numbers, rates)
            marks += axes.plot(*curve, **mark_of(index), markersize=4, linewidth=1)
            ends = [score.confidence_interval for score in values]
            low, high = (
                [math.nan if end is None else scaled(end) for end in side]
                for side in zip(*map(interval_ends, ends), strict=True)
            )
            fill = axes.fill_betweenx if places.are_rows else axes.fill_between
            fill(numbers, low, high, color=marks[-1].get_color(), alpha=0.15, linewidth=0)
        places.label(axes, title=column, rates=f"{metric_title(metric)}{settings.rates.axis}")
        add_legend(figure, marks, names)
    return paths
