"""Every name of misread.features.sclite, once, with its home."""

from .sc_stats import ScStats as ScStats
from .sc_stats import compare_like_sc_stats as compare_like_sc_stats
from .sc_stats import count_like_sc_stats as count_like_sc_stats
