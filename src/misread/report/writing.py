"""The whole report: every file of reports/ from the comparisons of all data sets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from misread.files import write_json, write_text
from misread.report.csv_table import render_csv
from misread.report.dvc_files import groups_csv, metrics_tree, rates_csv
from misread.report.figures import draw_rates
from misread.report.html import render_html
from misread.report.latex import render_latex
from misread.report.markdown import render_markdown
from misread.report.paper_table import PaperTable
from misread.report.rate_layout import lay_out_rates
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
            write_table(lay_out_rates(make_rate_table(result, metric, settings), settings), settings, folder / "tables")
        draw_rates(result, settings.metrics[0], settings, folder / "figures")
    write_json(folder / "metrics.json", metrics_tree(results))
    write_text(folder / "plots" / "rates.csv", rates_csv(results, settings))
    write_text(folder / "plots" / "groups.csv", groups_csv(results, settings))


def write_table(table: PaperTable, settings: ReportSettings, folder: Path) -> None:
    """Write one table as LaTeX, Markdown, CSV and HTML.

    Parameters
    ----------
    table : PaperTable
        What it says.
    settings : ReportSettings
        Whether LaTeX uses siunitx.
    folder : Path
        Where to; the files are called by the table's stem.
    """
    write_text(folder / f"{table.stem}.tex", render_latex(table, siunitx=settings.siunitx))
    write_text(folder / f"{table.stem}.md", render_markdown(table))
    write_text(folder / f"{table.stem}.csv", render_csv([table]))
    write_text(folder / f"{table.stem}.html", render_html(table))
