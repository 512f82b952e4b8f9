"""Reports: tables, figures, a page, and files for DVC."""

from misread.report.references import (
    DisputedPlace,
    ReferenceCheck,
    RepeatedErrors,
    Suspect,
    check_references,
)
from misread.report.render.csv import render_csv
from misread.report.render.html import render_html
from misread.report.render.latex import render_latex
from misread.report.render.markdown import render_markdown
from misread.report.results import DatasetResults, RenderedFiles, ReportInput
from misread.report.settings import PageSettings, ReportSettings
from misread.report.tables.confusions import CONFUSED_KINDS, lay_out_confusions
from misread.report.tables.fairness import lay_out_fairness
from misread.report.tables.groups import lay_out_groups
from misread.report.tables.rates import RateTable, make_rate_table
from misread.report.tables.rates_layout import lay_out_rates
from misread.report.tables.regimes import lay_out_regimes
from misread.report.tables.runs import lay_out_runs
from misread.report.tables.table import Cell, Column, Table
from misread.report.views import VIEWS, lay_out_views
from misread.report.write import write_report

__all__ = [
    "CONFUSED_KINDS",
    "VIEWS",
    "Cell",
    "Column",
    "DatasetResults",
    "DisputedPlace",
    "PageSettings",
    "RateTable",
    "ReferenceCheck",
    "RenderedFiles",
    "RepeatedErrors",
    "ReportInput",
    "ReportSettings",
    "Suspect",
    "Table",
    "check_references",
    "lay_out_confusions",
    "lay_out_fairness",
    "lay_out_groups",
    "lay_out_rates",
    "lay_out_regimes",
    "lay_out_runs",
    "lay_out_views",
    "make_rate_table",
    "render_csv",
    "render_html",
    "render_latex",
    "render_markdown",
    "write_report",
]
