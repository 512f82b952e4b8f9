"""Questions to a server: time-outs, retries, limits, and no secret in what is said of them."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit
from weakref import WeakSet

from misread.engines.base import UnreadableSourceError
from misread.errors import ConfigurationError, NoServerError, ServerError
from misread.extras import needed_for

if TYPE_CHECKING:
    import httpx
    from tenacity import RetryCallState

_TEMPORARY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_WRONG_TOKEN: Final = frozenset({401, 403})
_WRONG_ADDRESS: Final = frozenset({404, 405})
_LONGEST_WAIT: Final = 60.0
_LONGEST_RETRY_AFTER: Final = 600.0
_LONGEST_COMPLAINT: Final = 200
_KEPT_OF_TOO_LONG: Final = 10_000
_GIVEN_UP: Final = "the capture is given up"
# Events of httpcore, of connections and of proxies: that of TLS takes the place of the other.
_CONNECTED: Final = ("connect_tcp.complete", "start_tls.complete")
_SECURING: Final = "start_tls.started"
_SECURED: Final = ("start_tls.complete", "start_tls.failed")


@dataclass(frozen=True, kw_only=True)
class HttpSettings:
    """How a server is asked; settings that all engines behind one have.

    Parameters
    ----------
    url : str
        Address of the server, without the path of the question, a user name or a query.
    token_env : str
        Name of the environment variable with the token, which is sent as `Authorization: Bearer`. No setting takes the
        token itself.
    concurrency : int
        How many segments are asked for at the same time.
    timeout : float
        Seconds for a whole answer.
    attempts : int
        How often a segment is asked for when the connection or the server fails, with waits that double and vary, or
        that the server names (`Retry-After`).
    backoff : float
        Seconds before the second attempt, to which up to as many are added.
    max_answer_bytes : int
        Longest answer.
    revision : int
        Increase it to ask again.

    Raises
    ------
    ConfigurationError
        If the address cannot be used, or a number is too small.
    """

    url: str
    token_env: str = ""
    concurrency: int = 4
    timeout: float = 120.0
    attempts: int = 5
    backoff: float = 1.0
    max_answer_bytes: int = 10_000_000
    revision: int = 1

    def __post_init__(self) -> None:
        _check_address(self.url)
        for name in ("concurrency", "timeout", "attempts", "max_answer_bytes"):
            if not getattr(self, name) > 0:
                raise ConfigurationError(f"{name} is {getattr(self, name)}, expected more than 0.")
        if not self.backoff >= 0:
            raise ConfigurationError(f"backoff is {self.backoff}, expected 0 or more.")


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer, the attempt that it came in, how long that took, and when its first byte came."""

    text: str
    attempts: int
    seconds: float
    first_byte_seconds: float


class _TemporaryError(Exception):
    """A failure that may be gone at the next attempt."""

    def __init__(
        self,
        reason: str,
        *,
        raw: str | None = None,
        wait: float | None = None,
        lost: bool = False,
        broken: bool = False,
    ) -> None:
        super().__init__(reason)
        self.raw = raw
        self.wait = wait  # seconds that the server asks to wait
        self.lost = lost  # there was no connection at all
        self.broken = broken  # there was one, which ended too early


@dataclass
class HttpClient:
    """Asks one server; several threads may do so."""

    settings: HttpSettings
    _token: str = field(init=False, repr=False)
    _client: httpx.Client = field(init=False, repr=False)
    _closed: threading.Event = field(default_factory=threading.Event, init=False, repr=False)
    _sockets: WeakSet[socket.socket] = field(default_factory=WeakSet, init=False, repr=False)
    # What each thread has connected last.
    _connecting: threading.local = field(default_factory=threading.local, init=False, repr=False)
    _was_there: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        import ssl

        with needed_for("engines behind a server need", "httpx and tenacity", "http"):
            import httpx
            import tenacity  # noqa: F401
        self._token = find_token(self.settings.token_env)
        address = urlsplit(self.settings.url)
        is_local = address.hostname in {"localhost", "127.0.0.1", "::1"}
        self._client = httpx.Client(
            headers={"Authorization": f"Bearer {self._token}"} if self._token else {},
            timeout=self.settings.timeout,
            limits=httpx.Limits(max_connections=self.settings.concurrency),
            # A redirect could send the token and the image anywhere.
            follow_redirects=False,
            # A proxy of the environment cannot reach this machine's own servers.
            trust_env=not is_local,
            # To read those of all authorities takes longer than many an answer; without them no certificate is trusted.
            verify=address.scheme == "https" or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        )

    def post(self, path: str, **content: Any) -> Reply:
        """Ask, again where that may help.

        Raises
        ------
        UnreadableSourceError
            If there is no usable answer for this content.
        ServerError
            If the server cannot be used at all.
        """
        from tenacity import Retrying, retry_if_exception_type, sleep_using_event, stop_after_attempt
        from tenacity.stop import stop_when_event_set

        url = self.settings.url.rstrip("/") + path
        attempts = 0
        try:
            for attempt in Retrying(
                stop=stop_after_attempt(self.settings.attempts) | stop_when_event_set(self._closed),
                wait=self._seconds_to_wait,
                retry=retry_if_exception_type(_TemporaryError),
                sleep=sleep_using_event(self._closed),
                reraise=True,
            ):
                with attempt:
                    attempts += 1
                    start = time.perf_counter()
                    body, first_byte = self._ask(url, content)
                    return Reply(body, attempts, time.perf_counter() - start, first_byte - start)
        except _TemporaryError as error:
            if not self._closed.is_set() and (error.lost or (error.broken and not self._is_there())):
                raise self._no_server(self.mask(str(error))) from None
            tried = f" ({attempts} attempts)" if attempts > 1 else ""
            raise UnreadableSourceError(f"{self.mask(str(error))}{tried}", raw=error.raw, attempts=attempts) from None
        except UnreadableSourceError as error:
            error.attempts = attempts
            raise
        raise UnreadableSourceError(_GIVEN_UP)

    def mask(self, text: str) -> str:
        """The same text without the token, which a server may repeat."""
        for secret in {self._token, quote(self._token, safe="")} - {""}:
            text = text.replace(secret, "[token]")
        return text

    def close(self) -> None:
        """Give up what is waited for."""
        self._closed.set()
        # A thread that waits for an answer would go on to wait if the socket were only closed.
        for connected in list(self._sockets):
            _hang_up(connected)
        self._client.close()

    def _is_there(self) -> bool:
        """Whether the server answers anything: one that ends may still accept connections, which it then breaks."""
        import httpx

        try:
            self._client.head(self.settings.url)
        except httpx.NetworkError:
            return False
        except (httpx.HTTPError, RuntimeError):
            # It is slow, or the client was closed.
            return True
        return True

    def _no_server(self, reason: str) -> ServerError:
        """Nothing answers at all: there was never a server, or it went away."""
        if not self._was_there:
            return NoServerError(self.settings.url, reason)
        return ServerError(
            f"{self.settings.url} answered before and went away: {reason}; start the server again and run the capture "
            "again, which goes on from here."
        )

    def _note_connection(self, event: str, facts: Mapping[str, Any]) -> None:
        """Remember the socket of a connection that was just made, or end it if that comes too late."""
        here = self._connecting
        if event.endswith(_SECURED):
            here.connected.close()
        if event.endswith(_CONNECTED):
            here.connected = facts["return_value"].get_extra_info("socket")
        elif event.endswith(_SECURING):
            # TLS takes the socket away until it is secured, which a server may never answer: the same connection again.
            here.connected = here.connected.dup()
        else:
            return
        self._sockets.add(here.connected)
        if self._closed.is_set():
            _hang_up(here.connected)

    def _ask(self, url: str, content: Mapping[str, Any]) -> tuple[str, float]:
        """Body of an answer that can be used, and the time when it began."""
        import httpx

        deadline = time.monotonic() + self.settings.timeout
        try:
            question = self._client.build_request("POST", url, extensions={"trace": self._note_connection}, **content)
            # Put together, or each part of a form would be sent by itself and wake the server.
            question.read()
            with closing(self._client.send(question, stream=True)) as response:
                self._was_there = True
                body, first_byte = self._receive(response, deadline)
        except httpx.TimeoutException as error:
            is_lost = isinstance(error, httpx.ConnectTimeout)
            raise _TemporaryError(f"no answer within {self.settings.timeout:g} s", lost=is_lost) from None
        except httpx.TransportError as error:
            if self._closed.is_set():
                raise UnreadableSourceError(_GIVEN_UP) from None
            if "certificate" in str(error).lower() or "ssl" in str(error).lower():
                raise ServerError(
                    f"{self.settings.url} has no secure connection that can be trusted: {error}."
                ) from None
            is_lost = isinstance(error, httpx.ConnectError)
            raise _TemporaryError(f"the connection was lost: {error}", lost=is_lost, broken=not is_lost) from None
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as error:
            raise UnreadableSourceError(f"the question failed: {self.mask(str(error))}") from None
        return self._check(response, body), first_byte

    def _receive(self, response: httpx.Response, deadline: float) -> tuple[str, float]:
        """Whole body, of so many bytes and before the deadline at most, and when it began: a stream may have no end."""
        body = bytearray()
        first_byte = None
        for part in response.iter_bytes():
            first_byte = first_byte or time.perf_counter()
            body += part
            if len(body) > self.settings.max_answer_bytes:
                raise UnreadableSourceError(
                    f"the answer is longer than {self.settings.max_answer_bytes:,} bytes (max_answer_bytes)",
                    raw=self.mask(body[:_KEPT_OF_TOO_LONG].decode(errors="replace")),
                )
            if time.monotonic() > deadline:
                raise _TemporaryError(
                    f"the answer did not end within {self.settings.timeout:g} s",
                    raw=self.mask(body[:_KEPT_OF_TOO_LONG].decode(errors="replace")),
                )
        return self.mask(body.decode(errors="replace")), first_byte or time.perf_counter()

    def _check(self, response: httpx.Response, body: str) -> str:
        status = response.status_code
        said = " ".join(body.split())[:_LONGEST_COMPLAINT]
        answer = f"the server answers {status}" + (f": {said}" if said else "")
        if status == 200:
            return body
        if status in _TEMPORARY:
            raise _TemporaryError(answer, raw=body, wait=_retry_after(response.headers.get("retry-after")))
        if status in _WRONG_TOKEN:
            name = self.settings.token_env
            cure = (
                f"look at the environment variable {name}" if name else "name the variable with its token in token_env"
            )
            raise ServerError(f"{self.settings.url} refuses access ({status}); {cure}.")
        if response.is_redirect:
            place = self.mask(response.headers.get("location", ""))
            raise ServerError(
                f"{self.settings.url} redirects to {place}, which is not followed; set `url` of the system."
            )
        if status in _WRONG_ADDRESS:
            raise ServerError(f"{response.request.url.path} is not found at {self.settings.url}: {answer}.")
        raise UnreadableSourceError(answer, raw=body)

    def _seconds_to_wait(self, state: RetryCallState) -> float:
        from tenacity import wait_exponential, wait_random

        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, _TemporaryError) and error.wait is not None:
            return min(error.wait, _LONGEST_RETRY_AFTER)
        backoff = self.settings.backoff
        return float((wait_exponential(multiplier=backoff, max=_LONGEST_WAIT) + wait_random(0, backoff))(state))


def _hang_up(connected: socket.socket) -> None:
    """End a connection in both directions, which wakes the thread that waits at it."""
    with suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        # What stands there may be a password.
        raise ConfigurationError("url is not the address of a server, expected http://HOST:PORT or https://HOST.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigurationError(
            f"url of the server {parts.hostname} has a user name, a password or a query; set token_env to the name of "
            "an environment variable with the token."
        )


def find_token(variable: str) -> str:
    """Token in an environment variable; no message repeats it."""
    if not variable:
        return ""
    token = os.environ.get(variable, "").strip()
    if not token:
        raise ConfigurationError(f"the environment variable {variable} (token_env) is not set; put the token into it.")
    if not (token.isascii() and token.isprintable()):
        raise ConfigurationError(f"the environment variable {variable} (token_env) has characters that no token has.")
    return token


def _retry_after(value: str | None) -> float | None:
    """Seconds to wait (RFC 9110, section 10.2.3): a number, or a date."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (date - datetime.now(UTC)).total_seconds()) if date.tzinfo else None
