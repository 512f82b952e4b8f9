"""report: tables, figures, DVC metrics and plots from all comparisons."""

from misread import paths
from misread.console import run_stage
from misread.files import read_json
from misread.params import load_params
from misread.report import write_report


def main() -> None:
    params = load_params()
    results = [read_json(paths.comparison(dataset_id)) for dataset_id in params.datasets]
    write_report(results, params.report(), paths.REPORTS)


if __name__ == "__main__":
    run_stage(main)
