"""Every name of misread.tally, once, with its home."""

from .scored_system import ScoredSystem as ScoredSystem
from .scored_system import score as score
