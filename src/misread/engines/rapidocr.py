"""RapidOCR: PaddleOCR's models in ONNX Runtime, on the CPU; the package includes the models."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from typing import Any

from misread.data.segment_table import Source, Word
from misread.engines.base import Answer, digest_model, import_engine
from misread.engines.loading import load_image


@dataclass(frozen=True)
class RapidOCR:
    """PP-OCR recognition of line images, or of pages after detection of their lines.

    Parameters
    ----------
    detection : bool
        False reads the whole image as one line; True finds the lines of a page first.
    revision : int
        Revision of this adapter and these settings; increase it to read again.

    References
    ----------
    Li et al., "PP-OCRv3: more attempts for the improvement of ultra lightweight OCR system", 2022.
    """

    detection: bool = False
    revision: int = 1

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({"page_image" if self.detection else "line_image"})

    def versions(self) -> Mapping[str, str]:
        """Versions of the package and of the runtime, and the digest of the models in the package."""
        models = Path(str(_import_rapidocr().__file__)).parent / "models"
        return {"rapidocr": version("rapidocr"), "onnxruntime": version("onnxruntime"), "models": digest_model(models)}

    def open(self) -> RapidOCRReader:
        """Load the models."""
        engine = _import_rapidocr().RapidOCR(
            params={
                "Global.log_level": "critical",
                # Keep every line, however low its score: a dropped line would count as a deletion by the engine.
                "Global.text_score": 0.0,
                # Segments are read in parallel, so one thread each.
                "EngineConfig.onnxruntime.intra_op_num_threads": 1,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )
        return RapidOCRReader(engine, self.detection)


@dataclass(frozen=True)
class RapidOCRReader:
    """Loaded models."""

    engine: Any
    detection: bool

    def read(self, source: Source) -> Answer:
        """Read one image; lines of a page in the engine's order, joined by line feeds.

        The confidence is the mean score of its lines, weighted by their lengths. Words of a page have none, because the
        engine's scores belong to other characters.
        """
        image = load_image(source).convert("RGB")
        # An option that one call has and the next lacks would hold for the next, too.
        result = self.engine(
            image, use_det=self.detection, use_cls=False, use_rec=True, return_word_box=not self.detection
        )
        lines, scores = result.txts or (), result.scores or ()
        length = sum(map(len, lines))
        sure = sum(score * len(line) for score, line in zip(scores, lines, strict=True)) / length if length else None
        words = None if self.detection else _words_in(lines, result.word_results or ())
        return Answer("\n".join(lines), confidence=sure, words=words)

    def close(self) -> None:
        """Do nothing: ONNX Runtime frees its session with the object."""


def _words_in(lines: Sequence[str], infos: Sequence[Any]) -> tuple[Word, ...] | None:
    """Words between spaces, each with the mean score of its characters; None if the engine scored other characters."""
    words: list[Word] = []
    for line, info in zip(lines, infos, strict=False):
        if info is None or len(info.confs) != len(line):
            return None
        matches = re.finditer(r"\S+", line)
        words += [Word(match.group(), fmean(info.confs[match.start() : match.end()])) for match in matches]
    return tuple(words)


def _import_rapidocr() -> Any:
    return import_engine("RapidOCR", "rapidocr", "rapidocr", "rapidocr")
