"""Loading of images and recordings, or the reason why they cannot be read."""

from __future__ import annotations

import struct
import wave
import zlib
from collections.abc import Iterator
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from misread.data.segment_table import Source
from misread.engines.base import UnreadableSourceError
from misread.errors import needed_for
from misread.io.image_files import EXPECTED_FORMATS, open_image

if TYPE_CHECKING:
    from PIL.Image import Image

_SIGNATURE_BYTES: Final = 8
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# Adam7: first column and row of a pass, and the steps to the next.
_PASSES: Final = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_PART_BYTES: Final = 1 << 16


def missing_png_bytes(path: Path) -> tuple[int, int]:
    """Bytes of pixels that a PNG lacks, and that it should have; trailing data are not read.

    Portable Network Graphics (PNG) Specification, third edition, sections 7 to 9.
    """
    with path.open("rb") as file:
        chunks = _chunks(file)
        _, header = next(chunks)
        expected = _expected_bytes(header)
        missing, inflater = expected, zlib.decompressobj()
        for kind, content in chunks:
            if kind != b"IDAT":
                continue
            while content and missing > 0:
                missing -= len(inflater.decompress(content, min(missing, _PART_BYTES)))
                content = inflater.unconsumed_tail
            if missing == 0:
                break
    return missing, expected


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
    """Load the image of a source, in the mode of its file; transparent images are put on white, in RGB.

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
    """Name, content and media type of an image for a server: PNG and JPEG unchanged, others as PNG.

    It is loaded first, so that no request is paid for an unreadable file; errors are those of `load_image`.
    """
    image = load_image(source)
    path = media_path(source)
    # The format comes from the file's content: an image put on white by `load_image` has none.
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
    """Refuse a PNG whose data end early without damage: Pillow silently leaves the rest black."""
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


_BYTES: Final = 2


def load_wave(source: Source, sampling_rate: int) -> bytes:
    """Samples of a WAV file of one channel and 16 bits."""
    path = media_path(source)
    cure = f"make it one with `ffmpeg -i FILE -ar {sampling_rate} -ac 1 -c:a pcm_s16le FILE.wav`"
    try:
        with wave.open(str(path)) as file:
            form = (file.getframerate(), file.getnchannels(), file.getsampwidth())
            samples: bytes = file.readframes(file.getnframes())
            expected = file.getnframes() * file.getnchannels() * file.getsampwidth()
    except FileNotFoundError:
        raise UnreadableSourceError(f"there is no file {path}") from None
    # Inconsistent sizes of chunks raise a RuntimeError without a message.
    except (wave.Error, EOFError, OSError, RuntimeError) as error:
        raise UnreadableSourceError(
            f"{path} is not a readable WAV file ({str(error) or 'its parts are damaged'}); {cure}"
        ) from None
    if form != (sampling_rate, 1, _BYTES):
        raise UnreadableSourceError(
            f"{path} has {form[0]:,} samples per second, {form[1]} channels and {8 * form[2]} bits, expected "
            f"{sampling_rate:,}, 1 and 16; {cure}"
        )
    if len(samples) < expected:
        raise UnreadableSourceError(f"{path} is cut short ({len(samples):,} of {expected:,} bytes)")
    return samples
