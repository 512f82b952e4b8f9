"""Single segments of the pipeline's results: which are worst, and everything about one of them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
