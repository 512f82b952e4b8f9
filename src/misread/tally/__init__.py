"""The score stage: counts of every metric, and the alignments and confusions behind them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
