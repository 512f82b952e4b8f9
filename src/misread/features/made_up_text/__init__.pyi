"""Every name of misread.features.made_up_text, once, with its home."""

from .flag_rates import FlaggedSegments as FlaggedSegments
from .flag_rates import LoopErrors as LoopErrors
from .flag_rates import UnflaggedErrorRate as UnflaggedErrorRate
from .flagged import FlaggedSystem as FlaggedSystem
from .flagged import SegmentFlag as SegmentFlag
from .flagged import flag_segments as flag_segments
from .flags import FLAG_KINDS as FLAG_KINDS
from .flags import Flag as Flag
from .flags import FlagRules as FlagRules
from .flags import Loop as Loop
from .flags import find_flags as find_flags
from .flags import find_loops as find_loops
