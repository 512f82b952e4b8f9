"""RapidOCR: PaddleOCR's models in ONNX Runtime, on the CPU; the package includes the models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from misread.engines.images import load_image
from misread.extras import needed_for
from misread.records import Source


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
        """Versions of the package, which includes the models, and of the runtime."""
        _import_rapidocr()
        return {"rapidocr": version("rapidocr"), "onnxruntime": version("onnxruntime")}

    def open(self) -> RapidOCRReader:
        """Load the models."""
        engine = _import_rapidocr()(
            params={
                "Global.log_level": "critical",
                # Keep every line, however low its score: dropped lines would be deletions that the engine did not make.
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

    def read(self, source: Source) -> str:
        """Read one image; lines of a page in the engine's order, joined by line feeds."""
        image = load_image(source).convert("RGB")
        result = self.engine(image, use_det=self.detection, use_cls=False, use_rec=True)
        return "\n".join(result.txts or ())

    def close(self) -> None:
        """Do nothing: ONNX Runtime frees its session with the object."""


def _import_rapidocr() -> Any:
    with needed_for("engine RapidOCR needs", "rapidocr", "rapidocr"):
        import rapidocr
    return rapidocr.RapidOCR
