"""Numbers in manuscripts: macros, and a check of numbers in the text."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
