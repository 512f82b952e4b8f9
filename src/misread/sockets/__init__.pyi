"""Every name of misread.sockets, once, with its home."""

from .metrics import METRICS as METRICS
from .metrics import align_by as align_by
from .metrics import check_beside as check_beside
from .metrics import get_metric as get_metric
from .metrics import get_metrics as get_metrics
from .metrics import with_setting as with_setting
from .plug import Plug as Plug
from .sections import lay_out_sections as lay_out_sections
from .views import draw_views as draw_views
from .views import kinds_of_marks as kinds_of_marks
from .views import lay_out_views as lay_out_views
from .views import mark_segments as mark_segments
