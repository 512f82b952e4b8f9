"""Loading of images, or the reason why one cannot be read."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from misread.engines.base import UnreadableSourceError
from misread.engines.png_data import missing_png_bytes
from misread.extras import needed_for
from misread.io.image_files import EXPECTED_FORMATS, open_image
from misread.records import Source

if TYPE_CHECKING:
    from PIL.Image import Image

_SENT_AS_THEY_ARE: Final = {"PNG": "image/png", "JPEG": "image/jpeg"}


def load_image(source: Source) -> Image:
    """Load the image of a source, in the mode of its file; transparent parts are put on white, in RGB.

    Raises UnreadableSourceError if the file is missing, empty, damaged, too large, not an image, or has several pages
    or frames; says which.
    """
    with needed_for("reading images needs", "Pillow", "report"):
        from PIL import Image, UnidentifiedImageError

    path = media_path(source)
    try:
        with open_image(path) as image:
            _check_size(image, path, Image.MAX_IMAGE_PIXELS)
            image.load()
        if image.format == "PNG":
            _check_pixels(path)
    except FileNotFoundError:
        raise UnreadableSourceError(f"there is no file {path}") from None
    except UnidentifiedImageError:
        is_pdf = path.read_bytes()[:5] == b"%PDF-"
        cure = "it is a PDF; make an image of each page, such as with pdftoppm" if is_pdf else EXPECTED_FORMATS
        raise UnreadableSourceError(f"{path} is not a readable image ({_size(path)}): {cure}") from None
    except Image.DecompressionBombError as error:
        raise UnreadableSourceError(f"{path} is too large ({_size(path)}): {error}") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise UnreadableSourceError(f"{path} is damaged or cut short ({_size(path)}): {error}") from None
    return _on_white(image) if image.has_transparency_data else image


def image_to_send(source: Source) -> tuple[str, bytes, str]:
    """Name, content and media type of an image for a server: PNG and JPEG as they are, others as PNG.

    It is loaded first, so that nothing is paid for a file that cannot be read; errors are those of `load_image`.
    """
    image = load_image(source)
    path = media_path(source)
    # The format is that of the content: what `load_image` put on white has none any more.
    if image.format in _SENT_AS_THEY_ARE and image.mode in {"1", "L", "P", "RGB"}:
        return path.name, path.read_bytes(), _SENT_AS_THEY_ARE[image.format]
    plain = BytesIO()
    (image if image.mode in {"1", "L"} else image.convert("RGB")).save(plain, "PNG")
    return f"{path.stem}.png", plain.getvalue(), "image/png"


def _check_size(image: Image, path: Path, most_pixels: int | None) -> None:
    if most_pixels is not None and image.width * image.height > most_pixels:
        raise UnreadableSourceError(
            f"{path} is too large: {image.width:,} x {image.height:,} pixels, more than {most_pixels:,}"
        )
    frames = getattr(image, "n_frames", 1)
    if frames > 1:
        raise UnreadableSourceError(f"{path} has {frames} pages or frames; put each into a file of its own")


def _check_pixels(path: Path) -> None:
    """Refuse a PNG whose data end early but in order: Pillow leaves the rest black without a word."""
    missing, expected = missing_png_bytes(path)
    if missing:
        raise UnreadableSourceError(
            f"{path} is cut short: it has {expected - missing:,} of {expected:,} bytes of pixels"
        )


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
