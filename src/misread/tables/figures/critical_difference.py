"""Critical-difference diagrams: average ranks on one axis, with bars over systems that do not differ significantly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from misread.stats import AverageRanks, NemenyiResult
from misread.tables.figures.canvas import COLUMN_WIDTH, LINE_HEIGHT, drawing, plain
from misread.tables.number_text import pvalue_text
from misread.tables.settings import ReportSettings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ABOVE = 3.2
"""Lines above the axis: the bar of the critical difference, and the numbers."""
_BAR_STEP = 0.45
"""Lines between bars."""
_CAPTION = 1.4
"""Lines below the last name."""
_LETTER = 0.066
"""Average width of a letter in inches."""
_MARGIN = 0.2
_SHORTEST_AXIS = 1.2
"""Inches; long names make the figure wider than a column rather than the axis shorter."""


def draw_critical_difference(ranks: AverageRanks, settings: ReportSettings, stem: Path) -> list[Path]:
    """Draw a critical-difference diagram of average ranks over clusters or data sets.

    Demšar (2006), Statistical comparisons of classifiers over multiple data sets, figure 1.
    """
    nemenyi = ranks.nemenyi
    values = list(nemenyi.average_ranks.values())
    labels = [f"{plain(settings.name(name))} {value:.2f}" for name, value in nemenyi.average_ranks.items()]
    rows = math.ceil(len(values) / 2)
    # Better systems are to the left of the axis, the others to its right.
    sides = [_MARGIN + _LETTER * max(map(len, side)) for side in (labels[:rows], labels[rows:])]
    width = max(COLUMN_WIDTH, sum(sides) + _SHORTEST_AXIS)
    frame = _Frame(sides[0], width - sides[1], len(values))
    bars = find_bars(values, nemenyi.critical_difference)
    below = 1 + _BAR_STEP * len(bars) + rows + _CAPTION
    with drawing(stem, settings.figure_formats, LINE_HEIGHT * (_ABOVE + below), width) as (figure, paths):
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, width)
        axes.set_ylim(below, -_ABOVE)
        _draw_axis(axes, nemenyi, frame)
        for index, (first, last) in enumerate(bars):
            height = 0.6 + _BAR_STEP * index
            # Bars reach a little beyond their marks, so that two bars that end at one system are both visible.
            ends = [frame.x(values[first]) - 0.03, frame.x(values[last]) + 0.03]
            axes.plot(ends, [height, height], color="black", linewidth=2.5, solid_capstyle="butt")
        for index, (label, value) in enumerate(zip(labels, values, strict=True)):
            is_left = index < rows
            height = 1 + _BAR_STEP * len(bars) + (index if is_left else len(values) - 1 - index)
            end = frame.left - 0.06 if is_left else frame.right + 0.06
            axes.plot([frame.x(value)] * 2 + [end], [0, height, height], color="black", linewidth=0.8)
            beside = end - 0.04 if is_left else end + 0.04
            axes.text(beside, height, label, ha="right" if is_left else "left", va="center")
        friedman = ranks.friedman
        over = f"{nemenyi.blocks} {plain(friedman.unit)}s"
        caption = f"average ranks over {over}; Friedman p {pvalue_text(friedman.pvalue)}"
        axes.text(width / 2, below - 0.3, caption, ha="center", va="bottom", fontsize=7)
    return paths


def find_bars(ranks: list[float], critical_difference: float) -> list[tuple[int, int]]:
    """First and last place, from 0, of every longest run of two or more ranks within the critical difference.

    The ranks must be in ascending order.
    """
    bars: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = max(index for index, other in enumerate(ranks) if other - rank <= critical_difference)
        if last > first and not (bars and bars[-1][1] >= last):
            bars.append((first, last))
    return bars


@dataclass(frozen=True)
class _Frame:
    """Position of the axis on the page, in inches."""

    left: float
    right: float
    systems: int

    def x(self, rank: float) -> float:
        return self.left + (rank - 1) / (self.systems - 1) * (self.right - self.left)


def _draw_axis(axes: Axes, nemenyi: NemenyiResult, frame: _Frame) -> None:
    width = nemenyi.critical_difference
    axes.plot([frame.left, frame.right], [0, 0], color="black", linewidth=0.8)
    for rank in range(1, frame.systems + 1):
        axes.plot([frame.x(rank)] * 2, [0, -0.3], color="black", linewidth=0.8)
        axes.text(frame.x(rank), -0.45, str(rank), ha="center", va="bottom")
    height = -1.8
    # A critical difference wider than the axis is cut at its end, dashed, and still labelled with its length.
    is_cut = width > frame.systems - 1
    end = frame.right if is_cut else frame.x(1 + width)
    axes.plot([frame.left, end], [height, height], color="black", linewidth=0.8, linestyle="--" if is_cut else "-")
    for x in (frame.left,) if is_cut else (frame.left, end):
        axes.plot([x, x], [height - 0.15, height + 0.15], color="black", linewidth=0.8)
    axes.text(frame.left, height - 0.25, f"CD = {width:.2f} at level {nemenyi.alpha:g}", ha="left", va="bottom")
