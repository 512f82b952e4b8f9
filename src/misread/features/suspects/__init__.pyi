"""Every name of misread.features.suspects, once, with its home."""

from .references import check_references as check_references
