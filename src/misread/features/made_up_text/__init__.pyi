"""Every name of misread.features.made_up_text, once, with its home."""

from .flag_rates import FlaggedSegments as FlaggedSegments
from .flag_rates import LoopErrors as LoopErrors
from .flag_rates import UnflaggedErrorRate as UnflaggedErrorRate
from .flags import Flag as Flag
from .flags import FlagRules as FlagRules
from .flags import Loop as Loop
