"""Vision-language models behind a server with OpenAI's chat API."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from misread.engines.answer_steps import ANSWER_STEPS
from misread.engines.base import Answer
from misread.engines.chat_answers import ChatSettings, ask_chat
from misread.engines.http_client import HttpClient
from misread.engines.images import image_to_send
from misread.io.checks.choices import check_choice
from misread.records import Source


@dataclass(frozen=True, kw_only=True)
class OpenAIChat(ChatSettings):
    r"""Sends each image with a prompt to `/chat/completions` of a server.

    The other settings are those of `ChatSettings` and `HttpSettings`.

    Parameters
    ----------
    prompt : str
        What is asked of an image. For DeepSeek-OCR: "Free OCR.", "<|grounding|>OCR this image." or
        "<|grounding|>Convert the document to markdown.".
    image_prefix : str
        Put before the prompt; some servers need "<image>\n", for others it must be absent.
    steps : list of str
        Take the text out of an answer, in this order: drop_boxes, drop_labels, unwrap_labels, unwrap_fence,
        drop_end_mark. The answer as it came is kept beside it.
    stream : bool
        Whether the server sends its answer while it is made, by which the time to the first byte and the tokens per
        second are measured.
    medium : {"page_image", "line_image"}
        What it reads.

    References
    ----------
    Wei et al., "DeepSeek-OCR: Contexts Optical Compression", 2025.
    """

    prompt: str = "Free OCR."
    image_prefix: str = ""
    steps: Sequence[str] = ("drop_end_mark",)
    stream: bool = False
    medium: Literal["page_image", "line_image"] = "page_image"

    def __post_init__(self) -> None:
        super().__post_init__()
        for step in self.steps:
            check_choice("step", step, ANSWER_STEPS, where="steps of engine OpenAIChat")

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({self.medium})

    def open(self) -> OpenAIChatReader:
        """Make the client."""
        return OpenAIChatReader(self, HttpClient(self))


@dataclass(frozen=True)
class OpenAIChatReader:
    """Client of the server."""

    settings: OpenAIChat
    client: HttpClient

    def read(self, source: Source) -> Answer:
        """Text of one image; the model's whole answer beside it."""
        _, content, kind = image_to_send(source)
        image = f"data:{kind};base64,{base64.b64encode(content).decode()}"
        settings = self.settings
        answer = ask_chat(
            self.client,
            settings,
            [
                {"type": "image_url", "image_url": {"url": image}},
                {"type": "text", "text": settings.image_prefix + settings.prompt},
            ],
            stream=settings.stream,
        )
        text, reply = answer.text, answer.reply
        for step in settings.steps:
            text = ANSWER_STEPS[step](text)
        return Answer(
            text,
            raw=answer.text,
            attempts=reply.attempts,
            request=answer.request,
            seconds=reply.seconds,
            first_byte_seconds=reply.first_byte_seconds if settings.stream else None,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
        )

    def close(self) -> None:
        self.client.close()
