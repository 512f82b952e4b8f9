"""Adapters of recognition engines, one per file; none of them sees a reference but a judge, which reads nothing."""

from misread.engines.base import Answer as Answer
from misread.engines.base import Engine as Engine
from misread.engines.base import Reader as Reader
from misread.engines.base import RemoteEngine as RemoteEngine
from misread.engines.base import UnreadableSourceError as UnreadableSourceError
from misread.engines.capture import Readings as Readings
from misread.engines.capture import describe_capture as describe_capture
from misread.engines.capture import is_recorded as is_recorded
from misread.engines.capture import why_not_applicable as why_not_applicable
from misread.engines.command import Command as Command
from misread.engines.executor import Processes as Processes
from misread.engines.executor import readers_for as readers_for
from misread.engines.faster_whisper import FasterWhisper as FasterWhisper
from misread.engines.function import Function as Function
from misread.engines.http_ocr import HttpOCR as HttpOCR
from misread.engines.journal import Journal as Journal
from misread.engines.openai_chat import OpenAIChat as OpenAIChat
from misread.engines.openai_judge import OpenAIJudge as OpenAIJudge
from misread.engines.pocketsphinx import PocketSphinx as PocketSphinx
from misread.engines.rapidocr import RapidOCR as RapidOCR
from misread.engines.recorded import Recorded as Recorded
from misread.engines.settings import CaptureSettings as CaptureSettings
from misread.engines.signature import sign_system as sign_system
from misread.engines.tesseract import Tesseract as Tesseract
from misread.engines.transformers import Transformers as Transformers
