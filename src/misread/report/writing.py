"""The whole report: every file of reports/ from the comparisons of all data sets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from misread.files import write_json, write_text
from misread.report.csv_table import render_csv
from misread.report.dvc_files import groups_csv, metrics_tree, rates_csv
from misread.report.figures import draw_rates
from misread.report.latex import render_latex
from misread.report.markdown import render_markdown
from misread.report.rate_table import make_rate_table
from misread.report.settings import ReportSettings
from misread.stats import DatasetResult


def write_report(results: Sequence[DatasetResult], settings: ReportSettings, folder: Path) -> None:
    """Write tables, figures, DVC metrics and plots.

    Parameters
    ----------
    results : sequence of DatasetResult
        One a data set, in the order of the configuration.
    settings : ReportSettings
        What is shown and how.
    folder : Path
        Where to: tables/, figures/, plots/ and metrics.json below it.
    """
    for result in results:
        for metric in settings.metrics:
            table = make_rate_table(result, metric, settings)
            stem = f"{result['dataset']}_{metric}"
            write_text(folder / "tables" / f"{stem}.tex", render_latex(table))
            write_text(folder / "tables" / f"{stem}.md", render_markdown(table))
            write_text(folder / "tables" / f"{stem}.csv", render_csv([table]))
        draw_rates(result, settings.metrics[0], settings, folder / "figures")
    write_json(folder / "metrics.json", metrics_tree(results))
    write_text(folder / "plots" / "rates.csv", rates_csv(results, settings))
    write_text(folder / "plots" / "groups.csv", groups_csv(results, settings))
