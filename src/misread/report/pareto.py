"""Error against latency, with the systems that no other beats in both."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from misread.engines.timing.latency import LatencyMeter
from misread.records import Timings
from misread.stats import DatasetResult
from misread.tables import ReportSettings
from misread.tables.figures.canvas import drawing, mark_of, plain
from misread.tables.rates_layout import metric_title
from misread.text.display import file_stem

_HEIGHT = 2.4
"""Inches."""


def draw_pareto(
    result: DatasetResult, metric: str, timings: Mapping[str, Timings], settings: ReportSettings, folder: Path
) -> list[Path]:
    """Draw error against median latency, with a step line along the Pareto front.

    Lower values of the metric must be better. No files if fewer than two systems were timed.
    """
    from matplotlib.ticker import FuncFormatter

    points = {}
    for system, of in result.systems.items():
        rate = of[metric].micro
        if rate is not None and system in timings and len(timings[system].latency_seconds):
            meter = LatencyMeter(timings[system].warm_seconds.tolist())
            points[system] = (meter.percentile(50), settings.rates.scaled(rate))
    if len(points) < 2:
        return []
    with drawing(folder / file_stem(result.dataset, metric, "by_latency"), settings.figure_formats, _HEIGHT) as (
        figure,
        paths,
    ):
        axes = figure.add_subplot()
        front = [points[name] for name in pareto_front(points)]
        axes.step(*zip(*front, strict=True), where="post", color="#777777", linewidth=1, linestyle="--", zorder=2)
        for place, (system, (latency, rate)) in enumerate(points.items()):
            axes.plot(latency, rate, **mark_of(place), linestyle="", clip_on=False, zorder=3)
            axes.annotate(plain(settings.name(system)), (latency, rate), xytext=(5, 4), textcoords="offset points")
        axes.set_xscale("log")
        for axis_ticks in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
            axis_ticks(FuncFormatter(lambda value, _: f"{value:g}"))
        # Space for the names, above and to the right of their marks.
        axes.margins(x=0.3)
        values = [rate for _, rate in points.values()]
        axes.set_ylim(min(0.0, 1.15 * min(values)), max(0.0, 1.15 * max(values)) or float(min(values) == 0))
        axes.set_xlabel("median latency in ms")
        axes.set_ylabel(f"{metric_title(metric)}{settings.rates.axis}")
    return paths


def pareto_front(points: Mapping[str, tuple[float, float]]) -> list[str]:
    """Names of points that no other point beats in both coordinates, from left to right."""
    front: list[str] = []
    for name in sorted(points, key=lambda name: points[name]):
        if not front or points[name][1] < points[front[-1]][1]:
            front.append(name)
    return front
