"""report: tables, figures, DVC metrics and plots from all comparisons."""

from misread import paths
from misread.console import run_stage
from misread.files import read_confusions, read_json, read_timings
from misread.params import load_params
from misread.report import Findings, write_report


def main() -> None:
    params = load_params()
    findings = [
        Findings(
            read_json(paths.comparison(dataset_id)),
            [read_json(paths.ablation(dataset_id, system_id)) for system_id in params.systems],
            {system_id: read_timings(paths.timings(dataset_id, system_id)) for system_id in params.systems},
            {system_id: read_confusions(paths.confusions(dataset_id, system_id)) for system_id in params.systems},
        )
        for dataset_id in params.datasets
    ]
    write_report(findings, params.report(), paths.REPORTS)


if __name__ == "__main__":
    run_stage(main)
