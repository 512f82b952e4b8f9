"""Every name of misread.sockets, once, with its home."""

from .metric_names import get_metrics as get_metrics
from .metrics import METRICS as METRICS
from .sections import lay_out_sections as lay_out_sections
from .sections import read_comparison as read_comparison
from .views import draw_views as draw_views
from .views import get_view as get_view
from .views import get_views as get_views
from .views import kinds_of_marks as kinds_of_marks
from .views import lay_out_views as lay_out_views
from .views import mark_segments as mark_segments
