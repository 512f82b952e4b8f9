"""Readings of a probe: the same sample of segments, twice at each concurrency, in shuffled order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from misread.data.segment_table import SegmentTable
from misread.engines import CaptureSettings, Journal, Readings, RemoteEngine, readers_for, why_not_applicable
from misread.engines.base import Reading
from misread.engines.disk_indexes import RequestLog
from misread.errors import ConfigurationError, InputValueError, setting
from misread.pipeline import paths
from misread.pipeline.capture_tally import CaptureTally, reading_progress
from misread.pipeline.stages.capture import describe_asked
from misread.storage import read_segments

if TYPE_CHECKING:
    from misread.pipeline.params import Params
from misread.pipeline.prices import read_prices

REPEATS: Final = 2
"""How often each segment is read at each concurrency: the repeat tells noise from an effect of concurrency."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Questions of a probe, in order."""

    system: str
    engine: RemoteEngine
    segments: SegmentTable  # those that were drawn, in the order of the data set
    whole: int  # segments of the data set
    concurrencies: Sequence[int]  # ascending
    seed: int

    @property
    def requests(self) -> int:
        """Number of requests."""
        return len(self.segments) * len(self.concurrencies) * REPEATS

    def passes(self) -> Iterator[tuple[int, int, list[int]]]:
        """Concurrency, repeat and rows of each pass: all concurrencies in random order, then all again."""
        rng = np.random.default_rng(self.seed)
        for repeat in range(1, REPEATS + 1):
            for concurrency in rng.permutation(self.concurrencies).tolist():
                yield concurrency, repeat, rng.permutation(len(self.segments)).tolist()


def draw_sample(
    params: Params, dataset: str, system: str, *, concurrencies: Sequence[int], size: int, seed: int
) -> Sample:
    """Draw segments at random; raises ConfigurationError for a system that is not behind a server."""
    engine = params.engine(system)
    segments, offers = read_segments(paths.segments(dataset), data_root=params.data_root)
    if unreadable := why_not_applicable(engine, offers):
        raise ConfigurationError(f"{system} has no readings of {dataset} to be probed: {unreadable}.")
    if not (isinstance(engine, RemoteEngine) and is_dataclass(engine)):
        raise ConfigurationError(
            f"{system} reads on this machine, one segment at a time in each process: {setting('probe', 'true')} is for "
            "systems behind a server, which have the setting concurrency."
        )
    if size < 1:
        raise InputValueError(f"{setting('sample')} is {size}, expected 1 or more.")
    rows = np.sort(np.random.default_rng(seed).permutation(len(segments))[:size]).tolist()
    return Sample(
        system=system,
        engine=engine,
        segments=segments.take(rows),
        whole=len(segments),
        concurrencies=concurrencies,
        seed=seed,
    )


def read_sample(params: Params, dataset: str, sample: Sample, *, quiet: bool) -> dict[int, list[list[Reading]]]:
    """Readings by concurrency, one list per repeat in the order of the sample.

    Answers are kept in a journal of their own until all are there, so that a probe that was interrupted goes on, and
    the next one asks again. Raises CaptureFailedError if a cache answered twice, or more failed than the system allows.
    """
    path = paths.probe_journal(dataset, sample.system)
    settings = CaptureSettings(max_failed=params.capture_settings(sample.system).max_failed)
    asked = describe_asked(params, sample.system, sample.engine)
    readings: dict[int, list[list[Reading]]] = {concurrency: [] for concurrency in sample.concurrencies}
    requests = RequestLog()
    tally = CaptureTally(f"probe of {sample.system}", read_prices(params).get(sample.system))
    sources = list(sample.segments.sources(recorded=False))
    with params.executor() as executor, reading_progress(tally, sample.requests, quiet=quiet) as listeners:
        for number, (concurrency, repeat, rows) in enumerate(sample.passes(), start=1):
            engine = _at(sample.engine, concurrency)
            shuffled = [replace(sources[row], run=repeat) for row in rows]
            with Journal(path, {**asked, "asked at": concurrency}) as journal:
                made = Readings(shuffled, engine, readers_for(engine, executor), journal, settings)
                made.read(*listeners)
                by_row = dict(zip(rows, made, strict=True))
            readings[concurrency].append([by_row[row] for row in range(len(rows))])
            for reading in readings[concurrency][-1]:
                requests.add(replace(reading, run=number))
    path.unlink()
    requests.refuse_repeats("probe again")
    return readings


def _at(engine: RemoteEngine, concurrency: int) -> RemoteEngine:
    return cast("RemoteEngine", replace(cast("Any", engine), concurrency=concurrency))
