"""report: tables, figures, DVC metrics, plots and the page from the results of the other stages."""

from misread.files import read_alignments, read_confusions, read_normalized, read_record, read_segments, read_timings
from misread.pipeline import paths
from misread.pipeline.console import warn
from misread.pipeline.data_changes import data_changes
from misread.pipeline.leftovers import remove_leftovers
from misread.pipeline.params import Params, load_params
from misread.report import DatasetResults, ReportInput, write_report
from misread.report.page import find_media, write_page
from misread.scoring import AblationResult, ScoredSystem
from misread.stats import read_comparison

PARAMETERS = (
    *("systems", "datasets", "normalizer", "metrics", "configured_metrics"),
    *("statistics", "baseline", "missing", "seed"),
)


def main() -> None:
    params = load_params()
    for kind in ("segments", "normalized", "scores", "comparisons", "ablations", "timings"):
        remove_leftovers(paths.BUILD / kind, params.datasets)
    for dataset_id in params.datasets:
        remove_leftovers(paths.BUILD / "timings" / dataset_id, params.systems)
        if changed := data_changes(params, dataset_id):
            warn(f"{changed} The results are those of the listed files; the page shows those that are there.")
    run = ReportInput(
        [read_results(params, dataset_id) for dataset_id in params.datasets],
        {name: params.content[name] for name in PARAMETERS},
    )
    rendered = write_report(run, params.report(), paths.REPORTS)
    write_page(run, rendered, params.report(), paths.REPORTS / "index.html")


def read_results(params: Params, dataset_id: str) -> DatasetResults:
    """Read what the other stages have written on one data set."""
    comparison = read_comparison(paths.comparison(dataset_id))
    compared = list(comparison.systems)
    metrics = params.metrics()
    texts = {system: read_normalized(paths.normalized(dataset_id, system)) for system in compared}
    media, without_media = find_media(read_segments(paths.segments(dataset_id), data_root=params.data_root)[0])
    return DatasetResults(
        comparison=comparison,
        ablations=[read_record(paths.ablation(dataset_id, system), AblationResult) for system in params.systems],
        timings={system: read_timings(paths.timings(dataset_id, system)) for system in params.systems},
        confusions={system: read_confusions(paths.confusions(dataset_id, system)) for system in params.systems},
        texts=texts,
        scored={system: ScoredSystem(of, metrics, params.missing) for system, of in texts.items()},
        alignments={system: read_alignments(paths.alignments(dataset_id, system)) for system in compared},
        media=media,
        without_media=without_media,
    )
