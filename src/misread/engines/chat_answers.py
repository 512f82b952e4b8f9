"""Questions to a server with OpenAI's chat API, and what it answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from misread.engines.base import UnreadableSourceError
from misread.engines.http_client import HttpClient, Reply
from misread.errors import ConfigurationError

_OWN: Final = frozenset({"model", "messages", "temperature", "max_tokens", "stream"})


class ChatAnswer(NamedTuple):
    """What a model said, the id that the server gave to it, and the reply that it came in."""

    text: str
    request: str | None
    reply: Reply


def check_chat_settings(extra: Mapping[str, Any], max_tokens: int, engine: str) -> None:
    """Refuse what the engine sets itself, and an answer of no length."""
    if taken := sorted(_OWN & set(extra)):
        raise ConfigurationError(f"extra of engine {engine} has {', '.join(taken)}, which are set elsewhere.")
    if max_tokens < 1:
        raise ConfigurationError(f"max_tokens is {max_tokens}, expected 1 or more.")


def ask_chat(
    client: HttpClient,
    content: str | list[dict[str, Any]],
    *,
    model: str,
    temperature: float,
    max_tokens: int,
    truncated: Literal["fail", "keep"],
    extra: Mapping[str, Any],
) -> ChatAnswer:
    """Ask one question; raises UnreadableSourceError with the whole answer where it has no usable text."""
    reply = client.post(
        "/chat/completions",
        json={
            **extra,
            "model": model,
            "messages": [{"role": "user", "content": content}],
            "temperature": temperature,
            "max_tokens": max_tokens,
        },
    )

    def refuse(reason: str) -> UnreadableSourceError:
        return UnreadableSourceError(reason, raw=reply.text, attempts=reply.attempts)

    try:
        answer = json.loads(reply.text)
        choice, request = answer["choices"][0], answer.get("id")
        text, ended = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise refuse("the answer is not JSON with choices[0].message.content") from None
    if not isinstance(text, str):
        raise refuse("the answer has no text")
    if ended == "length" and truncated == "fail":
        raise refuse(f"the answer was cut at {max_tokens:,} tokens (max_tokens)")
    return ChatAnswer(text, request if isinstance(request, str) else None, reply)
