"""Forest plot: rates of all systems with their intervals, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from misread.extras import needed_for
from misread.stats import DatasetResult
from misread.tables.figures.canvas import COLOURS, COLUMN_WIDTH, LINE_HEIGHT, STYLE, plain
from misread.tables.rates import make_rate_table
from misread.tables.rates_layout import metric_title
from misread.tables.settings import ReportSettings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
        for place, row in enumerate(rows):
            if interval := row.result.interval:
                ends = [rates.scaled(interval.low), rates.scaled(interval.high)]
                axes.plot(ends, [place, place], color=COLOURS[0], linewidth=1.2, solid_capstyle="butt")
            # Systems without a rate have no row.
            rate = rates.scaled(row.result.rate or 0.0)
            # The mark of a rate of zero, on the axis, is not clipped.
            axes.plot(rate, place, marker="o", markersize=4.5, color=COLOURS[0], clip_on=False, zorder=3)
        axes.set_yticks(range(len(rows)), [plain(row.name) for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        if axes.dataLim.x0 >= 0:
            axes.set_xlim(left=0)
        axes.grid(axis="y", visible=False)
        axes.grid(axis="x", visible=True)
        axes.set_xlabel(f"{metric_title(metric)}{rates.axis}")
        axes.set_title(plain(result.dataset), fontsize="medium")
    return axes
