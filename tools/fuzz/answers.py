"""Answers of models and servers, images, and signatures."""

from __future__ import annotations

import struct
import wave
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

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
from tools.fuzz.targets import Target, file_target, samples_of, text_target

GROUP: Final = "answers, media, signatures"


def targets() -> Iterator[Target]:
    """Every reader of what comes from a model or a server."""
    yield text_target("signature", GROUP, _take_signature, samples_of("signature"))
    yield text_target("alternatives", GROUP, _take_alternatives, [b"the {quick / slow / @} (%uh) <b_aside> fox"])
    yield text_target("json_answer", GROUP, _take_json, samples_of("json_answer"))
    yield text_target("html_table", GROUP, _take_table, samples_of("html_table"))
    yield text_target("answer_steps", GROUP, _take_steps, samples_of("text"))
    yield Target("http_answer", GROUP, samples_of("http_answer"), lambda data, folder: _take_http(_text(data), folder))
    yield text_target("chat_answer", GROUP, lambda text: _ask(text, stream=False), samples_of("chat_answer"))
    yield text_target("chat_stream", GROUP, lambda text: _ask(text, stream=True), samples_of("chat_stream"))
    yield Target("journal", GROUP, [_journal()], _take_journal)
    yield file_target("image", GROUP, _take_image, ending=".png", samples=[png()])
    yield file_target("audio", GROUP, _take_audio, ending=".wav", samples=[_wave()])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _take_signature(text: str) -> None:
    signature = Signature.parse(text)
    if Signature.parse(str(signature)) != signature:
        raise AssertionError("a signature is not what it is written as")


def _take_alternatives(text: str) -> None:
    for optional_words in (False, True):
        parse_alternatives(text, optional_words=optional_words, tags=optional_words)


def _take_json(text: str) -> None:
    FieldMatch("fields").count(TextPairs([text, '{"a": 1}'], ['{"a": 1}', text]))  # type: ignore[arg-type]
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


def _take_http(text: str, folder: Path) -> None:
    image = folder / "image.png"
    image.write_bytes(png())
    _survive(lambda: HttpOCRReader(_Client(text)).read(Source("s1", media=image)))  # type: ignore[arg-type]


def _ask(text: str, *, stream: bool) -> None:
    settings = ChatSettings(url="http://127.0.0.1:9", model="m", max_tokens=9)
    _survive(lambda: ask_chat(_Client(text), settings, "Read.", stream=stream))  # type: ignore[arg-type]


def _survive(ask: Callable[[], object]) -> None:
    """An answer without text fails one reading, with a reason that may have any character of the answer."""
    try:
        ask()
    except UnreadableSourceError as error:
        raise InputFileError("refused") from error


_SOURCE: Final = Source("s1", question="?")
_SYSTEM: Final = {"engine": "1"}


def _journal() -> bytes:
    with TemporaryDirectory() as folder, Journal(Path(folder, "journal.jsonl"), _SYSTEM) as journal:
        key = journal.key(_SOURCE)
        assert key is not None  # noqa: S101  a question has one
        journal.keep(key, Reading("s1", "read", None, 0.1, None))
        return Path(folder, "journal.jsonl").read_bytes()


def _take_journal(data: bytes, folder: Path) -> None:
    path = folder / "journal.jsonl"
    path.write_bytes(data)
    with Journal(path, _SYSTEM) as journal:
        key = journal.key(_SOURCE)
        assert key is not None  # noqa: S101  a question has one
        journal.find(key, _SOURCE)
        journal.keep(key, Reading("s1", "again", None, 0.1, None))
        journal.find(key, _SOURCE)


def png() -> bytes:
    """A small image, without the libraries that would read it."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", 4, 3, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + bytes(12) for _ in range(3)))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"tEXt", b"a\0b")
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


def _take_image(path: Path) -> None:
    _survive(lambda: load_image(Source("s1", media=path)))


def _wave() -> bytes:
    content = BytesIO()
    with wave.open(content, "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(bytes(3200))
    return content.getvalue()


def _take_audio(path: Path) -> None:
    _survive(lambda: load_wave(Source("s1", media=path), 16000))
