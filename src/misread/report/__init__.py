"""What people see: tables, figures, and what DVC shows between commits."""

from misread.report.confusion_table import CONFUSED_KINDS, lay_out_confusions
from misread.report.csv_table import render_csv
from misread.report.fairness_table import lay_out_fairness
from misread.report.group_table import lay_out_groups
from misread.report.html import render_html
from misread.report.latex import render_latex
from misread.report.markdown import render_markdown
from misread.report.page_settings import PageSettings
from misread.report.paper_table import Cell, Column, PaperTable
from misread.report.rate_layout import lay_out_rates
from misread.report.rate_table import RateTable, make_rate_table
from misread.report.settings import ReportSettings
from misread.report.writing import Findings, Shown, write_report

__all__ = [
    "CONFUSED_KINDS",
    "Cell",
    "Column",
    "Findings",
    "PageSettings",
    "PaperTable",
    "RateTable",
    "ReportSettings",
    "Shown",
    "lay_out_confusions",
    "lay_out_fairness",
    "lay_out_groups",
    "lay_out_rates",
    "make_rate_table",
    "render_csv",
    "render_html",
    "render_latex",
    "render_markdown",
    "write_report",
]
