"""Images from files, or the reason why not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from misread.engines.base import UnreadableSourceError
from misread.records import Source

if TYPE_CHECKING:
    from PIL.Image import Image


def load_image(source: Source) -> Image:
    """Load the image of a source completely.

    Parameters
    ----------
    source : Source
        With the path of an image file.

    Returns
    -------
    PIL.Image.Image
        Decoded, in the mode of the file.

    Raises
    ------
    UnreadableSourceError
        If the file is missing, empty, cut short or no image; says which.
    """
    from PIL import Image, UnidentifiedImageError

    path = media_path(source)
    try:
        image = Image.open(path)
        image.load()
    except FileNotFoundError:
        raise UnreadableSourceError(f"there is no file {path}") from None
    except UnidentifiedImageError:
        raise UnreadableSourceError(f"{path} is no image that can be read ({_size(path)})") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise UnreadableSourceError(f"{path} is damaged or cut short ({_size(path)}): {error}") from None
    return image


def media_path(source: Source) -> Path:
    """Path of the image or audio of a source; a source without one cannot be read."""
    if source.media is None:
        raise UnreadableSourceError("the data set names no image or audio for this segment")
    return source.media


def _size(path: Path) -> str:
    size = path.stat().st_size
    return "the file is empty" if size == 0 else f"{size:,} bytes"
