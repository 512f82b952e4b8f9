"""Table of latencies, the only table that differs from run to run, and the figure of error against latency."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from misread.engines.timing import LatencyMeter, Timings, throughput
from misread.stats import DatasetResult
from misread.tables import Column, ReportSettings, Table, in_files
from misread.tables.figures.canvas import drawing, mark_of, plain
from misread.tables.rates_layout import metric_title
from misread.text.display import file_stem
from misread.types import FloatArray

_MEGABYTE = 1e6
_MILLISECONDS = 1000.0
_PERCENTILES = (50, 90, 99)
_NOT_REPRODUCIBLE = (
    "Measured once, on one machine; another run gives different numbers. Memory is the largest peak during a "
    "segment, of the process that read it and those that it started. First readings of an engine or a connection are "
    "not among the others."
)


@dataclass(frozen=True)
class _Speed:
    """Measurements of one system; None if unknown."""

    system: str
    readings: int
    mean: float
    percentiles: Sequence[float]
    per_second: float
    megabytes: float | None
    first_reading_ms: float | None
    start_up_s: float | None
    first_byte_ms: float | None
    tokens_per_second: float | None


def _measure_column(title: str, name: str, value: Callable[[_Speed], float | None], digits: int = 1) -> Column:
    return Column(title, value, digits=digits, kind="decimal", name=name)


# Measures that not every system has.
_SELDOM: Final = (
    _measure_column("MB", "peak_memory_mb", lambda speed: speed.megabytes, 0),
    _measure_column("first reading", "first_reading_ms", lambda speed: speed.first_reading_ms),
    _measure_column("start-up in s", "start_up_s", lambda speed: speed.start_up_s, 2),
    _measure_column("first byte", "first_byte_ms", lambda speed: speed.first_byte_ms),
    _measure_column("tokens/s", "tokens_per_second", lambda speed: speed.tokens_per_second),
)


def lay_out_latency(dataset: str, timings: Mapping[str, Timings], settings: ReportSettings) -> Table | None:
    """Milliseconds per segment, segments per second of one reader, and megabytes; None if nothing was measured.

    A system without timings has no row: its outputs were recorded elsewhere, or it cannot read the data set. First
    readings of an engine or a connection are reported separately, unless there are no others.
    """
    measured = {system: timing for system, timing in timings.items() if len(timing.latency_seconds)}
    if not measured:
        return None
    speeds = [_measure(system, timing) for system, timing in measured.items()]
    engines = (
        f"{settings.name(system)}: {', '.join(' '.join(pair) for pair in sorted(timing.origin.engine.items()))}."
        for system, timing in measured.items()
    )

    def percentile_column(index: int, percent: int) -> Column:
        return _measure_column(f"p{percent}", f"p{percent}_ms", lambda speed: speed.percentiles[index])

    return Table(
        stem=file_stem(dataset, "latency"),
        caption=f"Latency on {settings.name(dataset)}, milliseconds per segment. Lower is better.",
        columns=[
            in_files("dataset", dataset),
            Column("system", lambda speed: speed.system, settings.name, kind="name", name="system"),
            Column("n", lambda speed: speed.readings, name="segments"),
            _measure_column("mean", "mean_ms", lambda speed: speed.mean),
            *(percentile_column(index, percent) for index, percent in enumerate(_PERCENTILES)),
            _measure_column("segments/s", "segments_per_second", lambda speed: speed.per_second, 2),
            *(column for column in _SELDOM if any(column.value(speed) is not None for speed in speeds)),
        ],
        rows=speeds,
        notes=[_NOT_REPRODUCIBLE, *engines],
        signature=f"latency|unit:ms|data:{dataset}@{next(iter(measured.values())).origin.data_digest[:8]}",
    )


def _measure(system: str, timings: Timings) -> _Speed:
    meter = LatencyMeter(timings.warm_seconds.tolist())
    streaming = timings.latency_seconds - timings.first_byte_seconds
    # Only streams show when the first token came.
    known = ~np.isnan(streaming) & ~np.isnan(timings.output_tokens)
    streamed = float(streaming[known].sum())
    peak = float(np.fmax.reduce(timings.peak_memory_bytes))
    return _Speed(
        system=system,
        readings=len(meter.seconds),
        mean=meter.mean(),
        percentiles=[meter.percentile(percent) for percent in _PERCENTILES],
        per_second=throughput(len(meter.seconds), sum(meter.seconds)).samples_per_second,
        megabytes=None if math.isnan(peak) else peak / _MEGABYTE,
        first_reading_ms=_mean(timings.latency_seconds[timings.warm_up] * _MILLISECONDS),
        start_up_s=_mean(timings.start_up_seconds),
        first_byte_ms=_mean(timings.first_byte_seconds * _MILLISECONDS),
        tokens_per_second=float(timings.output_tokens[known].sum()) / streamed if streamed > 0 else None,
    )


def _mean(values: FloatArray) -> float | None:
    """Mean of the known values."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


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
    for system, rates_by_metric in result.systems.items():
        rate = rates_by_metric[metric].micro
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
        for index, (system, (latency, rate)) in enumerate(points.items()):
            axes.plot(latency, rate, **mark_of(index), linestyle="", clip_on=False, zorder=3)
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
