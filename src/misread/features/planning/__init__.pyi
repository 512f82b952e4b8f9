"""Every name of misread.features.planning, once, with its home."""
