"""report: tables, figures, DVC metrics, plots and the page from the results of the other stages."""

from misread.files import read_alignments, read_confusions, read_normalized, read_record, read_timings
from misread.pipeline import paths
from misread.pipeline.console import run_stage
from misread.pipeline.params import Params, load_params
from misread.report import Findings, Shown, write_report
from misread.report.page import DatasetMaterial, RunMaterial, find_media, write_page
from misread.scoring import AblationResult
from misread.stats import read_comparison

PARAMETERS = ("systems", "datasets", "normalizer", "metrics", "statistics", "baseline", "missing", "seed")


def main() -> None:
    params = load_params()
    findings = {dataset_id: find(params, dataset_id) for dataset_id in params.datasets}
    shown = write_report(list(findings.values()), params.report(), paths.REPORTS)
    materials = [gather(params, dataset_id, of, shown[dataset_id]) for dataset_id, of in findings.items()]
    run = RunMaterial(materials, {name: params.content[name] for name in PARAMETERS})
    write_page(run, params.report(), paths.REPORTS / "index.html")


def find(params: Params, dataset_id: str) -> Findings:
    return Findings(
        read_comparison(paths.comparison(dataset_id)),
        [read_record(paths.ablation(dataset_id, system_id), AblationResult) for system_id in params.systems],
        {system_id: read_timings(paths.timings(dataset_id, system_id)) for system_id in params.systems},
        {system_id: read_confusions(paths.confusions(dataset_id, system_id)) for system_id in params.systems},
    )


def gather(params: Params, dataset_id: str, findings: Findings, shown: Shown) -> DatasetMaterial:
    systems = list(findings.comparison.systems)
    media, without_media = find_media(params.dataset(dataset_id))
    return DatasetMaterial(
        findings.comparison,
        {system_id: read_normalized(paths.normalized(dataset_id, system_id)) for system_id in systems},
        {system_id: read_alignments(paths.alignments(dataset_id, system_id)) for system_id in systems},
        findings.confusions,
        media,
        shown,
        without_media,
    )


if __name__ == "__main__":
    run_stage(main)
