"""Every name of misread.tally, once, with its home."""

from .equivalents import Equivalents as Equivalents
from .equivalents import check_equivalents as check_equivalents
from .equivalents import read_alternatives as read_alternatives
from .equivalents import read_equivalents as read_equivalents
from .reference_digests import ReferenceDigests as ReferenceDigests
from .scored_system import ScoredSystem as ScoredSystem
from .scored_system import score as score
