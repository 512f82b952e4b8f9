"""The benchmark of the specification: DeepSeek-OCR and Tesseract read a data set, and are compared.

`python worker.py NAME` reads data/datasets/NAME and keeps the run in data/results/benchmarks/RUN_ID. The systems, the
metrics and the normalizer are those of misread's preset `deepseek_tesseract`; the environment variables DEEPSEEK_URL
and TESSERACT_URL name other servers. Readings are kept as they come, so that a run that broke off goes on where it
stopped; those that failed are asked for again.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from misread.data.segment_table import Origin, SegmentTable
from misread.engines import Journal, Processes, Readings
from misread.engines.reading import warn_of_failures
from misread.errors import NoServerError
from misread.evaluation import evaluate_table
from misread.io.console import errors_as_answers, warn, write_out
from misread.io.yaml_files import read_yaml
from misread.pipeline.capture_tally import CaptureTally, reading_progress
from misread.pipeline.params import Params
from misread.pipeline.paths import SHIPPED_CONF
from misread.pipeline.run_folder import keep_run
from misread.sockets import get_metrics
from misread.stats import StatisticsSettings
from utils.data_loader import load_dataset

SERVERS = {"deepseek": "DEEPSEEK_URL", "tesseract_worker": "TESSERACT_URL"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark on one data set."""
    parser = argparse.ArgumentParser(description="Compare DeepSeek-OCR and Tesseract on a data set.")
    parser.add_argument("dataset", help="name of a folder in data/datasets")
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder with datasets/ and results/")
    parser.add_argument(
        "--missing",
        choices=["error", "drop", "empty"],
        default="error",
        help="images that a system failed at: stop, leave them out for both, or count them as empty texts",
    )
    given = parser.parse_args(arguments)
    with errors_as_answers():
        run(given.dataset, given.data, missing=given.missing)


def run(name: str, data: Path, *, missing: str) -> Path:
    """Load, read, compute, store and report; the folder of the run."""
    dataset = load_dataset(data, name)
    preset = read_yaml(SHIPPED_CONF / "experiment/deepseek_tesseract.yaml")
    systems = {system: _settings(system) for system in SERVERS}
    texts: dict[str, list[str | None]] = {}
    left_out = {}
    for system, settings in systems.items():
        try:
            texts[system] = _read(system, settings, dataset, data / "results/journal" / name / f"{system}.jsonl")
        except NoServerError as error:
            if settings.get("without_server") != "leave_out":
                raise
            warn(f"{system} is left out: {error.line}")
            left_out[system] = error.reason
    names = read_yaml(SHIPPED_CONF / "metrics/benchmark.yaml")
    metrics = get_metrics([f"{metric_id}={name}" for metric_id, name in names.items()])
    statistics = StatisticsSettings(seed=1)
    evaluation = evaluate_table(
        replace(dataset, hypotheses=texts),
        metrics=metrics,
        normalizer=preset["normalizer"],
        missing=missing,
        statistics=statistics,
        baseline=preset["baseline"],
    )
    folder = keep_run(
        data / "results/benchmarks",
        config={
            "dataset": name,
            "data": dataset.digest,
            "systems": systems,
            "left_out": left_out,
            "metrics": names,
            "normalizer": preset["normalizer"],
            "missing": missing,
            "statistics": asdict(statistics),
        },
        scores={system: of.scores for system, of in evaluation.scored.items()},
        metrics=metrics,
        summary=evaluation.result,
    )
    write_out(f"{evaluation}\nrun: {folder}")
    return folder


def _settings(system: str) -> dict[str, Any]:
    settings = dict(read_yaml(SHIPPED_CONF / f"systems/{system}.yaml")["systems"][system])
    return {**settings, "url": os.environ.get(SERVERS[system]) or settings["url"]}


def _read(system: str, settings: Mapping[str, Any], dataset: SegmentTable, journal: Path) -> list[str | None]:
    """Text of every image, None where reading it failed."""
    params = Params({"systems": {system: dict(settings)}})
    engine = params.engine(system)
    asked = {**settings, "revision": engine.revision, "versions": dict(engine.versions())}
    with Journal(journal, asked) as kept:
        readings = Readings(
            dataset.sources(), engine, Processes(), kept, params.capture_settings(system), retry_failed=True
        )
        with reading_progress(CaptureTally(f"{system} reads {dataset.name}", None), len(readings)) as listeners:
            readings.read(*listeners)
        failures = readings.failures
        cure = "Run the worker again: it asks for these again, and for no others."
        warn_of_failures(Origin(dataset.name, system), failures.first, failures.number, len(readings), cure)
        return [reading.text for reading in readings]


if __name__ == "__main__":
    main()
