"""One run as a folder: config.json, results.json and summary.json, and readings.json where texts are kept."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from misread.engines.timing import LatencyMeter
from misread.errors import ConfigurationError, InputFileError, InputTypeError
from misread.io import read_json
from misread.io.atomic import write_folder
from misread.io.json_files import record_to_json, to_json
from misread.io.layouts import check_kind, check_layout, stamp
from misread.version import __version__

if TYPE_CHECKING:
    from misread.metrics import Metric
    from misread.stats import DatasetResult, MetricResult
    from misread.tally.scores import Scores

CONFIG = "config.json"
RESULTS = "results.json"
SUMMARY = "summary.json"
READINGS = "readings.json"
_LENGTH_OF_ID: Final = 12
_MILLISECONDS: Final = 1000.0


@dataclass(frozen=True, slots=True)
class SystemReadings:
    """Readings of one system, an entry per segment."""

    segment_id: Sequence[str]
    texts: Sequence[str | None]  # as they came; None where reading failed
    latency_seconds: Mapping[str, float]  # by segment, of those that were measured


@dataclass(frozen=True, slots=True)
class Run:
    """Content of a run folder."""

    config: Mapping[str, Any]  # settings of the run, with the version of misread
    # by segment id, system and metric: `score` (None where it is undefined) and the counts behind it
    results: Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]]
    summary: DatasetResult  # rates, intervals and tests over all segments
    # by system: `totals` and, by segment id under `segments`, `text` and `latency_ms`; empty where none are kept
    readings: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)


def write_run(
    folder: Path,
    *,
    config: Mapping[str, object],
    scores: Mapping[str, Scores],
    metrics: Sequence[Metric],
    summary: DatasetResult,
) -> None:
    """Write a run into a new or empty folder, or leave it there if the folder has the same run.

    The format is that of the OCR Benchmarking Metrics Specification, "Dataset Structure" (results/benchmarks/). Raises
    ConfigurationError if there is anything else in the folder.
    """
    _write(folder, _contents(config, scores, metrics, summary))


def keep_run(
    runs: Path,
    *,
    config: Mapping[str, object],
    scores: Mapping[str, Scores],
    metrics: Sequence[Metric],
    summary: DatasetResult,
    readings: Mapping[str, SystemReadings],
) -> Path:
    """Write a run into a folder of its own, named by its id.

    The id is the data set and a digest of the content without latencies, so that the same run comes into the same
    folder and another one into another: nothing is ever overwritten, and latencies are those of the first time.

    Parameters
    ----------
    runs : Path
        Folder of all runs.
    config : mapping of str to object
        Settings of the run; the id and the version of misread are added.
    scores : mapping of system to Scores
        Counts of every segment.
    metrics : sequence of Metric
        Their metrics.
    summary : DatasetResult
        Rates, intervals and tests.
    readings : mapping of system to SystemReadings
        Texts and latencies.

    Returns
    -------
    Path
        Folder of the run, with config.json, results.json, summary.json and readings.json.

    Raises
    ------
    ConfigurationError
        If the folder of that id has something else.

    References
    ----------
    OCR Benchmarking Metrics Specification, "Dataset Structure".
    """
    contents = _contents(config, scores, metrics, summary)
    texts = to_json({system: dict(_texts_by_segment(entries)) for system, entries in readings.items()})
    parts = [*(contents[name] for name in sorted(contents)), texts]
    digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts))
    run_id = f"{summary.dataset}_{digest.hexdigest()[:_LENGTH_OF_ID]}"
    contents[CONFIG] = to_json({"run_id": run_id, **json.loads(contents[CONFIG])})
    folder = runs / run_id
    _write(folder, contents, {READINGS: to_json(_describe_readings(readings, summary))})
    return folder


def _write(folder: Path, contents: Mapping[str, bytes], measured: Mapping[str, bytes] = MappingProxyType({})) -> None:
    """Write files of a run, and those that differ from time to time, if the folder has none."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        write_folder(folder, {**contents, **measured})
    elif any(not (folder / name).is_file() or (folder / name).read_bytes() != contents[name] for name in contents):
        raise ConfigurationError(
            f"{folder} has something else, and a run is never overwritten; name a new folder, or move this one away."
        )


def _contents(
    config: Mapping[str, object], scores: Mapping[str, Scores], metrics: Sequence[Metric], summary: DatasetResult
) -> dict[str, bytes]:
    return {
        CONFIG: to_json({**stamp("run"), **config, "misread": __version__}),
        RESULTS: to_json(segment_results(scores, metrics)),
        SUMMARY: record_to_json(summary, kind="comparison"),
    }


def _texts_by_segment(readings: SystemReadings) -> Iterable[tuple[str, str | None]]:
    return zip(readings.segment_id, readings.texts, strict=True)


def _describe_readings(readings: Mapping[str, SystemReadings], summary: DatasetResult) -> dict[str, Any]:
    described = {}
    for system, entries in readings.items():
        meter = LatencyMeter(list(entries.latency_seconds.values()))
        latencies = {
            segment: _MILLISECONDS * seconds for segment, seconds in entries.latency_seconds.items()
        }  # of the segments that were measured
        described[system] = {
            "totals": {
                "segments": len(entries.texts),
                "failed": sum(text is None for text in entries.texts),
                "seconds": sum(entries.latency_seconds.values()) if latencies else None,
                "latency_ms": {"mean": meter.mean(), **meter.summary()} if latencies else None,
                **_token_totals(summary.systems[system].values()),
            },
            "segments": {
                segment: {"text": text, "latency_ms": latencies.get(segment)}
                for segment, text in _texts_by_segment(entries)
            },
        }
    return described


def _token_totals(results: Iterable[MetricResult]) -> dict[str, float | None]:
    """Tokens of a language model over all segments and their price, where a metric counts them.

    Names are those of the OCR Benchmarking Metrics Specification, section 2.3.
    """
    for result in results:
        if "price" in result.signature.facts:
            counts, cost = result.counts, result.rate
            return {
                "total_tokens": counts["tokens"],
                "meaningful_tokens": counts["meaningful_tokens"],
                "estimated_cost_usd": None if cost is None else cost * counts["outputs"],
            }
    return {}


def read_run(folder: str | os.PathLike[str]) -> Run:
    """Read a run.

    Parameters
    ----------
    folder : str or path-like
        As `misread score --run-dir` leaves it.

    Raises
    ------
    InputFileError
        If a file is missing, is not valid JSON, is of a newer version, or does not hold what its name says; names it.
    InputTypeError
        If `folder` is not a path.
    """
    if not isinstance(folder, str | os.PathLike):
        raise InputTypeError(f"folder is of type {type(folder).__name__}, expected the path of a run's folder.")
    from misread.sockets import read_comparison

    folder = Path(folder)
    command = f"misread score --run-dir {folder}"
    for name in (CONFIG, RESULTS, SUMMARY):
        if not (folder / name).is_file():
            raise InputFileError(f"there is no {folder / name}; `{command}` writes a run.")
    contents = {}
    optional = [READINGS] if (folder / READINGS).is_file() else []
    for name in (CONFIG, RESULTS, *optional):
        path = folder / name
        content = read_json(path)
        if not isinstance(content, dict):
            raise InputFileError(f"{path} is of type {type(content).__name__}, expected a JSON object.")
        contents[name] = content
    config = contents[CONFIG]
    if "kind" in config:
        check_kind(folder / CONFIG, "run", config.pop("kind"), command=command)
        check_layout(folder / CONFIG, "run", config.pop("format", None), command=command)
    for segment, rates in contents[RESULTS].items():
        if not _is_by_system_and_metric(rates):
            raise InputFileError(f"{folder / RESULTS}: segment {segment!r} has no scores by system and metric.")
    readings = contents.get(READINGS, {})
    return Run(config, contents[RESULTS], read_comparison(folder / SUMMARY, command=command), readings)


def _is_by_system_and_metric(rates: object) -> bool:
    return isinstance(rates, dict) and all(
        isinstance(by_metric, dict) and all(isinstance(entry, dict) for entry in by_metric.values())
        for by_metric in rates.values()
    )


def segment_results(
    scores: Mapping[str, Scores], metrics: Sequence[Metric]
) -> dict[str, dict[str, dict[str, dict[str, float | int | None]]]]:
    """Results by segment id, system and metric: `score`, None where it is undefined, and the metric's counts."""
    results: dict[str, dict[str, dict[str, dict[str, float | int | None]]]] = {}
    for system, stored in scores.items():
        for metric in metrics:
            counts = stored.counts[metric.id]
            for segment, rate, row in zip(
                stored.segments.segment_id,
                metric.rate(counts.values).tolist(),
                counts.values.tolist(),
                strict=True,
            ):
                entry = {"score": None if math.isnan(rate) else rate, **dict(zip(counts.columns, row, strict=True))}
                results.setdefault(segment, {}).setdefault(system, {})[metric.id] = entry
    return results
