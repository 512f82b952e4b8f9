"""A worker that takes an image and answers with text and confidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from misread.data.segment_table import Source, Word
from misread.engines.base import Answer, UnreadableSourceError, count_or_none
from misread.engines.http_client import HttpClient, HttpSettings
from misread.engines.loading import image_to_send
from misread.engines.server_errors import find_error
from misread.errors import InputFileError
from misread.io.checks.choices import check_choices
from misread.io.json_files import RepeatedKeyError, decode_json


@dataclass(frozen=True, kw_only=True)
class HttpOCR(HttpSettings):
    """Sends each image to `/ocr` of a server, as a form with the field `file`.

    The answer is JSON, `{"text": str, "confidence": float, "words": [{"text": str, "confidence": float}]}` with
    confidences from 0 to 1; all but the text may be absent. A worker that batches may add `"batch_size": int`.

    Parameters
    ----------
    medium : {"page_image", "line_image"}
        What it reads.
    version : str
        Version of the software behind the server; change it to ask again.

    References
    ----------
    OCR Benchmarking Metrics Specification, "Evaluation Flow".
    """

    medium: Literal["page_image", "line_image"] = "page_image"
    version: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choices(self, "engine HttpOCR")

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({self.medium})

    def versions(self) -> Mapping[str, str]:
        """Version and address from the settings; a complete capture needs no server, so none is asked."""
        return {"server": self.url, **({"version": self.version} if self.version else {})}

    def open(self) -> HttpOCRReader:
        """Make the client."""
        return HttpOCRReader(HttpClient(self))


@dataclass(frozen=True)
class HttpOCRReader:
    """Client of the worker."""

    client: HttpClient

    def read(self, source: Source) -> Answer:
        """Text of one image."""
        name, image, kind = image_to_send(source)
        reply = self.client.post("/ocr", parse=_parse, files={"file": (name, image, kind)})
        content = reply.content
        words = content.get("words")
        return Answer(
            content["text"],
            raw=reply.text,
            confidence=content.get("confidence"),
            attempts=reply.attempts,
            seconds=reply.seconds,
            words=None if words is None else tuple(Word(word["text"], word["confidence"]) for word in words),
            batch_size=count_or_none(content.get("batch_size")),
            server_version=reply.server,
        )

    def close(self) -> None:
        self.client.close()


def _parse(body: str) -> dict[str, Any]:
    try:
        content = decode_json(body, "the answer", with_nan=True)
    except RepeatedKeyError as error:
        raise UnreadableSourceError(str(error)) from None
    except InputFileError:
        content = None
    if reported := find_error(content):
        raise reported
    if not isinstance(content, dict) or not isinstance(content.get("text"), str):
        raise UnreadableSourceError("the answer is not JSON with a text")
    words = content.get("words")
    if words is not None and not (isinstance(words, list) and all(map(_is_word, words))):
        raise UnreadableSourceError("`words` of the answer is not a list of words, each with text and confidence")
    return content


def _is_word(word: object) -> bool:
    return isinstance(word, dict) and isinstance(word.get("text"), str) and word.get("confidence") is not None
