"""Repeated runs of a system: how much they vary, how much that matters, and what more of them would bring."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
