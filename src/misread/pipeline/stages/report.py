"""report: tables, figures, DVC metrics, plots and the page from the results of the other stages."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from misread.engines.prices import ModelPrice
from misread.engines.timing import Timings
from misread.io import read_json, write_text
from misread.io.console import note, warn, write_out
from misread.io.stored_columns import release_memory
from misread.pipeline import paths
from misread.pipeline.params import Params, load_params
from misread.pipeline.paths import remove_leftovers
from misread.pipeline.run_folder import SystemReadings, keep_run
from misread.report import DatasetResults, ReportInput, write_report
from misread.report.page import find_media, find_parts, write_page
from misread.report.page.headline import headline
from misread.report.report_input import StageResults
from misread.report.source_units import find_source_units
from misread.sockets import read_comparison
from misread.sockets.sections import STAGE_RESULTS
from misread.storage import (
    StoredTexts,
    open_alignments,
    read_confusions,
    read_scores,
    read_segments,
    read_timings,
    write_counts,
)
from misread.storage.counts import PACKED_BYTES
from misread.tables import make_rate_table
from misread.tally import ScoredSystem
from misread.text.display import show_label
from misread.text.lazy_mapping import LazyMapping

PARAMETERS = (
    *("systems", "datasets", "normalizer", "metrics"),
    *("statistics", "baseline", "missing", "seed"),
)


def main() -> None:
    params = load_params()
    for kind in ("segments", "normalized", "scores", "comparisons", "ablations", "regimes", "timings"):
        remove_leftovers(paths.BUILD / kind, params.datasets)
    for dataset_id in params.datasets:
        remove_leftovers(paths.BUILD / "timings" / dataset_id, params.systems)
        if changed := params.data_changes(dataset_id):
            warn(f"{changed} The results are those of the listed files; the page shows those that are there.")
    # Before comparisons are read, which may have sections of the study: it lets modules of the study be imported.
    settings = params.report()
    remove_leftovers(paths.COUNTS, params.datasets)
    datasets = []
    for dataset_id in params.datasets:
        further = [stage.load()(params, dataset_id) for stage in STAGE_RESULTS.values()]
        # Before all else is read, so that only the scores of one system are in memory.
        _write_counts(params, dataset_id, further)
        release_memory()
        datasets.append(read_results(params, dataset_id, further))
    run = ReportInput(datasets, {name: params.content[name] for name in PARAMETERS})
    # DVC warns of a folder that is empty, as this one would be where nothing was timed.
    write_text(
        paths.REPORTS / "speed" / "README.md", "Latencies of systems that were timed, which Git does not have.\n"
    )
    rendered = write_report(run, settings, paths.REPORTS)
    release_memory()
    page = paths.REPORTS / "index.html"
    write_page(run, rendered, settings, page)
    if settings.runs:
        for results in run.datasets:
            _keep_run(params, results, Path(settings.runs), run.params)
    # The last lines of `dvc repro`: the verdict on each data set by the first metric.
    for results in run.datasets:
        write_out(show_label(headline(make_rate_table(results.comparison, settings.metrics[0], settings))))
    write_out(f"The page is {page}, tables are in {paths.TABLES}/.")


def _write_counts(params: Params, dataset_id: str, further: Sequence[StageResults]) -> None:
    """Write what Git has of the scores of a data set."""
    folder = paths.counts(dataset_id, "").parent
    remove_leftovers(folder, params.systems)
    settings = params.counts_settings(dataset_id)
    has_segments = write_counts(
        folder,
        LazyMapping(list(params.systems), lambda system: read_scores(paths.scores(dataset_id, system))),
        settings,
        key_file=paths.PSEUDONYM_KEY,
        sentences=_sentences(params, further),
    )
    if settings.counts == "git" and not has_segments:
        note(
            f"{folder} has sums over clusters: the counts of every segment pack to more than "
            f"{PACKED_BYTES / 1e6:g} MB; they stay in DVC's cache (`counts: cache` of the data set says so, too)."
        )


def _sentences(params: Params, further: Sequence[StageResults]) -> list[str]:
    """Warnings that stages of features add to a comparison."""
    return [sentence for results in further for sentence in results.warnings(params.report().name)]


def _keep_run(params: Params, results: DatasetResults, runs: Path, settings: Mapping[str, Any]) -> None:
    """Keep the results of one data set, with their settings and the versions of the engines."""
    comparison = results.comparison
    scores = {system: read_scores(paths.scores(comparison.dataset, system)) for system in comparison.systems}
    config = {
        "dataset": comparison.dataset,
        "data": sorted({stored.origin.data_digest for stored in scores.values()}),
        "engines": {system: stored.origin.engine_facts for system, stored in scores.items()},
        "left_out": comparison.not_applicable,
        "settings": settings,
    }
    folder = keep_run(
        runs,
        config=config,
        scores=scores,
        metrics=params.metrics(comparison.dataset),
        summary=comparison,
        readings={
            system: _readings(paths.normalized(comparison.dataset, system), results.timings[system])
            for system in comparison.systems
        },
    )
    write_out(f"run: {folder}")


def _readings(file: Path, timings: Timings) -> SystemReadings:
    texts = StoredTexts(file).read()
    # Of recorded outputs, few have them.
    latencies = {
        segment: seconds
        for segment, seconds in zip(timings.segment_id, timings.latency_seconds.tolist(), strict=True)
        if not math.isnan(seconds)
    }
    return SystemReadings(texts.segments.segment_id, texts.raw.hypotheses, latencies)


def read_results(params: Params, dataset_id: str, further: Sequence[StageResults]) -> DatasetResults:
    """Read what the other stages have written on one data set."""
    comparison = read_comparison(paths.comparison(dataset_id))
    compared = list(comparison.systems)
    metrics = params.metrics(dataset_id)
    texts = {system: StoredTexts(paths.normalized(dataset_id, system)) for system in compared}
    segments, offers = read_segments(paths.segments(dataset_id), data_root=params.data_root)
    media, without_media = find_media(segments)
    timings = {system: read_timings(paths.timings(dataset_id, system)) for system in params.systems}
    return DatasetResults(
        comparison=replace(comparison, warnings=(*comparison.warnings, *_sentences(params, further))),
        further=further,
        timings=timings,
        prices={system: ModelPrice(**price) for system, price in read_json(paths.PRICES).items()},
        units=find_source_units(offers, segments.segment_id, segments.references),
        confusions={system: read_confusions(paths.confusions(dataset_id, system)) for system in params.systems},
        texts=texts,
        scored={system: ScoredSystem(read, metrics, params.missing) for system, read in texts.items()},
        alignments=LazyMapping(compared, lambda system: open_alignments(paths.alignments(dataset_id, system))),
        media=media,
        parts=find_parts(segments),
        without_media=without_media,
    )
