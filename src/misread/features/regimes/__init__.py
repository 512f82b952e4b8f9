"""Regimes: all choices behind a published rate under one id, and what they do to rates and ranks."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
