"""Readers of data sets: every format gives a `SegmentTable`, and a data set is the settings of a reader."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
