"""Table of latencies, the only one whose numbers differ from run to run."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from misread.records import Timings
from misread.report.file_stem import file_stem
from misread.report.settings import ReportSettings
from misread.report.tables.table import Cell, Column, Table
from misread.timing.latency import LatencyMeter, throughput

_MEGABYTE = 1e6
_PERCENTILES = (50, 90, 99)
_NOT_REPRODUCIBLE = (
    "Measured once, on one machine; another run gives different numbers. Memory is the largest peak during a "
    "segment, of the process that read it and those that it started."
)


def lay_out_latency(dataset: str, timings: Mapping[str, Timings], settings: ReportSettings) -> Table | None:
    """Milliseconds per segment, segments per second of one reader, and megabytes; None if nothing was measured.

    A system without timings has no row: its outputs were recorded elsewhere, or it cannot read the data set.
    """
    measured = {system: of for system, of in timings.items() if len(of.latency_seconds)}
    if not measured:
        return None
    rows: list[list[Cell]] = []
    records: list[tuple[str | float, ...]] = []
    for system, of in measured.items():
        meter = LatencyMeter(of.latency_seconds.tolist())
        values = [meter.mean(), *(meter.percentile(percent) for percent in _PERCENTILES)]
        pace = throughput(len(meter.seconds), sum(meter.seconds)).samples_per_second
        memory = float(np.fmax.reduce(of.peak_memory_bytes)) / _MEGABYTE
        rows.append(
            [
                Cell(settings.name(system)),
                Cell(f"{len(meter.seconds):,}"),
                *(Cell(f"{value:.1f}") for value in values),
                Cell(f"{pace:.2f}"),
                Cell("" if math.isnan(memory) else f"{memory:.0f}"),
            ]
        )
        records.append((dataset, system, len(meter.seconds), *values, pace, "" if math.isnan(memory) else memory))
    engines = (
        f"{settings.name(system)}: {', '.join(' '.join(pair) for pair in sorted(of.origin.engine.items()))}."
        for system, of in measured.items()
    )
    percentiles = [f"p{percent}" for percent in _PERCENTILES]
    return Table(
        stem=file_stem(dataset, "latency"),
        caption=f"Latency on {settings.name(dataset)}, milliseconds per segment. Lower is better.",
        columns=[
            Column("system", kind="name"),
            Column("n"),
            *(Column(name, kind="decimal") for name in ("mean", *percentiles)),
            Column("segments/s", kind="decimal"),
            Column("MB", kind="decimal"),
        ],
        rows=rows,
        notes=[_NOT_REPRODUCIBLE, *engines],
        signature=f"latency|unit:ms|data:{dataset}@{next(iter(measured.values())).origin.data_digest[:8]}",
        record_names=(
            *("dataset", "system", "segments", "mean_ms", *(f"{name}_ms" for name in percentiles)),
            *("segments_per_second", "peak_memory_mb"),
        ),
        records=records,
    )
