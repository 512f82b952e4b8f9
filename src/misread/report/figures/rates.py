"""Rates of all systems with their intervals, by group if the data set has groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from misread.report.figures.canvas import (
    AXES_HEIGHT,
    COLOURS,
    COLUMN_WIDTH,
    LINE_HEIGHT,
    MARKERS,
    STYLE,
    legend_columns,
    plain,
    save,
)
from misread.report.file_stem import file_stem
from misread.report.numbers import RateFormat
from misread.report.settings import ReportSettings
from misread.report.tables.rates_layout import metric_title
from misread.stats import DatasetResult, GroupResult, MetricResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer
    from matplotlib.figure import Figure

LETTERS_ON_THE_AXIS = 36
"""Labels with more letters would overlap and are turned."""


def draw_rates(result: DatasetResult, metric: str, settings: ReportSettings, folder: Path) -> list[Path]:
    """Draw the rate of every system with its interval, one figure per group column or one without groups."""
    dataset = result.dataset
    if not result.groups:
        return save(_plot(result, metric, settings, "", ["all"]), folder / file_stem(dataset, metric))
    return [
        path
        for column, groups in result.groups.items()
        for path in save(
            _plot(result, metric, settings, column, settings.sort_groups(column, list(groups))),
            folder / file_stem(dataset, metric, "by", column),
        )
    ]


def _plot(result: DatasetResult, metric: str, settings: ReportSettings, column: str, groups: Sequence[str]) -> Figure:
    from matplotlib import style
    from matplotlib.figure import Figure

    systems = list(result.systems)
    names = [plain(settings.name(system)) for system in systems]
    columns = legend_columns(names)
    with style.context(STYLE):
        height = AXES_HEIGHT + LINE_HEIGHT * math.ceil(len(systems) / columns)
        figure = Figure(figsize=(COLUMN_WIDTH, height))
        axes = figure.add_subplot()
        marks = []
        for place, system in enumerate(systems):
            values = [_value(result, metric, system, column, group) for group in groups]
            offset = (place - (len(systems) - 1) / 2) * 0.5 / len(systems)
            marks.append(_draw_system(axes, values, offset, place, settings.rates))
        shown = groups if column else [settings.name(result.dataset)]
        axes.set_xticks(range(len(groups)), [plain(group) for group in shown])
        if sum(map(len, shown)) > LETTERS_ON_THE_AXIS:
            axes.tick_params("x", labelrotation=90)
        axes.set_xlim(-0.5, len(groups) - 0.5)
        axes.set_ylim(bottom=0)
        axes.set_xlabel(plain(column))
        axes.set_ylabel(f"{metric_title(metric)}{settings.rates.axis}")
        figure.legend(handles=marks, labels=names, loc="outside upper center", ncols=columns)
    return figure


def _value(result: DatasetResult, metric: str, system: str, column: str, group: str) -> MetricResult | GroupResult:
    if column:
        return result.groups[column][group][system][metric]
    return result.systems[system][metric]


def _draw_system(
    axes: Axes, values: Sequence[MetricResult | GroupResult], offset: float, place: int, rates: RateFormat
) -> ErrorbarContainer:
    known = [(x, value, value.micro) for x, value in enumerate(values)]
    points = [(x, value, rates.scaled(rate)) for x, value, rate in known if rate is not None]
    below, above = [], []
    for _, value, rate in points:
        interval = value.confidence_interval
        # The percentile interval of a skewed sample may not contain the rate; bars cannot have a negative length.
        below.append(max(0.0, rate - rates.scaled(interval.low)) if interval else 0.0)
        above.append(max(0.0, rates.scaled(interval.high) - rate) if interval else 0.0)
    return axes.errorbar(
        [x + offset for x, _, _ in points],
        [rate for _, _, rate in points],
        yerr=[below, above],
        fmt=MARKERS[place % len(MARKERS)],
        color=COLOURS[place % len(COLOURS)],
        markersize=4,
        capsize=2,
        linewidth=1,
        # The mark of a rate of zero, on the axis, is not clipped.
        clip_on=False,
        zorder=3,
    )
