"""Every name of misread.features.scripts, once, with its home."""
