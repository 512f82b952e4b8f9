"""misread measures how OCR, handwriting and speech systems misread, and says whether a difference is real.

`__init__.pyi` lists the public names with their modules; nothing heavy is imported before it is used.
"""

from pkgutil import iter_modules
from typing import Any

import lazy_loader

from misread.version import __version__ as __version__

_find, __dir__, _names = lazy_loader.attach_stub(__name__, __file__)
__all__ = sorted({*_names} - {module.name for module in iter_modules(__path__)})


def __getattr__(name: str) -> Any:
    try:
        return _find(name)
    except AttributeError as error:
        # Not by `import misread.spec`: every stage would depend on all that it names.
        if name in _find("spec").__all__:
            raise AttributeError(f"misread has no {name}: it is misread.spec.{name}.") from None
        raise error from None
