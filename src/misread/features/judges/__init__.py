"""Answers that a model or a person judged: decisions, their metric, agreement with people."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
