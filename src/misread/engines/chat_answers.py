"""Questions to a server with OpenAI's chat API, and its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from misread.engines.base import UnreadableSourceError, count_or_none
from misread.engines.http_client import HttpClient, HttpSettings, Reply
from misread.errors import ConfigurationError, InputFileError
from misread.io.checks.choices import check_choices
from misread.io.json_files import RepeatedKeyError, decode_json

_OWN: Final = frozenset({"model", "messages", "temperature", "max_tokens", "stream", "stream_options"})
_EVENT: Final = "data:"
_LAST_EVENT: Final = "[DONE]"


class ChatAnswer(NamedTuple):
    """Text of a model, the server's id, version and counts of tokens, and the reply that contained them."""

    text: str
    request: str | None
    server_version: str | None
    input_tokens: int | None
    output_tokens: int | None
    reply: Reply


@dataclass(frozen=True, kw_only=True)
class ChatSettings(HttpSettings):
    """Settings that all engines behind `/chat/completions` share.

    Parameters
    ----------
    model : str
        Name of the model at that server.
    temperature : float
        Temperature of the decoding; 0 always takes the likeliest token.
    max_tokens : int
        Longest answer in tokens.
    truncated : {"fail", "keep"}
        What becomes of an answer that was cut at that length.
    extra : mapping
        Further fields of the request, such as `{seed: 1, skip_special_tokens: false}`.
    version : str
        Version of the model or of the server; change it to ask again.

    Raises
    ------
    ConfigurationError
        As `HttpSettings`, or if `extra` repeats another setting, or `max_tokens` is too small.
    UnknownNameError
        If a setting is not one of its choices; lists them.
    """

    model: str
    temperature: float = 0.0
    max_tokens: int = 8192
    truncated: Literal["fail", "keep"] = "fail"
    extra: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        engine = f"engine {type(self).__name__}"
        check_choices(self, engine)
        if taken := sorted(_OWN & set(self.extra)):
            raise ConfigurationError(f"extra of {engine} has {', '.join(taken)}, which are set elsewhere.")
        if self.max_tokens < 1:
            raise ConfigurationError(f"max_tokens is {self.max_tokens}, expected 1 or more.")

    def versions(self) -> Mapping[str, str]:
        """Model and version from the settings; a complete capture needs no server, so none is asked."""
        return {"server": self.url, "model": self.model, **({"version": self.version} if self.version else {})}


def ask_chat(
    client: HttpClient, settings: ChatSettings, content: str | list[dict[str, Any]], *, stream: bool = False
) -> ChatAnswer:
    """Ask one question; with `stream` the server sends the answer while generating it.

    Raises UnreadableSourceError, with the whole answer, if it has no usable text.
    """
    reply = client.post(
        "/chat/completions",
        json={
            **settings.extra,
            "model": settings.model,
            "messages": [{"role": "user", "content": content}],
            "temperature": settings.temperature,
            "max_tokens": settings.max_tokens,
            **({"stream": True, "stream_options": {"include_usage": True}} if stream else {}),
        },
    )

    def refuse(reason: str) -> UnreadableSourceError:
        return UnreadableSourceError(reason, raw=reply.text, attempts=reply.attempts)

    try:
        said = _join_events(reply.text) if stream else _take_message(_decode(reply.text))
    except RepeatedKeyError as error:
        raise refuse(str(error)) from None
    except (InputFileError, LookupError, TypeError, AttributeError):
        expected = "events with choices[0].delta" if stream else "JSON with choices[0].message.content"
        raise refuse(f"the answer is not {expected}") from None
    if said is None:
        raise refuse("the answer has no text")
    if said.ended is None and stream:
        raise refuse("the stream ended before the answer did")
    if said.ended == "length" and settings.truncated == "fail":
        raise refuse(f"the answer was cut at {settings.max_tokens:,} tokens (max_tokens)")
    return ChatAnswer(said.text, said.request, said.fingerprint or reply.server, *said.tokens, reply)


class _Said(NamedTuple):
    """What is in an answer."""

    text: str
    ended: str | None  # the server's word for why it ended
    request: str | None
    fingerprint: str | None  # of model and server
    tokens: tuple[int | None, int | None]


def _decode(text: str) -> Any:
    return decode_json(text, "the answer", with_nan=True)


def _take_message(content: Any) -> _Said | None:
    choice = content["choices"][0]
    text = choice["message"]["content"]
    if not isinstance(text, str):
        return None
    fingerprint = _text_in(content, "system_fingerprint")
    return _Said(text, choice.get("finish_reason"), _text_in(content, "id"), fingerprint, _tokens_in(content))


def _join_events(stream: str) -> _Said:
    """Join the parts of a stream of server-sent events; the last counts of tokens are the valid ones."""
    text, ended, request, fingerprint = "", None, None, None
    tokens: tuple[int | None, int | None] = (None, None)
    for line in stream.replace("\r\n", "\n").split("\n"):
        event = line.removeprefix(_EVENT).strip()
        if not line.startswith(_EVENT) or event == _LAST_EVENT:
            continue
        content = _decode(event)
        for choice in content["choices"][:1]:
            text += choice["delta"].get("content") or ""
            ended = choice.get("finish_reason") or ended
        request = request or _text_in(content, "id")
        fingerprint = fingerprint or _text_in(content, "system_fingerprint")
        tokens = _tokens_in(content) if content.get("usage") else tokens
    return _Said(text, ended, request, fingerprint, tokens)


def _text_in(content: Mapping[str, Any], name: str) -> str | None:
    value = content.get(name)
    return value if isinstance(value, str) else None


def _tokens_in(content: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Numbers of tokens of question and answer; None if the server does not report them."""
    usage = content.get("usage")
    if not isinstance(usage, dict):
        return None, None
    return count_or_none(usage.get("prompt_tokens")), count_or_none(usage.get("completion_tokens"))
