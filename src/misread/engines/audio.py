"""Loading of recordings, or the reason why one cannot be read."""

from __future__ import annotations

import wave
from typing import Final

from misread.engines.base import UnreadableSourceError
from misread.engines.images import media_path
from misread.records import Source

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
    # Sizes of parts that do not fit each other are a RuntimeError without a text.
    except (wave.Error, EOFError, OSError, RuntimeError) as error:
        raise UnreadableSourceError(
            f"{path} is not a readable WAV file ({error or 'its parts are damaged'}); {cure}"
        ) from None
    if form != (sampling_rate, 1, _BYTES):
        raise UnreadableSourceError(
            f"{path} has {form[0]:,} samples per second, {form[1]} channels and {8 * form[2]} bits, expected "
            f"{sampling_rate:,}, 1 and 16; {cure}"
        )
    if len(samples) < expected:
        raise UnreadableSourceError(f"{path} is cut short ({len(samples):,} of {expected:,} bytes)")
    return samples
