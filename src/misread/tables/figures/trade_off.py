"""Figures and columns of error against what it takes: time or money."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from misread.metrics import Direction
from misread.stats import DatasetResult
from misread.tables.figures.canvas import AXES_HEIGHT, add_legend, drawing, height_with_legend, mark_of
from misread.tables.rates_layout import metric_title
from misread.tables.settings import ReportSettings
from misread.tables.table import Column, rate_column
from misread.text.display import file_stem

Point = tuple[float, float]
"""Effort and error of one system."""


class Errors(NamedTuple):
    """Errors by a metric for which lower is better; none where it is not."""

    title: str = ""
    by_system: Mapping[str, float] = {}


NO_ERRORS: Final = Errors()

_LEAST_RATIO: Final = 5
"""Of the most that is taken to the least: below it a logarithmic scale would have hardly a number."""
_WIDE_RATIO: Final = 1000
"""From here on there is room for powers of ten alone."""


def draw_trade_off(
    result: DatasetResult,
    metric: str,
    taken: Mapping[str, float | None],
    settings: ReportSettings,
    *,
    title: str,
    folder: Path,
    name: str,
) -> list[Path]:
    """Draw the error of every system against what it takes, with a step line along the Pareto front.

    Systems have the marks of their place in the result, as in other figures, though some may have no point. `title` is
    that of the axis of effort, whose scale is logarithmic unless a system takes nothing or all take much the same. No
    files where a lower value of the metric is not better, or effort and rate of fewer than two systems are known.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    points = {
        system: (effort, settings.rates.scaled(rate))
        for system, rates_by_metric in result.systems.items()
        if (rate := rates_by_metric[metric].micro) is not None and (effort := taken.get(system)) is not None
    }
    if len(points) < 2 or result.first_system[metric].direction is not Direction.LOWER_IS_BETTER:
        return []
    systems, stem = list(result.systems), folder / file_stem(result.dataset, metric, name)
    names = [settings.name(system) for system in points]
    with drawing(stem, settings.figure_formats, height_with_legend(names, AXES_HEIGHT)) as (figure, paths):
        axes = figure.add_subplot()
        front = [points[system] for system in pareto_front(points)]
        axes.step(*zip(*front, strict=True), where="post", color="#777777", linewidth=1, linestyle="--", zorder=2)
        marks = [
            axes.plot(*point, **mark_of(systems.index(system)), linestyle="", clip_on=False, zorder=3)[0]
            for system, point in points.items()
        ]
        efforts, errors = zip(*points.values(), strict=True)
        if 0 < _LEAST_RATIO * min(efforts) < max(efforts):
            axes.set_xscale("log")
            is_wide = _WIDE_RATIO * min(efforts) < max(efforts)
            axes.xaxis.set_major_locator(LogLocator(subs=(1.0,) if is_wide else (1.0, 2.0, 5.0)))
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.xaxis.set_minor_formatter(NullFormatter())
        axes.margins(x=0.1)
        axes.set_ylim(min(0.0, 1.15 * min(errors)), max(0.0, 1.15 * max(errors)) or float(min(errors) == 0))
        axes.set_xlabel(title)
        axes.set_ylabel(f"{metric_title(metric)}{settings.rates.axis}")
        add_legend(figure, marks, names)
    return paths


def trade_off_columns(taken: Mapping[str, float | None], errors: Errors, settings: ReportSettings) -> list[Column]:
    """Error of each system, and one that dominates it: no worse in error and effort, and better in one of them.

    Rows have a `system`. There are no columns for fewer than two systems whose effort and error are known.
    """
    known = {
        system: (effort, errors.by_system[system])
        for system, effort in taken.items()
        if effort is not None and system in errors.by_system
    }
    if len(known) < 2:
        return []
    front = pareto_front(known)

    def dominator(system: str) -> str | None:
        point = known.get(system)
        if point is None:
            return None
        # Of those on the front that take no more, the last makes the fewest errors.
        best = [name for name in front if known[name][0] <= point[0]][-1]
        return None if known[best] == point or known[best][1] > point[1] else best

    return [
        rate_column(errors.title, lambda row: errors.by_system.get(row.system), settings.rates, name="error"),
        Column("dominated by", lambda row: dominator(row.system), settings.name, kind="name", name="dominated_by"),
    ]


def pareto_front(points: Mapping[str, Point]) -> list[str]:
    """Names of points that no other point beats in both coordinates, from left to right."""
    front: list[str] = []
    for name in sorted(points, key=lambda name: points[name]):
        if not front or points[name][1] < points[front[-1]][1]:
            front.append(name)
    return front
