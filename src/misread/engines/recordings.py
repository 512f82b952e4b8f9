"""Recordings as samples of 16 bits, the same for every engine, or the reason why they are not whole."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from misread.data.segment_table import Source
from misread.engines.base import UnreadableSourceError
from misread.engines.loading import media_path
from misread.errors import needed_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.int16]

_INTEGERS: Final = 1
_FLOATS: Final = 3
_EXTENSIBLE: Final = 0xFFFE
_SHORTEST_FORM: Final = 16
_LONGEST_FORM: Final = 40
# Integers of 8 bits have no sign.
_WIDTHS: Final[Mapping[int, tuple[int, ...]]] = {_INTEGERS: (1, 2, 3, 4), _FLOATS: (4, 8)}
# Sizes from here on are placeholders of programs that write into a pipe, and cannot go back to the header: 0x7FFFF000
# (SoX), 0x7FFFFFFF and 0x80000000 (arecord), 0xFFFFFFFF (FFmpeg), with or without the 36 bytes of a header.
_PLACEHOLDERS: Final = 0x7FFF_0000
# Containers, by FFmpeg's names, whose headers count samples, or tell a duration; that of others is estimated.
_EXACT: Final = frozenset({"flac", "aiff", "au"})
_COUNTING: Final = _EXACT | {"mov", "matroska", "asf", "ogg"}
# Headers of an MP3 file that count its frames.
_MP3_COUNTS: Final = (b"Xing", b"Info", b"VBRI")
_MOST_LACKING: Final = 0.25
"""Seconds at the end that an encoder may add to the duration, or a decoder leave out."""

_ROUNDING: Final = 0.01
"""Seconds that are lost where an exact number of samples is resampled."""

_OGG_PAGE: Final = 27
"""Bytes of the head of a page of Ogg (RFC 3533, section 6), before the lengths of its segments."""

_EDGE: Final = 1 << 17


@dataclass(frozen=True)
class Wav:
    """A WAV file of plain samples, integers or floats."""

    path: Path
    rate: int
    channels: int
    code: int  # _INTEGERS or _FLOATS
    width: int  # bytes of a sample
    offset: int  # where the samples begin
    frames: int  # number of samples of a channel
    has_size: bool  # False if the header has a placeholder, and the samples go to the end of the file

    def read(self, first: int = 0, last: int | None = None) -> Samples:
        """Samples from one number up to another, shape (frames, channels)."""
        first, last = min(first, self.frames), min(self.frames if last is None else last, self.frames)
        frame = self.channels * self.width
        with self.path.open("rb") as file:
            file.seek(self.offset + first * frame)
            data = np.frombuffer(file.read((last - first) * frame), np.uint8)
        if self.code == _FLOATS:
            floats = np.clip(np.nan_to_num(data.view(f"<f{self.width}")), -1, 1)
            samples = np.minimum(np.rint(floats * 32768), 32767).astype("<i2")
        elif self.width == 1:
            samples = (data.astype("<i2") - 128) << 8
        else:
            samples = np.ascontiguousarray(data.reshape(-1, self.width)[:, -2:]).view("<i2")
        frames: Samples = samples.reshape(-1, self.channels)
        return frames


def open_wav(path: Path) -> Wav | None:
    """Header of a WAV file, or None of any other file; raises UnreadableSourceError if the file is cut short.

    Multimedia Programming Interface and Data Specifications 1.0 (RIFF); Microsoft, WAVEFORMATEXTENSIBLE; EBU Tech 3306
    (RF64).
    """
    form, size, offset, length = b"", 0, 0, path.stat().st_size
    with path.open("rb") as file:
        kind, riff_size, wave = struct.unpack("<4sI4s", file.read(12).ljust(12))
        if kind not in (b"RIFF", b"RF64", b"BW64") or wave != b"WAVE":
            return None
        long_size = 0
        while not offset and len(head := file.read(8)) == 8:
            name, size = struct.unpack("<4sI", head)
            start = file.tell()
            if name == b"fmt ":
                form = file.read(min(size, _LONGEST_FORM))
            elif name == b"ds64":
                riff_size, long_size = struct.unpack("<QQ", file.read(16).ljust(16, b"\0"))
            elif name == b"data":
                offset = start
            file.seek(start + size + size % 2)
    if not offset or len(form) < _SHORTEST_FORM:
        raise UnreadableSourceError(f"{path} is damaged or cut short: it has no samples")
    size, present = long_size if size == 0xFFFF_FFFF and long_size else size, length - offset
    # The header of an empty recording fits its file.
    has_size = size < _PLACEHOLDERS or size == long_size < 1 << 63 if size else riff_size + 8 == length
    if has_size and size > present:
        raise UnreadableSourceError(f"{path} is cut short ({present:,} of {size:,} bytes of samples)")
    code, channels, rate, frame = struct.unpack("<HHI4xH", form[:14])
    if code == _EXTENSIBLE:
        code = int.from_bytes(form[24:26], "little")
    if not channels or not rate or frame % channels or frame // channels not in _WIDTHS.get(code, ()):
        return None
    frames = (size if has_size else present) // frame
    return Wav(path, rate, channels, code, frame // channels, offset, frames, has_size)


def load_samples(source: Source, rate: int) -> Samples:
    """Samples of a recording on one channel, at the rate asked for; raises UnreadableSourceError if it is not whole."""
    wav = open_wav(path := media_path(source))
    is_as_asked = wav and (not wav.frames or (wav.rate, wav.channels) == (rate, 1))
    return wav.read()[:, 0] if wav and is_as_asked else decode(path, rate)


def decode(path: Path, rate: int) -> Samples:
    """Samples of any recording, mixed to one channel; the last recording is kept for its next segment."""
    return _decode(path, rate, path.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _decode(path: Path, rate: int, _changed: int) -> Samples:
    advice = f"(`ffmpeg -i FILE -ar {rate} -ac 1 -c:a pcm_s16le FILE.wav` makes one)"
    what = f"recordings other than WAV of one channel with {rate:,} samples per second {advice} need"
    with needed_for(what, "faster-whisper", "whisper"):
        import av
        from faster_whisper import decode_audio
    try:
        with av.open(str(path)) as container:
            promised = _duration(container, path)
            most_lacking = _ROUNDING if container.format.name in _EXACT else _MOST_LACKING
        samples = decode_audio(str(path), sampling_rate=rate)
        if not samples.size:
            # FFmpeg believes the names of some formats, such as FLAC and AC-3, whatever the file is.
            raise ValueError("it has no samples")  # noqa: TRY301
    except Exception as error:  # noqa: BLE001  of several packages
        raise UnreadableSourceError(f"{path} is not readable audio ({path.stat().st_size:,} bytes): {error}") from None
    if (seconds := len(samples) / rate) < promised - most_lacking:
        ends = "more" if promised == math.inf else f"{promised:,.1f}"
        raise UnreadableSourceError(f"{path} is damaged or cut short ({seconds:,.1f} s of {ends})")
    decoded: Samples = (samples * 32768).astype("<i2")
    return decoded


def _duration(container: Any, path: Path) -> float:
    """Seconds of sound that a file promises: 0 if it does not count them, infinite if its last part is not whole."""
    sound, names, size = container.streams.audio[0], {*container.format.name.split(",")}, path.stat().st_size
    with path.open("rb") as file:
        start = file.read(_EDGE)
        file.seek(-min(size, _EDGE), 2)
        end = file.read()
    page = end[end.rfind(b"OggS") :] if "ogg" in names else b""
    if _size_in_header(start) > size or (
        page and len(page) < _OGG_PAGE + sum(page[26:27]) + sum(page[27:][: page[26]])
    ):
        return math.inf
    if not _COUNTING & names and not ("mp3" in names and any(mark in start for mark in _MP3_COUNTS)):
        return 0.0
    if sound.duration is not None:
        return float(sound.duration * sound.time_base)
    # The duration of a film may go beyond its sound.
    return container.duration / 1e6 if container.duration and len(container.streams) == 1 else 0.0


def _size_in_header(start: bytes) -> int:
    """Bytes of a file of AVI, Wave64 or Core Audio by its header; 0 where it does not say."""
    if start[:4] == b"RIFF" and start[8:12] == b"AVI ":
        return int.from_bytes(start[4:8], "little")
    if start[:4] == b"riff":
        return int.from_bytes(start[16:24], "little")
    offset, kind = 8, b""
    while start[:4] == b"caff" and kind != b"data" and len(start) >= offset + 12:
        kind, length = struct.unpack_from(">4sq", start, offset)
        offset += 12 + max(length, 0)
    return offset if kind == b"data" else 0
