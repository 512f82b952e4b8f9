"""Every name of misread.engines, once, with its home."""

from .base import Answer as Answer
from .base import Engine as Engine
from .base import Reader as Reader
from .base import RemoteEngine as RemoteEngine
from .base import UnreadableSourceError as UnreadableSourceError
from .capture import Readings as Readings
from .capture import describe_capture as describe_capture
from .capture import is_recorded as is_recorded
from .capture import sign_system as sign_system
from .capture import why_not_applicable as why_not_applicable
from .command import Command as Command
from .faster_whisper import FasterWhisper as FasterWhisper
from .function import Function as Function
from .http_ocr import HttpOCR as HttpOCR
from .journal import Journal as Journal
from .openai_chat import OpenAIChat as OpenAIChat
from .pocketsphinx import PocketSphinx as PocketSphinx
from .rapidocr import RapidOCR as RapidOCR
from .recorded import Recorded as Recorded
from .recorded import RecordedOutputs as RecordedOutputs
from .settings import CaptureSettings as CaptureSettings
from .source_readers import Processes as Processes
from .tesseract import Tesseract as Tesseract
from .transformers import Transformers as Transformers
