"""Figures for papers: one style, the same bytes for the same numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from misread.files.atomic import replacing
from misread.report.cells import metric_title
from misread.report.settings import ReportSettings
from misread.stats import DatasetResult, GroupResult, MetricResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer
    from matplotlib.figure import Figure

# Okabe & Ito (2008), told apart by colour-blind readers; markers tell them apart in print.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
COLUMN_WIDTH = 3.4
"""Inches: one column of a two-column paper."""
AXES_HEIGHT = 2.2
"""Inches without the legend."""
LINE_HEIGHT = 0.17
"""Inches of one line of the legend."""

LETTERS_ON_THE_AXIS = 36
"""More than these would run into each other and are turned."""

STYLE = Path(__file__).with_name("paper.mplstyle")


def draw_rates(result: DatasetResult, metric: str, settings: ReportSettings, folder: Path) -> list[Path]:
    """Draw the rate of every system with its interval, by group where the data set has groups.

    Parameters
    ----------
    result : DatasetResult
        All systems on one data set.
    metric : str
        What to draw.
    settings : ReportSettings
        Names and order of groups.
    folder : Path
        Where to.

    Returns
    -------
    list of Path
        A PDF and an SVG file a figure, one figure a group column.
    """
    stem = f"{result['dataset']}_{metric}"
    if not result["groups"]:
        return _save(_plot(result, metric, settings, "", ["all"]), folder / stem)
    return [
        path
        for column, groups in result["groups"].items()
        for path in _save(
            _plot(result, metric, settings, column, settings.sort_groups(column, list(groups))),
            folder / f"{stem}_by_{column}",
        )
    ]


def _plot(result: DatasetResult, metric: str, settings: ReportSettings, column: str, groups: Sequence[str]) -> Figure:
    from matplotlib import style
    from matplotlib.figure import Figure

    systems = list(result["systems"])
    names = [_plain(settings.name(system)) for system in systems]
    legend_columns = _legend_columns(names)
    with style.context(STYLE):
        height = AXES_HEIGHT + LINE_HEIGHT * math.ceil(len(systems) / legend_columns)
        figure = Figure(figsize=(COLUMN_WIDTH, height))
        axes = figure.add_subplot()
        marks = []
        for place, system in enumerate(systems):
            values = [_value(result, metric, system, column, group) for group in groups]
            offset = (place - (len(systems) - 1) / 2) * 0.5 / len(systems)
            marks.append(_draw_system(axes, values, offset, place))
        shown = groups if column else [settings.name(result["dataset"])]
        axes.set_xticks(range(len(groups)), [_plain(group) for group in shown])
        if sum(map(len, shown)) > LETTERS_ON_THE_AXIS:
            axes.tick_params("x", labelrotation=90)
        axes.set_xlim(-0.5, len(groups) - 0.5)
        axes.set_ylim(bottom=0)
        axes.set_xlabel(_plain(column))
        axes.set_ylabel(f"{metric_title(metric)} in %")
        figure.legend(handles=marks, labels=names, loc="outside upper center", ncols=legend_columns)
    return figure


def _plain(name: str) -> str:
    """Keep a name from being read as a formula."""
    return name.replace("$", r"\$")


def _legend_columns(names: Sequence[str]) -> int:
    """Give each name its room: a mark takes that of about 7 letters, and 46 letters make a line."""
    longest = max(len(name) for name in names)
    return max(1, min(3, len(names), 46 // (longest + 7)))


def _value(result: DatasetResult, metric: str, system: str, column: str, group: str) -> MetricResult | GroupResult:
    if column:
        return result["groups"][column][group][system][metric]
    return result["systems"][system][metric]


def _draw_system(
    axes: Axes, values: Sequence[MetricResult | GroupResult], offset: float, place: int
) -> ErrorbarContainer:
    known = [(x, value, value["micro"]) for x, value in enumerate(values)]
    points = [(x, value, 100 * rate) for x, value, rate in known if rate is not None]
    below, above = [], []
    for _, value, rate in points:
        interval = value["confidence_interval"]
        # The percentile interval of a skewed sample may lie beside the rate: a bar has no negative length.
        below.append(max(0.0, rate - 100 * interval["low"]) if interval else 0.0)
        above.append(max(0.0, 100 * interval["high"] - rate) if interval else 0.0)
    return axes.errorbar(
        [x + offset for x, _, _ in points],
        [rate for _, _, rate in points],
        yerr=[below, above],
        fmt=MARKERS[place % len(MARKERS)],
        color=COLOURS[place % len(COLOURS)],
        markersize=4,
        capsize=2,
        linewidth=1,
        # A rate of zero is drawn whole, on the axis.
        clip_on=False,
        zorder=3,
    )


def _save(figure: Figure, stem: Path) -> list[Path]:
    from matplotlib import style

    paths = []
    # A date in the file would make every run differ.
    for ending, metadata in ((".pdf", {"CreationDate": None}), (".svg", {"Date": None})):
        path = stem.with_name(stem.name + ending)
        with style.context(STYLE), replacing(path) as temporary:
            figure.savefig(temporary, format=ending[1:], metadata=metadata)
        paths.append(path)
    return paths
