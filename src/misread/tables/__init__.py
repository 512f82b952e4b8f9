"""Tables of results as data; `render` writes them as text, LaTeX or HTML, `figures` draws, `terminal` prints."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
