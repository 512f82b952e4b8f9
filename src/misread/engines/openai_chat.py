"""Vision-language models behind a server with OpenAI's chat API."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from misread.checks.choices import check_choice, check_choices
from misread.engines.answer_steps import ANSWER_STEPS
from misread.engines.base import Answer
from misread.engines.chat_answers import ask_chat, check_chat_settings
from misread.engines.http_client import HttpClient, HttpSettings
from misread.engines.images import image_to_send
from misread.records import Source


@dataclass(frozen=True, kw_only=True)
class OpenAIChat(HttpSettings):
    r"""Sends each image with a prompt to `/chat/completions` of a server.

    Parameters
    ----------
    model : str
        Name of the model at that server.
    prompt : str
        What is asked of an image. For DeepSeek-OCR: "Free OCR.", "<|grounding|>OCR this image." or
        "<|grounding|>Convert the document to markdown.".
    image_prefix : str
        Put before the prompt; some servers need "<image>\n", for others it must be absent.
    temperature : float
        Of the decoding; 0 always takes the likeliest token.
    max_tokens : int
        Longest answer in tokens.
    truncated : {"fail", "keep"}
        What becomes of an answer that was cut at that length.
    steps : list of str
        Take the text out of an answer, in this order: drop_boxes, drop_labels, unwrap_labels, unwrap_fence,
        drop_end_mark. The answer as it came is kept beside it.
    stream : bool
        Whether the server sends its answer while it is made, by which the time to the first byte and the tokens per
        second are measured.
    extra : mapping
        Further fields of the request, such as `{seed: 1, skip_special_tokens: false}`.
    medium : {"page_image", "line_image"}
        What it reads.
    version : str
        Version of the model or of the server; another one asks again.

    References
    ----------
    Wei et al., "DeepSeek-OCR: Contexts Optical Compression", 2025.
    """

    model: str
    prompt: str = "Free OCR."
    image_prefix: str = ""
    temperature: float = 0.0
    max_tokens: int = 8192
    truncated: Literal["fail", "keep"] = "fail"
    steps: Sequence[str] = ("drop_end_mark",)
    stream: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    medium: Literal["page_image", "line_image"] = "page_image"
    version: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choices(self, "engine OpenAIChat")
        for step in self.steps:
            check_choice("step", step, ANSWER_STEPS, where="steps of engine OpenAIChat")
        check_chat_settings(self.extra, self.max_tokens, "OpenAIChat")

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({self.medium})

    def versions(self) -> Mapping[str, str]:
        """Model and given version; nothing is asked, so that a capture that is complete needs no server."""
        return {"server": self.url, "model": self.model, **({"version": self.version} if self.version else {})}

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
            [
                {"type": "image_url", "image_url": {"url": image}},
                {"type": "text", "text": settings.image_prefix + settings.prompt},
            ],
            model=settings.model,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            truncated=settings.truncated,
            extra=settings.extra,
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
