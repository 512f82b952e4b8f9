"""The benchmark of the specification: DeepSeek-OCR and Tesseract read a data set, and are compared.

`python worker.py NAME` reads data/datasets/NAME and keeps the run in data/results/benchmarks/RUN_ID: all metrics of the
specification, texts, latencies and totals. The systems, the metrics and the normalizers are those of misread's presets
`deepseek_tesseract` and, for fields and tasks, `deepseek_tesseract_fields`; the environment variables DEEPSEEK_URL and
TESSERACT_URL name other servers. Readings are kept as they come, so that a run that broke off goes on where it
stopped; those that failed are asked for again.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from misread import Evaluation, Metric, Normalizer, read_run
from misread.data.segment_table import Origin, SegmentTable
from misread.engines import Journal, Processes, Readings
from misread.engines.base import Reading
from misread.engines.reading import warn_of_failures
from misread.errors import NoServerError, spell_as_key, spelled_by
from misread.evaluation import evaluate_table
from misread.io.console import errors_as_answers, note, warn, write_out
from misread.io.yaml_files import read_yaml
from misread.pipeline.capture_tally import CaptureTally, reading_progress
from misread.pipeline.params import Params
from misread.pipeline.paths import SHIPPED_CONF
from misread.pipeline.run_folder import SystemReadings, keep_run
from misread.sockets import get_metrics
from misread.stats import DatasetResult, StatisticsSettings
from misread.tally.scores import Scores
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
    with spelled_by(_spell_setting), errors_as_answers():
        run(given.dataset, given.data, missing=given.missing)


def _spell_setting(name: str, value: str) -> str:
    return f"--missing {value}" if name == "missing" else spell_as_key(name, value)


def run(name: str, data: Path, *, missing: str) -> Path:
    """Load, read, compute, store and report; the folder of the run."""
    documents, fields = load_dataset(data, name)
    dataset = documents or fields
    preset = read_yaml(SHIPPED_CONF / "experiment/deepseek_tesseract.yaml")
    systems = {system: _settings(system) for system in SERVERS}
    readings: dict[str, list[Reading]] = {}
    left_out = {}
    for system, settings in systems.items():
        try:
            readings[system] = _read(system, settings, dataset, data / "results/journal" / name / f"{system}.jsonl")
        except NoServerError as error:
            if settings.get("without_server") != "leave_out":
                raise
            warn(f"{system} is left out: {error.line}")
            left_out[system] = error.reason
    texts = {system: [reading.text for reading in answers] for system, answers in readings.items()}
    statistics = StatisticsSettings(seed=1)
    required = sorted({key for reference in fields.references for key in json.loads(reference)}) if fields else []

    def evaluate(truth: SegmentTable, normalizer: str | Normalizer, metric_names: Mapping[str, str]) -> Evaluation:
        return evaluate_table(
            replace(truth, hypotheses=texts),
            metrics=_metrics(metric_names, required),
            normalizer=normalizer,
            missing=missing,
            statistics=statistics,
            baseline=preset["baseline"],
        )

    names: dict[str, str] = {}
    parts = []
    if documents:
        names |= read_yaml(SHIPPED_CONF / "metrics/benchmark.yaml")
        parts.append(evaluate(documents, preset["normalizer"], names))
    else:
        note(f"{name} has documents without full_text: metrics of texts are left out.")
    if fields:
        # Section 2 of the specification: a field is the text behind its label in one line.
        field_names = dict(read_yaml(SHIPPED_CONF / "metrics/answers.yaml"))
        field_names |= {metric: metric for metric in ("json_compliance", "json_completeness")}
        labelled = Normalizer("labelled_fields", [{"step": "read_labelled_fields", "side": "hypotheses"}])
        parts.append(evaluate(fields, labelled, field_names))
        names |= field_names
    else:
        note(f"{name} has documents without fields: metrics of fields and tasks are left out.")
    folder = keep_run(
        data / "results/benchmarks",
        config={
            "dataset": name,
            "data": dataset.digest,
            "systems": systems,
            "left_out": left_out,
            "metrics": names,
            "required_fields": required,
            "normalizer": preset["normalizer"],
            "missing": missing,
            "statistics": asdict(statistics),
        },
        scores={system: _join_scores([part.scored[system].scores for part in parts]) for system in parts[0].scored},
        metrics=_metrics(names, required),
        summary=_join_results([part.result for part in parts]),
        readings={
            system: SystemReadings(
                dataset.segment_id,
                texts[system],
                {answer.segment_id: answer.latency_seconds for answer in answers},
            )
            for system, answers in readings.items()
        },
    )
    write_out("\n\n".join(map(str, parts)))
    for system, totals in read_run(folder).readings.items():
        write_out(_describe_totals(system, totals["totals"]))
    write_out(f"run: {folder}")
    return folder


def _metrics(names: Mapping[str, str], required: Sequence[str]) -> list[Metric]:
    """Metrics by their names; answers comply and are complete with every field of the ground truth of any document."""
    settings = {
        "json_compliance": {"schema": {"type": "object", "required": required}},
        "json_completeness": {"required": required},
    }
    metrics = get_metrics([f"{metric_id}={name}" for metric_id, name in names.items()])
    return [replace(metric, **settings.get(metric.id, {})) for metric in metrics]


def _join_scores(parts: Sequence[Scores]) -> Scores:
    first, *_ = parts
    return replace(first, counts={metric: counts for part in parts for metric, counts in part.counts.items()})


def _join_results(parts: Sequence[DatasetResult]) -> DatasetResult:
    """One result with the metrics of all, each with its own signature."""
    first, *_ = parts
    return replace(
        first,
        systems={
            system: {metric: result for part in parts for metric, result in part.systems[system].items()}
            for system in first.systems
        },
        comparisons=tuple(pair for part in parts for pair in part.comparisons),
        ranking={metric: ranks for part in parts for metric, ranks in part.ranking.items()},
        warnings=tuple(dict.fromkeys(sentence for part in parts for sentence in part.warnings)),
        cautions=tuple(dict.fromkeys(caution for part in parts for caution in part.cautions)),
    )


def _describe_totals(system: str, totals: Mapping[str, Any]) -> str:
    latency = totals["latency_ms"]
    parts = [f"{totals['segments'] - totals['failed']} of {totals['segments']} pages read"]
    if latency:
        parts.append(f"{latency['mean']:.0f} ms a page (p90 {latency['p90']:.0f} ms)")
    if "total_tokens" in totals:
        parts += [f"{totals['total_tokens']:,} tokens of gpt-4", f"{totals['estimated_cost_usd'] or 0:.5f} USD"]
    return f"{system}: {', '.join(parts)}"


def _settings(system: str) -> dict[str, Any]:
    settings = dict(read_yaml(SHIPPED_CONF / f"systems/{system}.yaml")["systems"][system])
    return {**settings, "url": os.environ.get(SERVERS[system]) or settings["url"]}


def _read(system: str, settings: Mapping[str, Any], dataset: SegmentTable, journal: Path) -> list[Reading]:
    """Reading of every image, without a text where it failed."""
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
        return list(readings)


if __name__ == "__main__":
    main()
