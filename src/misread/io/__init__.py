"""Files in and out: validated, written atomically, with equal bytes for equal content.

`__init__.pyi` lists the names; readers and writers of Parquet are imported on first use: pyarrow takes long to load.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
