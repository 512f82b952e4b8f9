"""Image files: the only module that chooses which formats are read, and how their pixels are seen."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from PIL.Image import Image

# A name or media type says nothing about the content. Pillow decides by content, and knows formats besides these that
# run a program: for EPS it starts Ghostscript.
IMAGE_FORMATS: Final = ("PNG", "JPEG", "TIFF", "GIF", "BMP", "WEBP", "PPM", "JPEG2000")
EXPECTED_FORMATS: Final = f"expected {', '.join(IMAGE_FORMATS[:-1])} or {IMAGE_FORMATS[-1]}"
SEVERAL_PICTURES: Final = "MPO"
"""Pillow's name of a JPEG with further pictures, such as a phone's preview or gain map: it is its first one."""

_OPENING: Final = threading.Lock()
_PLAIN: Final = frozenset({"1", "L", "P", "RGB"})
_CONVERTED: Final = frozenset({"RGBX", "CMYK", "YCbCr"})
# Pillow's names of what makes EXIF's orientations 2 to 8 upright.
_TURNS: Final = (
    *("FLIP_LEFT_RIGHT", "ROTATE_180", "FLIP_TOP_BOTTOM"),
    *("TRANSPOSE", "ROTATE_270", "TRANSVERSE", "ROTATE_90"),
)
# Tags of TIFF and EXIF.
_BITS_PER_SAMPLE: Final = 258
_PHOTOMETRIC: Final = 262
_ORIENTATION: Final = 274


def open_image(path: Path) -> Image:
    """Open an image of one of `IMAGE_FORMATS`, without a warning about its size; raises as Pillow does."""
    from PIL import Image

    # Filters of warnings are the process's: one thread would bring back what another has set aside.
    with _OPENING, warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning):
        image = Image.open(path, formats=IMAGE_FORMATS)
    if image.format == "TIFF":
        # With a name, Pillow maps plain pixels into memory as if they had the size of the turned picture.
        image.filename = ""
    return image


def is_as_seen(image: Image) -> bool:
    """Whether the pixels of an opened file are what `as_seen` gives of it, to every program that reads it."""
    is_plain = image.mode in _PLAIN and not image.has_transparency_data and image.format != SEVERAL_PICTURES
    return is_plain and _orientation(image) == 1


def as_seen(image: Image) -> Image:
    """The picture that people see in an image: upright, on white paper, and in 8 bits; itself if it is that already.

    A new one has no `format`. The mode is 1, L, P or RGB; raises ValueError for pixels that have no usual form.
    """
    from PIL.Image import Transpose
    from PIL.Image import new as new_image

    orientation = _orientation(image)
    # A profile is of the pixels before they are converted, and no engine applies it.
    image.info.pop("icc_profile", None)
    if image.mode.startswith("I;16") or (image.mode == "I" and image.format == "PPM"):
        image = _in_8_bits(image)
    if image.has_transparency_data:
        # Engines see the colour below a transparent part, mostly black, on which black ink would vanish.
        paper = new_image("RGBA", image.size, "white")
        paper.alpha_composite(image.convert("RGBA"))
        image = paper.convert("RGB")
    elif image.mode in _CONVERTED:
        image = image.convert("RGB")
    if image.mode not in _PLAIN:
        raise ValueError(f"pixels of Pillow's mode {image.mode}; save it with 8 or 16 bits a channel, in grey or RGB")
    return image if orientation == 1 else image.transpose(Transpose[_TURNS[orientation - 2]])


def seen_size(image: Image) -> tuple[int, int]:
    """Width and height of `as_seen` of an opened file."""
    # Pillow gives TIFF files the size of the turned picture, and turns them itself when they are loaded.
    is_turned = image.format != "TIFF" and _orientation(image) > 4
    return (image.height, image.width) if is_turned else image.size


def _orientation(image: Image) -> int:
    """Orientation of EXIF, from 1 (upright) to 8; damaged or strange ones say nothing, as in viewers."""
    try:
        with _OPENING, warnings.catch_warnings(action="ignore"):
            value = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # noqa: BLE001  of several packages
        return 1
    return value if value in range(1, 9) else 1


def _in_8_bits(image: Image) -> Image:
    """Grey of 12 or 16 bits, scaled as colours of 16 bits are; Pillow would clip all above 255 to white."""
    from PIL import Image

    tags = getattr(image, "tag_v2", {})
    grey = np.array(image).astype(np.uint16)
    if (transparent := image.info.get("transparency")) is not None:
        grey[grey == transparent] = np.iinfo(grey.dtype).max
    grey >>= tags.get(_BITS_PER_SAMPLE, (16,))[0] - 8
    # Pillow leaves deep TIFF files negative that have 0 for white.
    return Image.fromarray((255 - grey if tags.get(_PHOTOMETRIC) == 0 else grey).astype(np.uint8))
