"""Answers of models and servers, images, and signatures."""

from __future__ import annotations

import wave
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from misread.data.segment_table import Source, TextPairs
from misread.engines.base import Reading, UnreadableSourceError
from misread.engines.chat_answers import ChatSettings, ask_chat
from misread.engines.http_client import Reply
from misread.engines.http_ocr import HttpOCRReader
from misread.engines.journal import Journal
from misread.engines.loading import load_image, load_wave
from misread.engines.openai_chat import drop_boxes, drop_end_mark, drop_labels, unwrap_fence, unwrap_labels
from misread.errors import InputFileError
from misread.features.answers import FieldMatch, table_similarity
from misread.features.answers.html_tables import read_table
from misread.features.answers.json_validity import parse_fields
from misread.provenance.signature import Signature
from misread.text.alternatives import parse_alternatives
from tools.fuzz.targets import Target, file_target, samples_of, text_targets


def targets() -> Iterator[Target]:
    """Every reader of what comes from a model or a server."""
    calls = {
        "signature": _take_signature,
        "alternatives": _take_alternatives,
        "json_answer": _take_json,
        "html_table": _take_table,
        "http_answer": _take_http,
        "chat_answer": partial(_take_chat, stream=False),
        "chat_stream": partial(_take_chat, stream=True),
    }
    yield from text_targets(calls)
    yield from text_targets({"answer_steps": _take_steps}, samples_of("text"))
    yield file_target("journal", _take_journal, samples=[_journal()])
    yield file_target("image", partial(_take_media, load_image), ".png", [png()])
    yield file_target("audio", partial(_take_media, partial(load_wave, sampling_rate=16000)), ".wav", [_wave()])


def _take_signature(text: str) -> None:
    signature = Signature.parse(text)
    if Signature.parse(str(signature)) != signature:
        raise AssertionError("a signature is not what it is written as")


def _take_alternatives(text: str) -> None:
    for optional_words in (False, True):
        parse_alternatives(text, optional_words=optional_words, tags=optional_words)


def _take_json(text: str) -> None:
    FieldMatch("fields").count(TextPairs([text, '{"a": 1}'], ['{"a": 1}', text]))
    parse_fields(text)


def _take_table(text: str) -> None:
    read_table(text)
    table_similarity("<table><tr><td>1</td></tr></table>", text)


def _take_steps(text: str) -> None:
    for step in (drop_boxes, drop_end_mark, drop_labels, unwrap_fence, unwrap_labels):
        step(text)


@dataclass(frozen=True)
class _Client:
    """A server that has answered."""

    text: str

    def post(self, *_: object, **__: Any) -> Reply:
        return Reply(self.text, 1, 0.1, 0.1)


def _take_http(text: str) -> None:
    with TemporaryDirectory() as folder:
        image = Path(folder) / "image.png"
        image.write_bytes(png())
        _survive(lambda: HttpOCRReader(_Client(text)).read(Source("s1", media=image)))


def _take_chat(text: str, *, stream: bool) -> None:
    settings = ChatSettings(url="http://127.0.0.1:9", model="m", max_tokens=9)
    _survive(lambda: ask_chat(_Client(text), settings, "Read.", stream=stream))


def _survive(ask: Callable[[], object]) -> None:
    """An answer without text fails one reading, with a reason that may have any character of the answer."""
    try:
        ask()
    except UnreadableSourceError as error:
        raise InputFileError("refused") from error


_SOURCE: Final = Source("s1", question="?")
_SYSTEM: Final = {"engine": "1"}


def _journal() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "journal.jsonl")
        _take_journal(path)
        return path.read_bytes()


def _take_journal(path: Path) -> None:
    with Journal(path, _SYSTEM) as journal:
        key = journal.key(_SOURCE)
        assert key is not None  # noqa: S101  a question has one
        journal.find(key, _SOURCE)
        journal.keep(key, Reading("s1", "read", None, 0.1, None))
        journal.find(key, _SOURCE)


def png() -> bytes:
    """A small image with a note."""
    note = PngInfo()
    note.add_text("a", "b")
    content = BytesIO()
    Image.new("RGB", (4, 3)).save(content, "PNG", pnginfo=note)
    return content.getvalue()


def _take_media(load: Callable[[Source], object], path: Path) -> None:
    _survive(lambda: load(Source("s1", media=path)))


def _wave() -> bytes:
    content = BytesIO()
    with wave.open(content, "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(bytes(3200))
    return content.getvalue()
