"""Rates of all systems with their intervals, by group if the data set has groups."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from misread.stats import DatasetResult, GroupResult, MetricResult
from misread.tables.figures.canvas import Places, add_legend, drawing, height_with_legend, mark_of
from misread.tables.numbers import RateFormat
from misread.tables.rates_layout import metric_title
from misread.tables.settings import ReportSettings
from misread.text.display import file_stem

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer

_SYSTEM_LINES = 0.45
"""Lines of one system in a row."""


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
        for place, system in enumerate(systems):
            values = [_value(result, metric, system, column, group) for group in groups]
            offset = (place - (len(systems) - 1) / 2) * spread / len(systems)
            marks.append(_draw_system(axes, values, offset, place, settings.rates, are_rows=places.are_rows))
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
    place: int,
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
        **mark_of(place),
        linestyle="",
        markersize=4,
        capsize=2,
        linewidth=1,
        # The mark of a rate of zero, on the axis, is not clipped.
        clip_on=False,
        zorder=3,
    )
