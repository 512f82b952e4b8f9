"""Adapters of recognition engines, one per file; none of them sees a reference."""

from misread.engines.base import Engine, Reader, UnreadableSourceError
from misread.engines.capture import is_recorded, make_capture, read_all, why_not_applicable
from misread.engines.executor import Threads
from misread.engines.journal import Journal
from misread.engines.rapidocr import RapidOCR
from misread.engines.recorded import Recorded
from misread.engines.tesseract import Tesseract

__all__ = [
    "Engine",
    "Journal",
    "RapidOCR",
    "Reader",
    "Recorded",
    "Tesseract",
    "Threads",
    "UnreadableSourceError",
    "is_recorded",
    "make_capture",
    "read_all",
    "why_not_applicable",
]
