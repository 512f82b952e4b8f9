"""report: tables, figures, DVC metrics, plots and the page from the results of the other stages."""

from misread.files import read_alignments, read_confusions, read_normalized, read_record, read_segments, read_timings
from misread.pipeline import paths
from misread.pipeline.leftovers import remove_leftovers
from misread.pipeline.params import Params, load_params
from misread.report import Findings, Shown, write_report
from misread.report.page import DatasetMaterial, RunMaterial, find_media, write_page
from misread.scoring import AblationResult
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
    findings = {dataset_id: find(params, dataset_id) for dataset_id in params.datasets}
    shown = write_report(list(findings.values()), params.report(), paths.REPORTS)
    materials = [gather(params, dataset_id, of, shown[dataset_id]) for dataset_id, of in findings.items()]
    run = RunMaterial(materials, {name: params.content[name] for name in PARAMETERS})
    write_page(run, params.report(), paths.REPORTS / "index.html")


def find(params: Params, dataset_id: str) -> Findings:
    """Read what tables and figures show."""
    return Findings(
        read_comparison(paths.comparison(dataset_id)),
        [read_record(paths.ablation(dataset_id, system_id), AblationResult) for system_id in params.systems],
        {system_id: read_timings(paths.timings(dataset_id, system_id)) for system_id in params.systems},
        {system_id: read_confusions(paths.confusions(dataset_id, system_id)) for system_id in params.systems},
    )


def gather(params: Params, dataset_id: str, findings: Findings, shown: Shown) -> DatasetMaterial:
    """Read what the page shows besides."""
    systems = list(findings.comparison.systems)
    texts = {system_id: read_normalized(paths.normalized(dataset_id, system_id)) for system_id in systems}
    media, without_media = find_media(read_segments(paths.segments(dataset_id), data_root=params.data_root)[0])
    return DatasetMaterial(
        findings.comparison,
        texts,
        {system_id: read_alignments(paths.alignments(dataset_id, system_id)) for system_id in systems},
        findings.confusions,
        media,
        shown,
        without_media,
    )
