"""Loading of images and recordings, or the reason why they cannot be read."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from misread.data.segment_table import Source
from misread.engines.base import UnreadableSourceError
from misread.errors import needed_for
from misread.io.image_files import EXPECTED_FORMATS, SEVERAL_PICTURES, as_seen, open_image
from misread.io.pointers import absence, pointer_at

if TYPE_CHECKING:
    from PIL.Image import Image

_SIGNATURE_BYTES: Final = 8
_PNG_DEPTH: Final = 24
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# Adam7: first column and row of a pass, and the steps to the next.
_PASSES: Final = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def missing_png_bytes(path: Path) -> tuple[int, int]:
    """Bytes of pixels that a PNG lacks, and that it should have; trailing data are not read.

    Portable Network Graphics (PNG) Specification, third edition, sections 7 to 9.
    """
    with path.open("rb") as file:
        (_, header), *chunks = _chunks(file)
    expected = _expected_bytes(header)
    packed = b"".join(content for kind, content in chunks if kind == b"IDAT")
    return expected - len(zlib.decompressobj().decompress(packed, expected)), expected


def _chunks(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each chunk; a truncated chunk is returned as far as it goes."""
    file.seek(_SIGNATURE_BYTES)
    while len(head := file.read(8)) == 8:
        length, kind = struct.unpack(">I4s", head)
        yield kind, file.read(length)
        file.seek(4, 1)


def _expected_bytes(header: bytes) -> int:
    """Bytes of all rows, including one per row for its filter."""
    width, height, depth, color, is_interlaced = struct.unpack(">IIBB2xB", header)
    expected = 0
    for column, row, column_step, row_step in _PASSES if is_interlaced else ((0, 0, 1, 1),):
        columns, rows = ceil((width - column) / column_step), ceil((height - row) / row_step)
        if columns > 0:
            expected += rows * (1 + ceil(columns * depth * _CHANNELS[color] / 8))
    return expected


_SENT_AS_THEY_ARE: Final = {"PNG": "image/png", "JPEG": "image/jpeg"}


def load_image(source: Source) -> Image:
    """Load the picture of a source, which every engine reads: `as_seen` of its file, in mode 1, L, P or RGB.

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
        # Of data that end early without damage, Pillow silently leaves the rest black.
        missing, expected = missing_png_bytes(path) if image.format == "PNG" else (0, 0)
        if missing:
            raise UnreadableSourceError(
                f"{path} is cut short: it has {expected - missing:,} of {expected:,} bytes of pixels"
            )
    except UnidentifiedImageError:
        is_pdf = path.read_bytes()[:5] == b"%PDF-"
        cure = "it is a PDF; make an image of each page, such as with pdftoppm" if is_pdf else EXPECTED_FORMATS
        raise UnreadableSourceError(f"{path} is not a readable image ({_size(path)}): {cure}") from None
    except Image.DecompressionBombError as error:
        raise UnreadableSourceError(f"{path} is too large ({_size(path)}): {error}") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise UnreadableSourceError(f"{path} is damaged or cut short ({_size(path)}): {error}") from None
    try:
        return as_seen(image)
    except ValueError as error:
        raise UnreadableSourceError(f"{path} has {error}") from None


def image_to_send(source: Source) -> tuple[str, bytes, str]:
    """Name, content and media type of a picture for a server: PNG and JPEG files that are as seen, all others as PNG.

    It is loaded first, so that no request is paid for an unreadable file; errors are those of `load_image`.
    """
    image = load_image(source)
    path = media_path(source)
    # The format comes from the file's content: a picture that `as_seen` has made has none.
    if image.format in _SENT_AS_THEY_ARE:
        content = path.read_bytes()
        if image.format != "PNG" or content[_PNG_DEPTH] <= 8:
            return path.name, content, _SENT_AS_THEY_ARE[image.format]
    plain = BytesIO()
    (image if image.mode in {"1", "L"} else image.convert("RGB")).save(plain, "PNG", compress_level=1)
    return f"{path.stem}.png", plain.getvalue(), "image/png"


def _check_size(image: Image, path: Path, most_pixels: int | None) -> None:
    if most_pixels is not None and image.width * image.height > most_pixels:
        raise UnreadableSourceError(
            f"{path} is too large: {image.width:,} x {image.height:,} pixels, more than {most_pixels:,}"
        )
    frames = getattr(image, "n_frames", 1)
    if frames > 1 and image.format != SEVERAL_PICTURES:
        raise UnreadableSourceError(f"{path} has {frames} pages or frames; put each into a file of its own")


def media_path(source: Source) -> Path:
    """Path of the image or audio of a source; raises UnreadableSourceError if it has none, or a pointer."""
    if source.media is None:
        raise UnreadableSourceError("the data set names no image or audio for this segment")
    if not source.media.exists():
        raise UnreadableSourceError(absence(source.media))
    if pointer := pointer_at(source.media):
        raise UnreadableSourceError(f"{source.media} is {pointer}")
    return source.media


def _size(path: Path) -> str:
    size = path.stat().st_size
    return "the file is empty" if size == 0 else f"{size:,} bytes"
