"""Functions under the names that the specifications dictate.

docs/specification.md lists the specifications and says which row each function answers. misread's own names for most of
them are shorter: `cer`, `wer`, `distances`, `align`, and the metrics of `misread.metrics`.
"""

import lazy_loader

# The stub names modules from the package that this one lies in.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub("misread", __file__)
