"""PocketSphinx, for speech, on the CPU; the package includes an English model."""

from __future__ import annotations

import wave
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from misread.engines.base import UnreadableSourceError
from misread.engines.images import media_path
from misread.errors import InputFileError
from misread.extras import needed_for
from misread.provenance.models import digest_model
from misread.records import Source

_BYTES: Final = 2


@dataclass(frozen=True)
class PocketSphinx:
    """Decoding with hidden Markov models: weak by today's measure, and the same every time.

    Parameters
    ----------
    sampling_rate : int
        Samples per second that the model was trained with; recordings must have it.
    beam : float
        Width of the search, as a share of the best score; a smaller one searches more.
    language_weight : float
        Weight of the language model.
    acoustic_model, language_model, dictionary : str
        Paths of a model of your own; by default those of the package.
    revision : int
        Revision of this adapter and these settings; increase it to read again.

    References
    ----------
    Huggins-Daines et al., "PocketSphinx: a free, real-time continuous speech recognition system for hand-held devices",
    ICASSP 2006.
    """

    sampling_rate: int = 16_000
    beam: float = 1e-48
    language_weight: float = 6.5
    acoustic_model: str = ""
    language_model: str = ""
    dictionary: str = ""
    revision: int = 1

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({"audio"})

    def versions(self) -> Mapping[str, str]:
        """Version of the package, which includes a model, and digests of a model of your own."""
        _import_decoder()
        digests = {name: digest_model(Path(path)) for name, path in self._own_model().items()}
        return {"pocketsphinx": version("pocketsphinx"), **digests}

    def open(self) -> PocketSphinxReader:
        """Load the model."""
        settings = self._own_model()
        try:
            decoder = _import_decoder()(
                samprate=self.sampling_rate, beam=self.beam, lw=self.language_weight, loglevel="FATAL", **settings
            )
        except (RuntimeError, ValueError) as error:
            named = ", ".join(settings.values()) or "of the package"
            raise InputFileError(f"engine PocketSphinx cannot load the model {named}: {error}.") from None
        return PocketSphinxReader(decoder, self.sampling_rate)

    def _own_model(self) -> dict[str, str]:
        paths = {"hmm": self.acoustic_model, "lm": self.language_model, "dict": self.dictionary}
        chosen = {name: path for name, path in paths.items() if path}
        for path in chosen.values():
            if not Path(path).exists():
                raise InputFileError(f"engine PocketSphinx: there is no {path}; set the path of a model.")
        return chosen


@dataclass(frozen=True)
class PocketSphinxReader:
    """A loaded model."""

    decoder: Any
    sampling_rate: int

    def read(self, source: Source) -> str:
        """Text of one recording."""
        samples = _load_wave(source, self.sampling_rate)
        # Without it, the decoder adapts to what it has heard before, and the text depends on the order.
        self.decoder.reinit_feat()
        self.decoder.start_utt()
        if samples:
            self.decoder.process_raw(samples, full_utt=True)
        self.decoder.end_utt()
        found = self.decoder.hyp()
        return "" if found is None else str(found.hypstr)

    def close(self) -> None:
        """Nothing is held but memory."""


def _load_wave(source: Source, sampling_rate: int) -> bytes:
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
    except (wave.Error, EOFError, OSError) as error:
        raise UnreadableSourceError(f"{path} is not a readable WAV file ({error}); {cure}") from None
    if form != (sampling_rate, 1, _BYTES):
        raise UnreadableSourceError(
            f"{path} has {form[0]:,} samples per second, {form[1]} channels and {8 * form[2]} bits, expected "
            f"{sampling_rate:,}, 1 and 16; {cure}"
        )
    if len(samples) < expected:
        raise UnreadableSourceError(f"{path} is cut short ({len(samples):,} of {expected:,} bytes)")
    return samples


def _import_decoder() -> Any:
    with needed_for("engine PocketSphinx needs", "pocketsphinx", "pocketsphinx"):
        import pocketsphinx
    return pocketsphinx.Decoder
