"""misread measures how OCR, handwriting and speech systems misread, and says whether a difference is real.

Nothing heavy is imported before it is used (PEP 562).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from misread.version import __version__

if TYPE_CHECKING:
    from misread.alignment import align, distances, error_counts
    from misread.metrics import cer, wer

_HOMES = {
    "align": "misread.alignment",
    "cer": "misread.metrics",
    "distances": "misread.alignment",
    "error_counts": "misread.alignment",
    "wer": "misread.metrics",
}

__all__ = ["__version__", "align", "cer", "distances", "error_counts", "wer"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'misread' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
