"""Table of latencies, the only table that differs from run to run, and the figure of error against latency."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from misread.engines.timing import LatencyMeter, Timings, throughput
from misread.provenance.signature import Signature
from misread.report.source_units import SourceUnits
from misread.stats import DatasetResult
from misread.tables import Column, ReportSettings, Table, in_files
from misread.tables.figures.trade_off import NO_ERRORS, Errors, draw_trade_off, trade_off_columns
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
_RECORDED = "Recorded elsewhere, once; another run gives different numbers. First readings are among the others."


@dataclass(frozen=True)
class _Speed:
    """Measurements of one system; None if unknown."""

    system: str
    readings: int
    mean: float
    percentiles: Sequence[float]
    per_second: float
    lines_per_second: float | None
    pages_per_minute: float | None
    megabytes: float | None
    first_reading_ms: float | None
    start_up_s: float | None
    first_byte_ms: float | None
    tokens_per_second: float | None


def _measure_column(title: str, name: str, value: Callable[[_Speed], float | None], digits: int = 1) -> Column:
    return Column(title, value, digits=digits, kind="decimal", name=name)


# Measures that not every system, or not every data set, has.
_SELDOM: Final = (
    _measure_column("pages/min", "pages_per_minute", lambda speed: speed.pages_per_minute, 2),
    _measure_column("MB", "peak_memory_mb", lambda speed: speed.megabytes, 0),
    _measure_column("first reading", "first_reading_ms", lambda speed: speed.first_reading_ms),
    _measure_column("start-up in s", "start_up_s", lambda speed: speed.start_up_s, 2),
    _measure_column("first byte", "first_byte_ms", lambda speed: speed.first_byte_ms),
    _measure_column("tokens/s", "tokens_per_second", lambda speed: speed.tokens_per_second),
)


def lay_out_latency(
    dataset: str,
    timings: Mapping[str, Timings],
    settings: ReportSettings,
    units: SourceUnits,
    errors: Errors = NO_ERRORS,
) -> Table | None:
    """Milliseconds per segment, segments per second of one reader, and megabytes; None if nothing was measured.

    Of pages, `units` tells lines per second and pages per minute; segments that are lines are called so.

    A system without timings has no row: its outputs were recorded elsewhere, or it cannot read the data set. First
    readings of an engine or a connection are reported separately, unless there are no others.
    """
    measured = {system: timing for system, timing in timings.items() if len(timing.warm_rows)}
    if not measured:
        return None
    speeds = [_measure(system, timing, units) for system, timing in measured.items()]
    engines = (
        f"{settings.name(system)}: {'; '.join(' '.join(pair) for pair in sorted(timing.origin.engine_facts.items()))}."
        for system, timing in measured.items()
        if timing.origin.engine_facts
    )
    digest = next(iter(measured.values())).origin.data_digest[:8]
    is_recorded = all(np.isnan(timing.peak_memory_bytes).all() for timing in measured.values())

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
            *_speed_columns(speeds, units),
            *(column for column in _SELDOM if any(column.value(speed) is not None for speed in speeds)),
            *trade_off_columns({speed.system: speed.percentiles[0] for speed in speeds}, errors, settings),
        ],
        rows=speeds,
        notes=[_RECORDED if is_recorded else _NOT_REPRODUCIBLE, *engines],
        signature=str(Signature("latency", {"unit": "ms", "data": f"{dataset}@{digest}"})),
    )


def _speed_columns(speeds: Sequence[_Speed], units: SourceUnits) -> list[Column]:
    """Segments per second and, where that is known, lines per second: the same where segments are lines."""
    segments = _measure_column("segments/s", "segments_per_second", lambda speed: speed.per_second, 2)
    lines = _measure_column("lines/s", "lines_per_second", lambda speed: speed.lines_per_second, 2)
    if units.are_lines:
        return [replace(segments, title=None), lines]
    return [segments, *([lines] if any(speed.lines_per_second is not None for speed in speeds) else [])]


def _measure(system: str, timings: Timings, units: SourceUnits) -> _Speed:
    meter = LatencyMeter(timings.warm_seconds.tolist())
    streaming = timings.latency_seconds - timings.first_byte_seconds
    # Only streams show when the first token came.
    known = ~np.isnan(streaming) & ~np.isnan(timings.output_tokens)
    streamed = float(streaming[known].sum())
    pace = throughput(
        len(meter.seconds),
        sum(meter.seconds),
        lines=units.count_lines([timings.segment_id[row] for row in timings.warm_rows]),
        pages=len(meter.seconds) if units.are_pages else None,
    )
    peak = float(np.fmax.reduce(timings.peak_memory_bytes))
    return _Speed(
        system=system,
        readings=len(meter.seconds),
        mean=meter.mean(),
        percentiles=[meter.percentile(percent) for percent in _PERCENTILES],
        per_second=pace.samples_per_second,
        lines_per_second=pace.lines_per_second,
        pages_per_minute=pace.pages_per_minute,
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


def draw_pareto(
    result: DatasetResult, metric: str, timings: Mapping[str, Timings], settings: ReportSettings, folder: Path
) -> list[Path]:
    """Draw error against median latency; no files if fewer than two systems were timed."""
    medians = {
        system: LatencyMeter(timing.warm_seconds.tolist()).percentile(50)
        for system, timing in timings.items()
        if len(timing.warm_rows)
    }
    title = "median latency in ms"
    return draw_trade_off(result, metric, medians, settings, title=title, folder=folder, name="by_latency")
