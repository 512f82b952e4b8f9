"""Parts of images and recordings as separate files, which any engine can read."""

from __future__ import annotations

import tempfile
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from misread.data.segment_table import Area, Source
from misread.engines.base import UnreadableSourceError
from misread.engines.loading import load_image, media_path
from misread.engines.recordings import decode, open_wav
from misread.io.image_files import is_as_seen, open_image

if TYPE_CHECKING:
    from PIL.Image import Image

    from misread.engines.recordings import Samples

_SAMPLES_PER_SECOND = 16_000


@contextmanager
def cut_out(source: Source) -> Iterator[Source]:
    """The source with the part that it names as a whole file, which is deleted after the block.

    Raises UnreadableSourceError if the file cannot be read or does not contain that part.
    """
    if source.media is None or (source.area is None and source.span is None):
        yield source
        return
    part = _cut_recording(source) if source.area is None else image_part(source.media, source.area)
    with _written(source.media.stem, part) as path:
        yield replace(source, media=path, area=None, span=None)


@contextmanager
def plain_file(source: Source, medium: str) -> Iterator[Path]:
    """Path of a source's file for a program that opens it itself, or of a copy where other engines see or hear another.

    The copy is a picture `as_seen`, or a recording with its size; it is deleted after the block. Formats that are not
    known here are the program's own matter. Raises UnreadableSourceError if the file is not whole, or several pictures.
    """
    path = media_path(source)
    copy: Image | tuple[Samples, int] | None
    if medium == "audio":
        wav = open_wav(path) if path.is_file() else None
        copy = (wav.read(), wav.rate) if wav and not wav.has_size else None
    else:
        copy = _other_picture(source, path)
    if copy is None:
        yield path
        return
    with _written(path.stem, copy) as written:
        yield written


def _other_picture(source: Source, path: Path) -> Image | None:
    """What other engines see where a file shows another picture; None of formats that are not known here."""
    try:
        with open_image(path) as image:
            is_seen = is_as_seen(image)
    except Exception:  # noqa: BLE001  of several packages
        return None
    picture = load_image(source)
    return None if is_seen else picture


@contextmanager
def _written(stem: str, part: Image | tuple[Samples, int]) -> Iterator[Path]:
    """File of a picture, or of samples with their rate, which is deleted after the block."""
    with tempfile.TemporaryDirectory(prefix="misread-") as folder:
        path = Path(folder) / f"{stem}{'.wav' if isinstance(part, tuple) else '.png'}"
        try:
            if isinstance(part, tuple):
                samples, rate = part
                with wave.open(str(path), "wb") as file:
                    file.setparams((samples.shape[1], samples.itemsize, rate, 0, "NONE", ""))
                    file.writeframes(samples.tobytes())
            else:
                part.save(path)
        except OSError as error:
            # Another file may be the one that cannot be read.
            error.filename = error.filename or str(path)
            raise
        yield path


def image_part(path: Path, area: Area) -> Image:
    """Box around a polygon, white outside it, clipped to the image.

    Raises UnreadableSourceError if the image cannot be read, or nothing of the polygon lies in it.
    """
    from PIL import Image, ImageDraw

    page = _load_page(path, path.stat().st_mtime_ns if path.is_file() else 0)
    across, down = zip(*area, strict=True)
    left, upper = max(min(across), 0), max(min(down), 0)
    right, lower = min(max(across), page.width), min(max(down), page.height)
    if left >= right or upper >= lower:
        raise UnreadableSourceError(
            f"the segment lies at x {min(across)}-{max(across)}, y {min(down)}-{max(down)}, outside of {path} "
            f"({page.width:,} x {page.height:,} pixels)"
        )
    part = page.crop((left, upper, right, lower))
    inside = Image.new("1", part.size, 0)
    ImageDraw.Draw(inside).polygon([(x - left, y - upper) for x, y in area], fill=1, outline=1)
    # The box includes its right and lower edge; a crop does not.
    return Image.composite(part, Image.new(part.mode, part.size, "white"), inside)


@lru_cache(maxsize=1)
def _load_page(path: Path, _changed: int) -> Image:
    """The whole image, cached for the next segments of the same page."""
    page = load_image(Source(path.stem, path))
    return page if page.mode in {"1", "L", "RGB"} else page.convert("RGB")


def _cut_recording(source: Source) -> tuple[Samples, int]:
    """Samples between two times, shape (frames, channels), with their rate: a WAV file's own, else 16,000 a second."""
    path = media_path(source)
    start, end = source.span or (0.0, 0.0)
    if not 0 <= start < end:
        raise UnreadableSourceError(f"the segment lasts from {start:g} to {end:g} s, which is no length of time")
    if wav := open_wav(path):
        rate, part = wav.rate, wav.read(round(start * wav.rate), round(end * wav.rate))
    else:
        rate = _SAMPLES_PER_SECOND
        part = decode(path, rate)[round(start * rate) : round(end * rate), np.newaxis]
    if not part.size:
        raise UnreadableSourceError(f"the segment begins at {start:g} s, after the end of {path}")
    return part, rate
