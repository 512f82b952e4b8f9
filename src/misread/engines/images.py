"""Loading of images, or the reason why one cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from misread.engines.base import UnreadableSourceError
from misread.extras import needed_for
from misread.records import Source

if TYPE_CHECKING:
    from PIL.Image import Image


def load_image(source: Source) -> Image:
    """Load the image of a source, in the mode of its file; transparent parts are put on white, in RGB.

    Raises UnreadableSourceError if the file is missing, empty, damaged, too large or not an image; says which.
    """
    with needed_for("reading images needs", "Pillow", "report"):
        from PIL import Image, UnidentifiedImageError

    path = media_path(source)
    try:
        with Image.open(path) as image:
            image.load()
    except FileNotFoundError:
        raise UnreadableSourceError(f"there is no file {path}") from None
    except UnidentifiedImageError:
        raise UnreadableSourceError(f"{path} is not a readable image ({_size(path)})") from None
    except Image.DecompressionBombError as error:
        raise UnreadableSourceError(f"{path} is too large ({_size(path)}): {error}") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise UnreadableSourceError(f"{path} is damaged or cut short ({_size(path)}): {error}") from None
    return _on_white(image) if image.has_transparency_data else image


def _on_white(image: Image) -> Image:
    # Engines see the colour below a transparent part, mostly black, on which black ink would vanish.
    from PIL import Image

    paper = Image.new("RGBA", image.size, "white")
    paper.alpha_composite(image.convert("RGBA"))
    return paper.convert("RGB")


def media_path(source: Source) -> Path:
    """Path of the image or audio of a source; raises UnreadableSourceError if it has none."""
    if source.media is None:
        raise UnreadableSourceError("the data set names no image or audio for this segment")
    return source.media


def _size(path: Path) -> str:
    size = path.stat().st_size
    return "the file is empty" if size == 0 else f"{size:,} bytes"
