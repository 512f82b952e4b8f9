"""misread measures how OCR, handwriting and speech systems misread, and says whether a difference is real.

`__init__.pyi` lists the public names with their modules; nothing heavy is imported before it is used.
"""

import lazy_loader

from misread.version import __version__ as __version__

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
