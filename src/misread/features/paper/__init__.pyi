"""Every name of misread.features.paper, once, with its home."""
