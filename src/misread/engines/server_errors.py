"""Errors that servers report, by status and in bodies: which are asked again, and which end the capture."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import chain
from typing import Any, Final, Literal

Outcome = Literal["segment", "access", "capture", "again"]
"""What an error ends, the reading of one segment or, as also a lack of access, the capture; or it is asked again."""

_LONGEST_MESSAGE: Final = 200


def unspelled(word: object) -> str:
    """A word of a server without its case and spelling: RateLimitError is rate_limit_error."""
    return re.sub(r"[\W_]", "", str(word)).casefold()


_WORDS: Final[Sequence[tuple[Outcome, str]]] = (
    # Filters and lengths of OpenAI and Azure; OpenRouter gives a flagged input the status 403.
    ("segment", "content_filter content_policy_violation context_length_exceeded flagged_input 501 505"),
    # OpenAI, Anthropic, Google; at OpenRouter and DeepSeek 402 is an empty account.
    ("access", "401 403 invalid_api_key authentication_error unauthenticated permission_error permission_denied"),
    ("capture", "402 404 405 billing_error billing_not_active insufficient_quota insufficient_credits"),
    ("capture", "model_not_found not_found_error unsupported_parameter unsupported_value"),
    # RFC 9110; OpenAI's client asks again after 409, and 498 is Groq's; Anthropic, Google.
    ("again", "408 409 425 429 498 rate_limit_exceeded rate_limit_error too_many_requests overloaded_error"),
    ("again", "overloaded server_error internal_server_error internal_error api_error service_unavailable"),
    ("again", "resource_exhausted unavailable internal deadline_exceeded timeout timeout_error"),
)
_OUTCOMES: Final = {unspelled(word): outcome for outcome, words in _WORDS for word in words.split()}
"""Outcomes of statuses and codes; of several the first that is listed decides. Other statuses from 500 are "again"."""


class ReportedError(Exception):
    """An error that a server reports in a body, with its codes, types and status, whatever the status of HTTP."""

    def __init__(self, message: str, codes: Iterable[object]) -> None:
        super().__init__(message)
        self.codes = [str(code) for code in codes if isinstance(code, str | int) and code]


def find_error(content: Any) -> ReportedError | None:
    """The error in a body, in an event or of a choice, as an object, a text or all of it; None if it is no failure."""
    if not isinstance(content, dict):
        return None
    error = content.get("error") or content.get("errors")
    kinds = {unspelled(content.get(name)) for name in ("object", "type", "status")}
    has_failed = kinds & {"error", "failed"} or any(content.get(name) is False for name in ("success", "ok"))
    if not error and not has_failed:
        return None
    error = error[0] if isinstance(error, list) else error or content
    facts = error if isinstance(error, dict) else {"message": error}
    metadata = facts.get("metadata")
    codes = [facts.get(name) for name in ("code", "type", "status")]
    labels = " ".join(dict.fromkeys(str(code) for code in codes[:2] if code))
    message = " ".join(str(facts.get("message") or facts.get("detail") or "").split())[:_LONGEST_MESSAGE]
    said = ": ".join(filter(None, [f"error {labels}".rstrip(), message]))
    return ReportedError(said, [*codes, *(metadata if isinstance(metadata, dict) else ())])


def classify_error(status: int, codes: Iterable[str] = ()) -> Outcome:
    """Consequence of an error with this status and these codes."""
    words = {unspelled(code) for code in chain(codes, [status])}
    known = [outcome for word, outcome in _OUTCOMES.items() if word in words]
    is_of_server = any(re.fullmatch("5[0-9]{2}", word) for word in words)
    return known[0] if known else "again" if is_of_server else "segment"


_WAITS: Final = {"retry-after-ms": 0.001, "x-ms-retry-after-ms": 0.001, "retry-after": 1.0}
_NUMBER: Final = re.compile(r"(\d+(?:\.\d*)?|\.\d+)s?", re.ASCII)


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait, as a number or a date (RFC 9110, section 10.2.3).

    Headers in milliseconds, which OpenAI and Azure send, come first.
    """
    for name, scale in _WAITS.items():
        value = headers.get(name, "").strip()
        if number := _NUMBER.fullmatch(value):
            return scale * float(number[1])
        with suppress(ValueError):
            date = parsedate_to_datetime(value)
            # Dates of HTTP are of UTC, with or without their saying so.
            return max(0.0, ((date if date.tzinfo else date.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds())
    return None
