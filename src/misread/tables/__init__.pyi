"""Every name of misread.tables, once, with its home."""

from .confusions import CONFUSED_KINDS as CONFUSED_KINDS
from .confusions import lay_out_confusions as lay_out_confusions
from .groups import lay_out_fairness as lay_out_fairness
from .groups import lay_out_groups as lay_out_groups
from .rates import RateTable as RateTable
from .rates import make_rate_table as make_rate_table
from .rates_layout import lay_out_rates as lay_out_rates
from .render.csv import render_csv as render_csv
from .render.html import render_html as render_html
from .render.latex import render_latex as render_latex
from .render.markdown import render_markdown as render_markdown
from .selected_segments import SegmentTexts as SegmentTexts
from .selected_segments import Selection as Selection
from .selected_segments import gather_segments as gather_segments
from .selected_segments import select_worst as select_worst
from .settings import PageSettings as PageSettings
from .settings import ReportSettings as ReportSettings
from .table import Cell as Cell
from .table import Column as Column
from .table import Table as Table
from .view import MarkKind as MarkKind
from .view import SegmentMark as SegmentMark
from .view import SegmentMarks as SegmentMarks
from .view import View as View
from .view import ViewInput as ViewInput
