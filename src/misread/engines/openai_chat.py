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

_OWN: Final = frozenset({"model", "messages", "temperature", "max_tokens", "stream", "stream_options"})
_EVENT: Final = "data:"
_LAST_EVENT: Final = "[DONE]"


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
                **({"stream": True, "stream_options": {"include_usage": True}} if self.settings.stream else {}),
            },
        )
        said = self._answer_in(reply)
        text = said.text
        for step in self.settings.steps:
            text = ANSWER_STEPS[step](text)
        return Answer(
            text,
            raw=said.text,
            attempts=reply.attempts,
            request=said.request,
            seconds=reply.seconds,
            first_byte_seconds=reply.first_byte_seconds if self.settings.stream else None,
            input_tokens=said.input_tokens,
            output_tokens=said.output_tokens,
        )

    def close(self) -> None:
        self.client.close()

    def _answer_in(self, reply: Reply) -> _Said:
        def refuse(reason: str) -> UnreadableSourceError:
            return UnreadableSourceError(reason, raw=reply.text, attempts=reply.attempts)

        try:
            said = _join_events(reply.text) if self.settings.stream else _take_message(json.loads(reply.text))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            expected = (
                "events with choices[0].delta" if self.settings.stream else "JSON with choices[0].message.content"
            )
            raise refuse(f"the answer is not {expected}") from None
        if said is None:
            raise refuse("the answer has no text")
        if said.ended is None and self.settings.stream:
            raise refuse("the stream ended before the answer did")
        if said.ended == "length" and self.settings.truncated == "fail":
            raise refuse(f"the answer was cut at {self.settings.max_tokens:,} tokens (max_tokens)")
        return said


@dataclass(frozen=True)
class _Said:
    """What is in an answer."""

    text: str
    ended: str | None  # the server's word for why it ended
    request: str | None  # the id that the server gave to the answer
    input_tokens: int | None
    output_tokens: int | None


def _take_message(content: Any) -> _Said | None:
    choice = content["choices"][0]
    text = choice["message"]["content"]
    return (
        _Said(text, choice.get("finish_reason"), _id_of(content), *_tokens_in(content))
        if isinstance(text, str)
        else None
    )


def _join_events(stream: str) -> _Said:
    """Parts of a stream of server-sent events joined; what is in its last event with tokens counts."""
    text, ended, request = "", None, None
    tokens: tuple[int | None, int | None] = (None, None)
    for line in stream.replace("\r\n", "\n").split("\n"):
        event = line.removeprefix(_EVENT).strip()
        if not line.startswith(_EVENT) or event == _LAST_EVENT:
            continue
        content = json.loads(event)
        for choice in content["choices"][:1]:
            text += choice["delta"].get("content") or ""
            ended = choice.get("finish_reason") or ended
        request = request or _id_of(content)
        tokens = _tokens_in(content) if content.get("usage") else tokens
    return _Said(text, ended, request, *tokens)


def _id_of(content: Mapping[str, Any]) -> str | None:
    found = content.get("id")
    return found if isinstance(found, str) else None


def _tokens_in(content: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Tokens of the question and of the answer, where the server counts them."""
    usage = content.get("usage")
    if not isinstance(usage, dict):
        return None, None
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    first, last = (count if isinstance(count, int) and count >= 0 else None for count in counts)
    return first, last
