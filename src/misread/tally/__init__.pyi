"""Every name of misread.tally, once, with its home."""

from .counts import ScoredSystem as ScoredSystem
from .counts import score as score
from .equivalents import Equivalents as Equivalents
from .equivalents import check_equivalents as check_equivalents
from .equivalents import read_alternatives as read_alternatives
from .equivalents import read_equivalents as read_equivalents
from .reference_digests import ReferenceDigests as ReferenceDigests
