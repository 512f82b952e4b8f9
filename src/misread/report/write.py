"""The whole report: all files of reports/ from the comparisons of all data sets."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from misread.errors import ConfigurationError
from misread.io import write_json, write_text
from misread.metrics import Direction
from misread.report.cost import draw_cost, lay_out_cost
from misread.report.dvc_files import groups_csv, metrics_tree, rates_csv
from misread.report.latency import draw_pareto, lay_out_latency
from misread.report.report_input import DatasetResults, RenderedFiles, ReportInput
from misread.sockets import draw_views, lay_out_sections, lay_out_views
from misread.stats import DatasetResult
from misread.storage.signature_file import write_signature_file
from misread.tables import CONFUSED_KINDS, ReportSettings, Table, ViewInput, lay_out_confusions
from misread.tables.comparison import lay_out_comparison, render_table
from misread.tables.figures import draw_comparison, draw_confusions
from misread.tables.figures.trade_off import Errors
from misread.tables.rates_layout import lay_out_overview, metric_title


def write_report(run: ReportInput, settings: ReportSettings, folder: Path) -> dict[str, RenderedFiles]:
    """Write tables, figures, DVC metrics and plots; what the page shows of them, by data set.

    The folder gets tables/, figures/, plots/ and metrics.json, and speed/ for files that differ between runs. Two
    tables that would have the same files are a ConfigurationError that names both, and a level of `group_order` that no
    data set has is an UnknownNameError.
    """
    results = [dataset.comparison for dataset in run.datasets]
    _check_group_order(results, settings)
    rendered = {}
    written: dict[str, str] = {}
    for dataset in run.datasets:
        tables = list(_tables(dataset, settings))
        _refuse_same_files(tables, written)
        for table in tables:
            write_table(table, settings, folder / "tables")
        drawn = _draw(dataset, settings, folder / "figures")
        figures = [path for path in drawn if path.suffix == ".svg"]
        rendered[dataset.comparison.dataset] = RenderedFiles(tables, figures)
        _write_speed(dataset, settings, folder / "speed")
    write_table(lay_out_overview(results, settings), settings, folder / "tables")
    write_json(folder / "metrics.json", metrics_tree(results))
    write_text(folder / "plots" / "rates.csv", rates_csv(results, settings))
    write_text(folder / "plots" / "groups.csv", groups_csv(results, settings))
    return rendered


def _check_group_order(results: Sequence[DatasetResult], settings: ReportSettings) -> None:
    """Refuse levels that no data set has; one of several data sets may lack some."""
    levels_by_column: dict[str, list[str]] = {}
    for result in results:
        for column, groups in result.groups.items():
            levels_by_column.setdefault(column, []).extend(groups)
    settings.check_group_order(levels_by_column)


def _tables(results: DatasetResults, settings: ReportSettings) -> Iterator[Table]:
    """All tables of one data set that are the same in every run."""
    result = results.comparison
    yield from lay_out_comparison(result, settings, lay_out_sections(result, settings))
    for feature in results.further:
        yield from feature.tables(settings)
    for kind in CONFUSED_KINDS:
        confused = lay_out_confusions(result.dataset, results.confusions, kind, settings)
        if confused:
            yield confused
    errors = _errors(result, settings.metrics[0])
    if cost := lay_out_cost(result.dataset, results.timings, results.prices, settings, errors):
        yield cost
    yield from lay_out_views(ViewInput(result.dataset, results.scored, settings), settings.views)


def _errors(result: DatasetResult, metric: str) -> Errors:
    """Errors of the systems, where lower is better."""
    rates = {system: metrics[metric] for system, metrics in result.systems.items()}
    lower = {
        system: rate.micro
        for system, rate in rates.items()
        if rate.micro is not None and rate.direction is Direction.LOWER_IS_BETTER
    }
    return Errors(metric_title(metric), lower)


def _refuse_same_files(tables: Sequence[Table], written: dict[str, str]) -> None:
    """Add captions of tables by file; ids are joined by a character that ids may contain."""
    for table in tables:
        # Some file systems ignore case.
        other = written.setdefault(table.stem.lower(), table.caption)
        if other != table.caption:
            raise ConfigurationError(
                f"two tables would be written to {table.stem}: {other!r} and {table.caption!r}; rename a data set, a "
                "metric or a group column."
            )


def _draw(results: DatasetResults, settings: ReportSettings, folder: Path) -> list[Path]:
    result, metric = results.comparison, settings.metrics[0]
    paths = draw_comparison(result, settings, folder)
    for feature in results.further:
        paths += feature.figures(settings, folder)
    paths += draw_cost(result, metric, results.timings, results.prices, settings, folder)
    if settings.confusions:
        for system, table in results.confusions.items():
            paths += draw_confusions(result.dataset, system, table, settings, folder)
    if results.scored:
        paths += draw_views(ViewInput(result.dataset, results.scored, settings), settings.views, folder)
    return paths


def _write_speed(results: DatasetResults, settings: ReportSettings, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    result, metric = results.comparison, settings.metrics[0]
    table = lay_out_latency(result.dataset, results.timings, settings, results.units, _errors(result, metric))
    if table:
        write_table(table, settings, folder)
    draw_pareto(result, metric, results.timings, settings, folder)


def write_table(table: Table, settings: ReportSettings, folder: Path) -> None:
    """Write one table as LaTeX, Markdown, CSV and HTML, named by its stem, and its signature."""
    files = render_table(table, settings)
    for name, text in files.items():
        write_text(folder / name, text)
    write_signature_file(table.stem, table.signature, list(files), folder)
