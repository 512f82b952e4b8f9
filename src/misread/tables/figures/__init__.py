"""Figures for papers: one style, colour-blind-safe colours, the same bytes for the same numbers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
