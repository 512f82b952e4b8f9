"""Every name of misread.tally, once, with its home."""

from .reference_digests import ReferenceDigests as ReferenceDigests
from .scored_system import ScoredSystem as ScoredSystem
from .scored_system import score as score
