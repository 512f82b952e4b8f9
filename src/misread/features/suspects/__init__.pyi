"""Every name of misread.features.suspects, once, with its home."""

from .references import check_result as check_result
