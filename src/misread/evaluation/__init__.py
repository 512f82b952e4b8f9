"""Evaluations: all systems on one data set, of texts in memory or of the files of the pipeline.

`__init__.pyi` lists the names with their modules; evaluating texts does not import what reading revisions needs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
