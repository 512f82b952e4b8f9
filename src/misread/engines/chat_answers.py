"""Questions to a server with OpenAI's chat API, and its answers."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

from misread.engines.base import Answer, UnreadableSourceError, count_or_none
from misread.engines.http_client import HttpClient, HttpSettings, RefusedQuestionError
from misread.engines.server_errors import ReportedError, find_error, unspelled
from misread.errors import ConfigurationError, InputFileError, ServerError
from misread.io.checks.choices import check_choices
from misread.io.json_files import RepeatedKeyError, decode_json
from misread.text.reasoning import drop_reasoning

_OWN: Final = frozenset({"model", "messages", "stream"})
_OPTIONAL: Final = ("temperature", "max_tokens")
_DATA: Final = re.compile(r"^data: ?(.*)", re.MULTILINE)
_LAST_EVENT: Final = "[DONE]"
_LONGEST_QUOTE: Final = 200
_TOKENS: Final = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens"}
_FACTS: Final = {"request": "id", "server_version": "system_fingerprint", "served_model": "model"}
_PARTS: Final = {
    **dict.fromkeys(("text", "output_text"), "text"),
    **dict.fromkeys(("reasoning", "reasoning_content", "reasoning_details"), "reasoning"),
    **dict.fromkeys(("thinking", "redacted_thinking", "thinking_blocks"), "reasoning"),
    **dict.fromkeys(("tool_calls", "function_call"), "call"),
    "refusal": "refusal",
}
"""Contents of fields of messages and types of parts."""

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
"""Known ends of answers, apart from case and spelling; every other one is a failure."""

_UNSUPPORTED: Final = re.compile(
    "unsupported|not support|unrecogni[sz]ed|unknown|unexpected|extra inputs|not permitted|not allowed|deprecated",
    re.IGNORECASE,
)


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
    client: HttpClient,
    settings: ChatSettings,
    content: str | list[dict[str, Any]],
    extract: Callable[[str], str],
    *,
    stream: bool = False,
) -> Answer:
    """Ask one question and extract the text of its answer; with `stream` the server sends that while generating it.

    Raises UnreadableSourceError, with the whole answer, if it is not known to be whole or has no usable text, and
    ServerError if the model does not take a setting.
    """
    streaming = {"stream": True, "stream_options": {"include_usage": True}} if stream else {}
    sent = {**streaming, **settings.extra, **settings.decoding}
    sent = {name: value for name, value in sent.items() if value is not None}
    question = {**sent, "model": settings.model, "messages": [{"role": "user", "content": content}]}
    try:
        reply = client.post("/chat/completions", parse=partial(_parse, settings, extract), json=question)
    except (RefusedQuestionError, ServerError) as error:
        refused = re.search(rf"\b(?:{'|'.join(map(re.escape, sent))})\b", str(error))
        if not sent or not refused or not _UNSUPPORTED.search(str(error)):
            raise
        name = refused[0]
        cure = f"{name}: null" if name in _OPTIONAL else f"extra: {{{name}: null}}"
        raise ServerError(
            f"{str(error).rstrip('.')}; set `{cure}` of the system, and put what the model takes instead into `extra`."
        ) from None
    facts = {**reply.content, "attempts": reply.attempts, "seconds": reply.seconds}
    facts["server_version"] = facts["server_version"] or reply.server
    return Answer(**facts, first_byte_seconds=reply.first_byte_seconds if stream else None)


def _parse(settings: ChatSettings, extract: Callable[[str], str], body: str) -> dict[str, Any]:
    """Facts of the one answer in a body, if its end is known to be good and the server reports no error."""
    is_whole = body.lstrip().startswith("{")
    try:
        contents = decode_json(f"[{body}]" if is_whole else _array_of_events(body), "the answer", with_nan=True)
        try:
            text, raw = _read_text(settings, contents, is_whole=is_whole)
            return {"text": extract(text), "raw": raw, **_read_facts(contents)}
        except UnreadableSourceError as error:
            error.facts = _read_facts(contents)
            raise
    except RepeatedKeyError as error:
        raise UnreadableSourceError(str(error)) from None
    except (InputFileError, LookupError, TypeError, AttributeError):
        quote = " ".join(body.split())[:_LONGEST_QUOTE] or "nothing"
        raise UnreadableSourceError(f"the answer is not JSON or events with choices: {quote}") from None


def _array_of_events(stream: str) -> str:
    """Data of server-sent events as one array of JSON; those of several lines go on without a brace."""
    lines = _DATA.findall(stream.replace("\r\n", "\n").replace("\r", "\n"))
    data = [line if not line.startswith("{") else f",{line}" for line in lines if line.strip() != _LAST_EVENT]
    return f"[{' '.join(data).removeprefix(',')}]"


def _read_text(settings: ChatSettings, contents: Sequence[Any], *, is_whole: bool) -> tuple[str, str]:
    """Text of the first choice without reasoning and as received; LookupError if there is none."""
    numbered = [
        (position if choice.get("index") is None else choice["index"], choice)
        for content in contents
        for position, choice in enumerate(content.get("choices") or ())
    ]
    first = min((number for number, _ in numbered), default=0)
    choices = [choice for number, choice in numbered if number == first][: 1 if is_whole else None]
    reported = next(filter(None, map(find_error, [*contents, *choices])), None)
    ended = _find_end(choices)
    end, reason = _ENDS.get(unspelled(ended)), f"finish_reason {ended}"
    if reported or end == "again":
        codes = [*(reported.codes if reported else ()), *(["server_error"] if end == "again" else ())]
        raise ReportedError(str(reported or reason), codes)
    if not choices:
        raise LookupError
    kinds = ("message", "delta") if is_whole else ("delta", "message")
    messages, others = ([choice[kind] for choice in choices if choice.get(kind)] for kind in kinds)
    message = _join_messages(messages)
    if others and not message["text"]:
        # The whole, as the last event of a stream may have it.
        message = _join_messages(others[-1:])
    # What a stream does not say is empty.
    raw = "".join(message["text"]) if message["text"] or not is_whole else None
    text = None if raw is None else drop_reasoning(raw)
    failure = ""
    if ended is None:
        failure = "the answer has no finish_reason" if is_whole else "the stream ended before the answer did"
    elif message["call"]:
        failure = "the answer is a call of a tool"
    elif message["refusal"]:
        failure = f"the model refuses: {''.join(message['refusal'])}"
    elif end is None:
        failure = f"the answer ended with {reason}"
    elif end == "cut" and settings.truncated == "fail":
        most = f", max_tokens {settings.max_tokens:,}" if settings.max_tokens else ""
        failure = f"the answer was cut ({reason}{most})"
    elif _says_more_after_its_end(choices):
        failure = "the stream goes on after its end"
    elif (_has_reasoned(message, contents) and not (text or "").strip()) or (text is None and raw is not None):
        failure = "the answer has only reasoning: raise max_tokens, or look at the server's parser of reasoning"
    if failure or text is None or raw is None:
        raise UnreadableSourceError(failure or "the answer has no text")
    return text, raw


def _find_end(choices: Sequence[Any]) -> str | None:
    """The end of an answer; of several the one that is not good, also if only the model's own word says so."""
    ends = [choice["finish_reason"] for choice in choices if _has_ended(choice)]
    own = [choice.get("native_finish_reason") for choice in choices]
    ends += [end for end in own if _ENDS.get(unspelled(end)) in ("cut", "again")]
    return min(ends, key=lambda end: _ENDS.get(unspelled(end)) == "whole", default=None)


def _has_ended(choice: Mapping[str, Any]) -> bool:
    """Whether an event has an end; one that has none may have the word "null"."""
    return (choice.get("finish_reason") or "null") != "null"


def _says_more_after_its_end(choices: Sequence[Any]) -> bool:
    ended = [*map(_has_ended, choices)]
    late = choices[ended.index(True) + 1 :] if any(ended) else ()
    return any((choice.get("delta") or {}).get("content") for choice in late)


def _has_reasoned(message: Mapping[str, Sequence[Any]], contents: Sequence[Any]) -> bool:
    """Whether a model has reasoned, as its message or the server's count of tokens says."""
    details = _last_usage(contents).get("completion_tokens_details")
    return bool(message["reasoning"] or (isinstance(details, dict) and details.get("reasoning_tokens")))


def _last_usage(contents: Sequence[Any]) -> Mapping[str, Any]:
    """The last counts of tokens, which are the valid ones; empty if there are none."""
    choices = (choice for content in contents for choice in content.get("choices") or ())
    usages = [entry["usage"] for entry in (*choices, *contents) if isinstance(entry.get("usage"), dict)]
    return usages[-1] if usages else {}


def _read_facts(contents: Sequence[Any]) -> dict[str, Any]:
    """What the server says about an answer."""
    usage = _last_usage(contents)
    tokens = {name: count_or_none(usage.get(key)) for name, key in _TOKENS.items()}
    texts = {
        name: next((content[key] for content in contents if content.get(key) and isinstance(content[key], str)), None)
        for name, key in _FACTS.items()
    }
    return {**tokens, **texts}


def _join_messages(messages: Sequence[Any]) -> dict[str, list[Any]]:
    """Texts, refusals, reasoning and calls of all messages, whose contents are texts, or parts with their types."""
    joined: dict[str, list[Any]] = {"text": [], "refusal": [], "reasoning": [], "call": []}
    for message in messages:
        for name, value in message.items():
            if name in _PARTS and value:
                joined[_PARTS[name]].append(value)
            elif name == "content":
                for part in value if isinstance(value, list) else [value]:
                    if isinstance(part, str):
                        joined["text"].append(part)
                    elif isinstance(part, dict):
                        kind = part.get("type", "text")
                        if kind not in _PARTS:
                            raise UnreadableSourceError(f"the answer has a part of type {kind}, which is no text")
                        joined[_PARTS[kind]].append(part if _PARTS[kind] == "reasoning" else part[_PARTS[kind]])
    return joined
