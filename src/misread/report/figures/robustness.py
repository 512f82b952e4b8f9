"""Rate against level of degradation: one curve per system, with intervals."""

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
from misread.report.numbers import interval_ends
from misread.report.settings import ReportSettings
from misread.report.tables.rates_layout import metric_title
from misread.stats import DatasetResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_robustness(
    result: DatasetResult, metric: str, column: str, settings: ReportSettings, folder: Path
) -> list[Path]:
    """Draw rates by level of degradation, in the order of `settings.group_order`."""
    levels = settings.sort_groups(column, list(result.groups[column]))
    stem = file_stem(result.dataset, metric, "robustness", column)
    return save(_plot(result, metric, column, levels, settings), folder / stem)


def _plot(result: DatasetResult, metric: str, column: str, levels: Sequence[str], settings: ReportSettings) -> Figure:
    from matplotlib import style
    from matplotlib.figure import Figure

    systems = list(result.systems)
    names = [plain(settings.name(system)) for system in systems]
    scaled = settings.rates.scaled
    with style.context(STYLE):
        height = AXES_HEIGHT + LINE_HEIGHT * math.ceil(len(systems) / legend_columns(names))
        figure = Figure(figsize=(COLUMN_WIDTH, height))
        axes = figure.add_subplot()
        marks = []
        for place, system in enumerate(systems):
            values = [result.groups[column][level][system][metric] for level in levels]
            rates = [math.nan if of.micro is None else scaled(of.micro) for of in values]
            colour = COLOURS[place % len(COLOURS)]
            marks += axes.plot(rates, marker=MARKERS[place % len(MARKERS)], color=colour, markersize=4, linewidth=1)
            ends = [of.confidence_interval for of in values]
            low, high = (
                [math.nan if end is None else scaled(end) for end in side]
                for side in zip(*map(interval_ends, ends), strict=True)
            )
            axes.fill_between(range(len(levels)), low, high, color=colour, alpha=0.15, linewidth=0)
        axes.set_xticks(range(len(levels)), [plain(level) for level in levels])
        axes.set_ylim(bottom=0)
        axes.set_xlabel(plain(column))
        axes.set_ylabel(f"{metric_title(metric)}{settings.rates.axis}")
        figure.legend(handles=marks, labels=names, loc="outside upper center", ncols=legend_columns(names))
    return figure
