"""Questions to a server with OpenAI's chat API, and its answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from misread.engines.base import UnreadableSourceError, count_or_none
from misread.engines.http_client import HttpClient, HttpSettings, RefusedQuestionError, Reply
from misread.engines.server_errors import ReportedError, find_error, unspelled
from misread.errors import ConfigurationError, InputFileError, ServerError
from misread.io.checks.choices import check_choices
from misread.io.json_files import RepeatedKeyError, decode_json
from misread.text.reasoning import drop_reasoning

_OWN: Final = frozenset({"model", "messages", "stream"})
_OPTIONAL: Final = ("temperature", "max_tokens")
# Between events is an empty line; some servers send a line each.
_BETWEEN_EVENTS: Final = re.compile(r"\n\n|\n(?=data: ?[{\[])")
_DATA: Final = re.compile(r"^data: ?(.*)", re.MULTILINE)
_LAST_EVENT: Final = "[DONE]"
_LONGEST_QUOTE: Final = 200

_ENDS: Final = {
    unspelled(word): outcome
    for outcome, words in (
        # OpenAI, vLLM, Google; TGI, Together; Anthropic; Cohere.
        ("whole", "stop eos eos_token stop_sequence end_turn complete"),
        # OpenAI; Google, Anthropic; Mistral; Anthropic; OpenAI.
        ("cut", "length max_tokens model_length model_context_window_exceeded max_output_tokens"),
        # OpenRouter; vLLM; Zhipu; DeepSeek; Ollama, which has loaded a model and done nothing else.
        ("again", "error abort network_error insufficient_system_resource load unload"),
    )
    for word in words.split()
}
"""What is known of the ends of answers, apart from case and spelling; every other one is a failure."""

_UNSUPPORTED: Final = re.compile(
    "unsupported|not support|unrecogni[sz]ed|unknown|unexpected|extra inputs|not permitted|not allowed|deprecated",
    re.IGNORECASE,
)


class ChatAnswer(NamedTuple):
    """What a model says, and the reply that contained it."""

    text: str  # without reasoning
    raw: str
    said: _Said
    reply: Reply

    @property
    def server_version(self) -> str | None:
        """What the server says of itself in the answer or in its headers."""
        return self.said.fingerprint or self.reply.server


@dataclass(frozen=True, kw_only=True)
class ChatSettings(HttpSettings):
    """Settings that all engines behind `/chat/completions` share.

    Parameters
    ----------
    model : str
        Name of the model at that server.
    temperature : float or None
        Temperature of the decoding; 0 always takes the likeliest token, None is not sent.
    max_tokens : int or None
        Longest answer in tokens; None is not sent.
    truncated : {"fail", "keep"}
        What becomes of an answer that was cut at that length.
    extra : mapping
        Further fields of the request, such as `{seed: 1, skip_special_tokens: false}`; models that take no `max_tokens`
        need `{max_completion_tokens: 8192}`.
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
    temperature: float | None = 0.0
    max_tokens: int | None = 8192
    truncated: Literal["fail", "keep"] = "fail"
    extra: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        engine = f"engine {type(self).__name__}"
        check_choices(self, engine)
        if taken := sorted({*_OWN, *self.decoding} & set(self.extra)):
            raise ConfigurationError(f"extra of {engine} has {', '.join(taken)}, which are set elsewhere.")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise ConfigurationError(f"max_tokens is {self.max_tokens}, expected 1 or more.")

    @property
    def decoding(self) -> dict[str, Any]:
        """Settings of the decoding that are sent."""
        return {name: value for name in _OPTIONAL if (value := getattr(self, name)) is not None}

    def versions(self) -> Mapping[str, str]:
        """Model and version from the settings; a complete capture needs no server, so none is asked."""
        return {"server": self.url, "model": self.model, **({"version": self.version} if self.version else {})}


def ask_chat(
    client: HttpClient, settings: ChatSettings, content: str | list[dict[str, Any]], *, stream: bool = False
) -> ChatAnswer:
    """Ask one question; with `stream` the server sends the answer while generating it.

    Raises UnreadableSourceError, with the whole answer, if it is not known to be whole or has no usable text, and
    ServerError if the server takes no such setting.
    """
    streaming = {"stream": True, "stream_options": {"include_usage": True}} if stream else {}
    sent = {**streaming, **settings.extra, **settings.decoding}
    sent = {name: value for name, value in sent.items() if value is not None}
    question = {**sent, "model": settings.model, "messages": [{"role": "user", "content": content}]}
    try:
        reply = client.post("/chat/completions", parse=_parse, json=question)
    except (RefusedQuestionError, ServerError) as error:
        refused = re.search(rf"\b(?:{'|'.join(map(re.escape, sent))})\b", str(error))
        if not sent or not refused or not _UNSUPPORTED.search(str(error)):
            raise
        name = refused[0]
        cure = f"{name}: null" if name in _OPTIONAL else f"extra: {{{name}: null}}"
        raise ServerError(
            f"{str(error).rstrip('.')}; set `{cure}` of the system, and put what the model takes instead into `extra`."
        ) from None
    said: _Said = reply.content

    def refuse(reason: str) -> UnreadableSourceError:
        return UnreadableSourceError(reason, raw=reply.text, attempts=reply.attempts)

    if _ENDS[unspelled(said.ended)] == "cut" and settings.truncated == "fail":
        most = f", max_tokens {settings.max_tokens:,}" if settings.max_tokens else ""
        raise refuse(f"the answer was cut (finish_reason {said.ended}{most})")
    text = None if said.text is None else drop_reasoning(said.text)
    if (said.has_reasoning and not (text or "").strip()) or (text is None and said.text is not None):
        raise refuse("the answer has only reasoning: raise max_tokens, or look at the server's parser of reasoning")
    if text is None or said.text is None:
        raise refuse("the answer has no text")
    return ChatAnswer(text, said.text, said, reply)


@dataclass
class _Said:
    """What is in an answer, as one body or as events."""

    text: str | None = None
    has_reasoning: bool = False  # next to the text
    refusal: str = ""
    ended: str | None = None  # the server's word for why it ended
    request: str | None = None
    fingerprint: str | None = None  # of model and server
    model: str | None = None  # that answered
    tokens: tuple[int | None, int | None] = (None, None)
    error: ReportedError | None = None  # of the choice

    def add(self, message: Any) -> None:
        """Add a message or a part of one: a text, or parts of it with their types."""
        content = message.get("content")
        self.has_reasoning |= any(message.get(name) for name in ("reasoning_content", "reasoning", "thinking"))
        self.refusal += message.get("refusal") or ""
        parts: list[Any] = (
            content if isinstance(content, list) else [content] if isinstance(content, str | dict) else []
        )
        for entry in parts:
            part = {"text": entry} if isinstance(entry, str) else entry
            match part.get("type", "text"):
                case "text" | "output_text":
                    self.text = (self.text or "") + part["text"]
                case "refusal":
                    self.refusal += part["refusal"]
                case "thinking" | "reasoning" | "redacted_thinking":
                    self.has_reasoning = True
                case kind:
                    raise UnreadableSourceError(f"the answer has a part of type {kind}, which is no text")


def _parse(body: str) -> _Said:
    """The one answer in a body, if its end is known and the server reports no error."""
    is_whole = body.lstrip().startswith("{")
    try:
        contents = [_decode(body)] if is_whole else _split_events(body)
        said = _join(contents, ("message", "delta") if is_whole else ("delta", "message"))
    except RepeatedKeyError as error:
        raise UnreadableSourceError(str(error)) from None
    except (InputFileError, LookupError, TypeError, AttributeError):
        said = None
    if said is None:
        quote = " ".join(body.split())[:_LONGEST_QUOTE] or "nothing"
        raise UnreadableSourceError(f"the answer is not JSON or events with choices: {quote}")
    if said.ended is None:
        raise UnreadableSourceError("the answer has no finish_reason" if is_whole else _NO_END)
    end, reason = _ENDS.get(unspelled(said.ended)), f"finish_reason {said.ended}"
    if said.error or end == "again":
        codes = [*(said.error.codes if said.error else ()), *(["server_error"] if end == "again" else ())]
        raise ReportedError(f"{reason}: {said.error}" if said.error else reason, codes)
    if said.refusal:
        raise UnreadableSourceError(f"the model refuses: {said.refusal}")
    if end is None:
        raise UnreadableSourceError(f"the answer ended with {reason}")
    if not is_whole:
        # What a stream does not say is empty.
        said.text = said.text or ""
    return said


_NO_END: Final = "the stream ended before the answer did"


def _decode(text: str) -> Any:
    return decode_json(text, "the answer", with_nan=True)


def _split_events(stream: str) -> list[Any]:
    """Content of server-sent events, each of one or several lines of data."""
    lines = stream.replace("\r\n", "\n").replace("\r", "\n")
    events = ("\n".join(_DATA.findall(event)).strip() for event in _BETWEEN_EVENTS.split(lines))
    return [_decode(event) for event in events if event and event != _LAST_EVENT]


def _join(contents: Sequence[Any], names: Sequence[str]) -> _Said | None:
    """Join the parts of the first choice; None if there is none. The last counts of tokens are the valid ones."""
    said = _Said()
    choices: list[Any] = []
    for content in contents:
        if reported := find_error(content):
            raise reported
        choices += content.get("choices") or ()
        said.request = said.request or _text_in(content, "id")
        said.fingerprint = said.fingerprint or _text_in(content, "system_fingerprint")
        said.model = said.model or _text_in(content, "model")
        said.tokens = _tokens_in(content) if content.get("usage") else said.tokens
    if not choices:
        return None
    first = min(choice.get("index") or 0 for choice in choices)
    for choice in choices:
        if (choice.get("index") or 0) == first:
            said.add(next((choice[name] for name in names if choice.get(name)), {}))
            said.ended = choice.get("finish_reason") or said.ended
            said.error = find_error(choice) or said.error
            said.tokens = _tokens_in(choice) if choice.get("usage") else said.tokens
    return said


def _text_in(content: Mapping[str, Any], name: str) -> str | None:
    value = content.get(name)
    return value if isinstance(value, str) else None


def _tokens_in(content: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Numbers of tokens of question and answer; None if the server does not report them."""
    usage = content.get("usage")
    if not isinstance(usage, dict):
        return None, None
    return count_or_none(usage.get("prompt_tokens")), count_or_none(usage.get("completion_tokens"))
