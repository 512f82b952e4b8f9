"""Adapters of recognition engines, one per file; none of them sees a reference."""

from misread.engines.base import Engine as Engine
from misread.engines.base import Reader as Reader
from misread.engines.base import UnreadableSourceError as UnreadableSourceError
from misread.engines.capture import is_recorded as is_recorded
from misread.engines.capture import make_capture as make_capture
from misread.engines.capture import read_all as read_all
from misread.engines.capture import why_not_applicable as why_not_applicable
from misread.engines.executor import Threads as Threads
from misread.engines.journal import Journal as Journal
from misread.engines.rapidocr import RapidOCR as RapidOCR
from misread.engines.recorded import Recorded as Recorded
from misread.engines.tesseract import Tesseract as Tesseract
