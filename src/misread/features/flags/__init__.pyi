"""Every name of misread.features.flags, once, with its home."""

from .flag import Flag as Flag
from .flag_rates import CompleteErrorRate as CompleteErrorRate
from .flag_rates import FlaggedSegments as FlaggedSegments
from .flag_rates import LoopErrors as LoopErrors
from .flag_rates import OmissionErrors as OmissionErrors
from .flag_rates import OmittedSegments as OmittedSegments
from .flag_rates import SpeechCoverage as SpeechCoverage
from .flag_rates import UnflaggedErrorRate as UnflaggedErrorRate
from .loops import Loop as Loop
from .made_up import FlagRules as FlagRules
from .omissions import OmissionRules as OmissionRules
