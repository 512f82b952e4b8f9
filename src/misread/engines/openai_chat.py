"""Vision-language models behind a server with OpenAI's chat API."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from misread.checks.choices import check_choice, check_choices
from misread.engines.answer_steps import ANSWER_STEPS
from misread.engines.base import Answer, UnreadableSourceError
from misread.engines.http_client import HttpClient, HttpSettings, Reply
from misread.engines.images import image_to_send
from misread.errors import ConfigurationError
from misread.records import Source

_OWN: Final = frozenset({"model", "messages", "temperature", "max_tokens", "stream"})


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
    extra: Mapping[str, Any] = field(default_factory=dict)
    medium: Literal["page_image", "line_image"] = "page_image"
    version: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choices(self, "engine OpenAIChat")
        for step in self.steps:
            check_choice("step", step, ANSWER_STEPS, where="steps of engine OpenAIChat")
        if taken := sorted(_OWN & set(self.extra)):
            raise ConfigurationError(f"extra of engine OpenAIChat has {', '.join(taken)}, which are set elsewhere.")
        if self.max_tokens < 1:
            raise ConfigurationError(f"max_tokens is {self.max_tokens}, expected 1 or more.")

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
        question = [
            {"type": "image_url", "image_url": {"url": image}},
            {"type": "text", "text": self.settings.image_prefix + self.settings.prompt},
        ]
        reply = self.client.post(
            "/chat/completions",
            json={
                **self.settings.extra,
                "model": self.settings.model,
                "messages": [{"role": "user", "content": question}],
                "temperature": self.settings.temperature,
                "max_tokens": self.settings.max_tokens,
            },
        )
        raw, request = self._answer_in(reply)
        text = raw
        for step in self.settings.steps:
            text = ANSWER_STEPS[step](text)
        return Answer(text, raw=raw, attempts=reply.attempts, request=request, seconds=reply.seconds)

    def close(self) -> None:
        self.client.close()

    def _answer_in(self, reply: Reply) -> tuple[str, str | None]:
        """What the model said, and the id that the server gave to it."""

        def refuse(reason: str) -> UnreadableSourceError:
            return UnreadableSourceError(reason, raw=reply.text, attempts=reply.attempts)

        try:
            content_of_reply = json.loads(reply.text)
            choice, request = content_of_reply["choices"][0], content_of_reply.get("id")
            content, ended = choice["message"]["content"], choice.get("finish_reason")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise refuse("the answer is not JSON with choices[0].message.content") from None
        if not isinstance(content, str):
            raise refuse("the answer has no text")
        if ended == "length" and self.settings.truncated == "fail":
            raise refuse(f"the answer was cut at {self.settings.max_tokens:,} tokens (max_tokens)")
        return content, request if isinstance(request, str) else None
