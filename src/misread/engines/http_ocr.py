"""A worker that takes an image and answers with text and confidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from misread.data.segment_table import Source, Word
from misread.engines.base import Answer, UnreadableSourceError
from misread.engines.http_client import HttpClient, HttpSettings
from misread.engines.loading import image_to_send
from misread.io.checks.choices import check_choices


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
        name, content, kind = image_to_send(source)
        reply = self.client.post("/ocr", files={"file": (name, content, kind)})
        answer = _parse(reply.text, reply.attempts)
        return replace(answer, raw=reply.text, seconds=reply.seconds, server_version=reply.server)

    def close(self) -> None:
        self.client.close()


def _parse(answer: str, attempts: int) -> Answer:
    try:
        content = json.loads(answer)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or not isinstance(content.get("text"), str):
        raise UnreadableSourceError("the answer is not JSON with a text", raw=answer, attempts=attempts)

    def confidence_in(part: Mapping[str, Any]) -> float | None:
        confidence = part.get("confidence")
        if confidence is None:
            return None
        if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
            reason = f"the confidence is {str(confidence)[:20]}, expected a number from 0 to 1"
            raise UnreadableSourceError(reason, raw=answer, attempts=attempts)
        return float(confidence)

    words = content.get("words")
    if words is not None and not (isinstance(words, list) and all(map(_is_word, words))):
        reason = "`words` of the answer is not a list of words, each with text and confidence"
        raise UnreadableSourceError(reason, raw=answer, attempts=attempts)
    return Answer(
        content["text"],
        confidence=confidence_in(content),
        attempts=attempts,
        batch_size=batch_size if type(batch_size := content.get("batch_size")) is int else None,
        words=None if words is None else tuple(Word(word["text"], confidence_in(word) or 0.0) for word in words),
    )


def _is_word(word: object) -> bool:
    return isinstance(word, dict) and isinstance(word.get("text"), str) and word.get("confidence") is not None
