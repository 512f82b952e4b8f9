"""PocketSphinx, for speech, on the CPU; the package includes an English model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from misread.data.segment_table import Source
from misread.engines.base import digest_model, import_engine
from misread.engines.recordings import load_samples
from misread.errors import InputFileError


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

    reads = frozenset({"audio"})

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
            model = ", ".join(settings.values()) or "of the package"
            raise InputFileError(f"engine PocketSphinx cannot load the model {model}: {error}.") from None
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
        samples = load_samples(source, self.sampling_rate).tobytes()
        # Otherwise the decoder adapts to earlier recordings, and the text depends on their order. Samples given at once
        # have a cost: of PocketSphinx 5.1.1, silence is a word then.
        self.decoder.reinit_feat()
        self.decoder.start_utt()
        if samples:
            self.decoder.process_raw(samples, full_utt=True)
        self.decoder.end_utt()
        hypothesis = self.decoder.hyp()
        return "" if hypothesis is None else str(hypothesis.hypstr)

    def close(self) -> None:
        """Nothing is held but memory."""


def _import_decoder() -> Any:
    return import_engine("PocketSphinx", "pocketsphinx", "pocketsphinx", "pocketsphinx").Decoder
