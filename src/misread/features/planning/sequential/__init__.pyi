"""Every name of misread.features.planning.sequential, once, with its home."""

from .layout import describe_verdict as describe_verdict
from .layout import lay_out_sequential as lay_out_sequential
from .verdict import Look as Look
from .verdict import SequentialVerdict as SequentialVerdict
from .verdict import decide_sequentially as decide_sequentially
