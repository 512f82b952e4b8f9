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

from misread.data.segment_table import Area, Source
from misread.engines.base import UnreadableSourceError
from misread.engines.loading import load_image, media_path
from misread.errors import needed_for

if TYPE_CHECKING:
    from PIL.Image import Image

_SAMPLES_PER_SECOND = 16_000


@contextmanager
def cut_out(source: Source) -> Iterator[Source]:
    """The source with the part that it names as a whole file, which is deleted after the block.

    Raises UnreadableSourceError if the file cannot be read or does not contain that part.
    """
    if source.media is None or (source.area is None and source.span is None):
        yield source
        return
    with tempfile.TemporaryDirectory(prefix="misread-") as folder:
        if source.area is not None:
            path = Path(folder) / f"{media_path(source).stem}.png"
            part = image_part(source.media, source.area)
            with _naming(path):
                part.save(path)
        else:
            path = Path(folder) / f"{media_path(source).stem}.wav"
            frames, channels, width, rate = _cut_recording(source)
            with _naming(path), wave.open(str(path), "wb") as written:
                written.setnchannels(channels)
                written.setsampwidth(width)
                written.setframerate(rate)
                written.writeframes(frames)
        yield replace(source, media=path, area=None, span=None)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Name the temporary file in an OSError that does not: another file may be the one that cannot be read."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


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


def _cut_recording(source: Source) -> tuple[bytes, int, int, int]:
    """Samples between two times: unchanged from a WAV file, else 16,000 per second on one channel.

    They come with the number of channels, bytes per sample, and rate.
    """
    path = media_path(source)
    start, end = source.span or (0.0, 0.0)
    if not 0 <= start < end:
        raise UnreadableSourceError(f"the segment lasts from {start:g} to {end:g} s, which is no length of time")
    frames, channels, width, rate = _samples_of_wav(path, start, end) or _samples_of_any(path, start, end)
    if not frames:
        raise UnreadableSourceError(f"the segment begins at {start:g} s, after the end of {path}")
    return frames, channels, width, rate


def _samples_of_wav(path: Path, start: float, end: float) -> tuple[bytes, int, int, int] | None:
    """Samples with channels, bytes per sample and rate; None unless the file is a WAV file of plain samples."""
    try:
        with wave.open(str(path), "rb") as file:
            rate = file.getframerate()
            first = round(start * rate)
            file.setpos(min(first, file.getnframes()))
            return file.readframes(round(end * rate) - first), file.getnchannels(), file.getsampwidth(), rate
    except FileNotFoundError:
        raise UnreadableSourceError(f"there is no file {path}") from None
    except (wave.Error, EOFError):
        return None


def _samples_of_any(path: Path, start: float, end: float) -> tuple[bytes, int, int, int]:
    with needed_for("cutting recordings that are not WAV files of plain samples needs", "faster-whisper", "whisper"):
        from faster_whisper import decode_audio
    try:
        audio = decode_audio(str(path), sampling_rate=_SAMPLES_PER_SECOND)
    except Exception as error:  # noqa: BLE001  of several packages
        raise UnreadableSourceError(f"{path} is not readable audio ({path.stat().st_size:,} bytes): {error}") from None
    part = audio[round(start * _SAMPLES_PER_SECOND) : round(end * _SAMPLES_PER_SECOND)]
    return (part.clip(-1, 1) * 32767).astype("<i2").tobytes(), 1, 2, _SAMPLES_PER_SECOND
