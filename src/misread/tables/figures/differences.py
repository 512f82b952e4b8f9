"""Forest plot: differences of pairs of systems with their intervals."""

from __future__ import annotations

from pathlib import Path

from misread.stats import DatasetResult
from misread.tables.figures.canvas import COLOURS, LINE_HEIGHT, drawing, plain
from misread.tables.rates_layout import metric_title
from misread.tables.settings import ReportSettings
from misread.text.display import file_stem

_ROW_HEIGHT = 1.3
"""Lines."""
_AXIS_HEIGHT = 4
"""Lines below the rows: numbers, title and legend."""


def draw_differences(result: DatasetResult, metric: str, settings: ReportSettings, folder: Path) -> list[Path]:
    """Draw the difference of every pair with its interval, with a hollow mark if it is not significant.

    No files if no pair has an interval.
    """
    pairs = [(pair, pair.confidence_interval) for pair in result.pairs(metric) if pair.confidence_interval]
    if not pairs:
        return []
    rates = settings.rates
    height = LINE_HEIGHT * (_AXIS_HEIGHT + _ROW_HEIGHT * len(pairs))
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
        axes.set_yticks(range(len(pairs)), [plain(name) for name in names])
        axes.set_ylim(len(pairs) - 0.5, -0.5)
        axes.grid(axis="y", visible=False)
        axes.grid(axis="x", visible=True)
        axes.margins(x=0.08)
        unit = " in points" if rates.unit == "percent" else ""
        # Below the whole figure: names of systems leave little space below the axis.
        figure.supxlabel(f"difference of {metric_title(metric)}{unit}; hollow: not significant", fontsize=8)
    return paths
