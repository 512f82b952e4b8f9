"""What people see: tables, figures, and what DVC shows between commits."""

from misread.report.csv_table import render_csv
from misread.report.latex import render_latex
from misread.report.markdown import render_markdown
from misread.report.rate_table import RateTable, make_rate_table
from misread.report.settings import ReportSettings
from misread.report.writing import write_report

__all__ = [
    "RateTable",
    "ReportSettings",
    "make_rate_table",
    "render_csv",
    "render_latex",
    "render_markdown",
    "write_report",
]
