"""Opening of image files: the only module that chooses which formats are read."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

# A name or media type says nothing about the content. Pillow decides by content, and knows formats besides these that
# run a program: for EPS it starts Ghostscript.
IMAGE_FORMATS: Final = ("PNG", "JPEG", "TIFF", "GIF", "BMP", "WEBP", "PPM", "JPEG2000")
EXPECTED_FORMATS: Final = f"expected {', '.join(IMAGE_FORMATS[:-1])} or {IMAGE_FORMATS[-1]}"
_OPENING: Final = threading.Lock()


def open_image(path: Path) -> Image:
    """Open an image of one of `IMAGE_FORMATS`, without a warning about its size; raises as Pillow does."""
    from PIL import Image

    # Filters of warnings are the process's: one thread would bring back what another has set aside.
    with _OPENING, warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning):
        return Image.open(path, formats=IMAGE_FORMATS)
