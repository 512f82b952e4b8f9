"""Every name of misread.report, once, with its home."""

from .render.csv import render_csv as render_csv
from .render.html import render_html as render_html
from .render.latex import render_latex as render_latex
from .render.markdown import render_markdown as render_markdown
from .results import DatasetResults as DatasetResults
from .results import RenderedFiles as RenderedFiles
from .results import ReportInput as ReportInput
from .settings import PageSettings as PageSettings
from .settings import ReportSettings as ReportSettings
from .tables.confusions import CONFUSED_KINDS as CONFUSED_KINDS
from .tables.confusions import lay_out_confusions as lay_out_confusions
from .tables.fairness import lay_out_fairness as lay_out_fairness
from .tables.groups import lay_out_groups as lay_out_groups
from .tables.rates import RateTable as RateTable
from .tables.rates import make_rate_table as make_rate_table
from .tables.rates_layout import lay_out_rates as lay_out_rates
from .tables.regimes import lay_out_regimes as lay_out_regimes
from .tables.runs import lay_out_runs as lay_out_runs
from .tables.table import Cell as Cell
from .tables.table import Column as Column
from .tables.table import Table as Table
from .views import VIEWS as VIEWS
from .views import lay_out_views as lay_out_views
from .write import write_report as write_report
