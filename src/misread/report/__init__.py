"""The report stage: which tables and figures there are, the page, and files for DVC."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
