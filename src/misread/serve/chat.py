"""The part of OpenAI's chat API that a worker speaks: an image in, its text out, whatever the prompt says."""

from __future__ import annotations

import base64
import binascii
import json
import time
from collections.abc import Iterator
from typing import Any, Literal
from uuid import uuid4

from pydantic import BaseModel

from misread.serve.refusals import RefusedError


class ImageURL(BaseModel):
    """Where an image is: in the address itself."""

    url: str


class Part(BaseModel):
    """A part of what is asked."""

    type: Literal["text", "image_url"]
    image_url: ImageURL | None = None


class ChatMessage(BaseModel):
    """What is asked: a text alone, or parts."""

    content: str | list[Part]


class ChatQuestion(BaseModel):
    """A question; settings of a language model (temperature, max_tokens ...) make no difference."""

    model: str
    messages: list[ChatMessage]
    stream: bool = False


def image_of(question: ChatQuestion) -> bytes:
    """Content of the one image of a question; raises RefusedError if there is none, or one that would be fetched."""
    parts = [part for each in question.messages if not isinstance(each.content, str) for part in each.content]
    images = [part.image_url.url for part in parts if part.image_url]
    if len(images) != 1:
        raise RefusedError(400, f"the question has {len(images)} images, expected one part image_url")
    head, comma, content = images[0].partition(",")
    kind, *options = head.split(";")
    if not comma or not kind.lower().startswith("data:image/") or options[-1:] != ["base64"]:
        raise RefusedError(400, "image_url is not data:image/...;base64,...; nothing is fetched from elsewhere")
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise RefusedError(400, "image_url is not valid base64") from None


def chat_answer(model: str, text: str) -> dict[str, Any]:
    """A whole answer."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {**_head(model, "chat.completion"), "choices": [choice]}


def chat_stream(model: str, text: str) -> Iterator[str]:
    """The same answer as server-sent events."""
    head = _head(model, "chat.completion.chunk")
    for delta, ended in (({"role": "assistant", "content": text}, None), ({}, "stop")):
        yield f"data: {json.dumps({**head, 'choices': [{'index': 0, 'delta': delta, 'finish_reason': ended}]})}\n\n"
    yield "data: [DONE]\n\n"


def _head(model: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{uuid4().hex}", "object": kind, "created": int(time.time()), "model": model}
