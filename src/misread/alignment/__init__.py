"""Alignment of texts: exact edit counts and operations, over characters, graphemes or words."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
