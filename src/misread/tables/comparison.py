"""Tables of one comparison that need counts alone, and the files of a table."""

from collections.abc import Iterable, Iterator

from misread.stats import LENGTH_COLUMN, DatasetResult
from misread.tables.groups import lay_out_fairness, lay_out_groups
from misread.tables.pairs import lay_out_tests
from misread.tables.rates import make_rate_table
from misread.tables.rates_layout import lay_out_rates
from misread.tables.render.csv import render_csv
from misread.tables.render.html import render_html
from misread.tables.render.latex import render_latex
from misread.tables.render.markdown import render_markdown
from misread.tables.settings import ReportSettings
from misread.tables.spread import lay_out_spread
from misread.tables.table import Table


def lay_out_comparison(result: DatasetResult, settings: ReportSettings, sections: Iterable[Table]) -> Iterator[Table]:
    """Tables of the rates, sections and groups of one data set."""
    metric = settings.metrics[0]
    for metric_id in settings.metrics:
        rates = make_rate_table(result, metric_id, settings)
        yield lay_out_rates(rates, settings)
        if "spread" in settings.columns:
            yield lay_out_spread(rates)
        if tests := lay_out_tests(result, rates, settings):
            yield tests
    yield from sections
    for column in result.groups:
        yield lay_out_groups(result, column, metric, settings)
        if column != LENGTH_COLUMN:
            yield lay_out_fairness(result, column, metric, settings)


def render_table(table: Table, settings: ReportSettings) -> dict[str, str]:
    """Texts of the files of one table, by name: LaTeX, Markdown, CSV and HTML."""
    return {
        f"{table.stem}.tex": render_latex(table, siunitx=settings.siunitx),
        f"{table.stem}.md": render_markdown(table),
        f"{table.stem}.csv": render_csv([table], raw=settings.raw_csv),
        f"{table.stem}.html": render_html(table),
    }
