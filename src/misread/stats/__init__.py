"""Statistics over additive counts: whether a difference between two systems is real, and how large it is.

A method takes arrays and returns a frozen result. Each module has one family of tests.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
