"""Questions to a server, with time-outs, retries and limits; no message contains the token."""

from __future__ import annotations

import os
import socket
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

from misread.engines.base import UnreadableSourceError
from misread.engines.server_errors import ReportedError, classify_error, find_error, seconds_to_wait
from misread.errors import ConfigurationError, InputFileError, NoServerError, ServerError, needed_for
from misread.io.json_files import decode_json

if TYPE_CHECKING:
    import ssl

    import httpx
    from tenacity import RetryCallState

_LONGEST_WAIT: Final = 60.0
_LONGEST_RETRY_AFTER: Final = 600.0
_LONGEST_COMPLAINT: Final = 200
_PLAIN: Final = frozenset({"", "identity"})
_GZIP: Final = frozenset({"gzip", "x-gzip"})
_WITH_A_HEADER: Final = 16  # zlib's flag for the gzip format, added to the window size
_KEPT_OF_TOO_LONG: Final = 10_000
_GIVEN_UP: Final = "the capture is given up"
# Events of httpcore for connections and proxies; the TLS event replaces the plain one.
_CONNECTED: Final = ("connect_tcp.complete", "start_tls.complete")
_SECURING: Final = "start_tls.started"
_SECURED: Final = ("start_tls.complete", "start_tls.failed")


@dataclass(frozen=True, kw_only=True)
class HttpSettings:
    """Settings that all engines behind a server share.

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
        Seconds before the second attempt, plus a random wait of up to the same length.
    max_answer_bytes : int
        Longest answer after decompression.
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
    """A whole answer, with the number and the duration of its attempt, and the time to its first byte."""

    text: str
    content: Any  # made from the text
    attempts: int
    seconds: float
    first_byte_seconds: float
    server: str | None  # its header `Server`


class RefusedQuestionError(UnreadableSourceError):
    """A question that the server refuses by its status."""


class _TemporaryError(Exception):
    """A failure that may not recur at the next attempt."""

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
        self.broken = broken  # there was a connection, but it ended too early


@dataclass(eq=False)
class _Line:
    """A client with one connection, whose socket is known so that another thread can close it."""

    client: httpx.Client
    closed: threading.Event  # the capture was abandoned
    is_late: threading.Event = field(default_factory=threading.Event)  # the question timed out
    _socket: socket.socket | None = None

    def note_connection(self, event: str, facts: Mapping[str, Any]) -> None:
        """Remember the socket of a new connection, or end it if the question timed out meanwhile."""
        if event.endswith(_SECURED) and self._socket:
            self._socket.close()
        if event.endswith(_CONNECTED):
            self._socket = facts["return_value"].get_extra_info("socket")
        elif event.endswith(_SECURING) and self._socket:
            # TLS detaches the socket until the handshake ends, which a server may never finish: duplicate it first.
            self._socket = self._socket.dup()
        else:
            return
        if self.is_late.is_set() or self.closed.is_set():
            self.hang_up()

    def end(self) -> None:
        """Abandon a question that timed out."""
        self.is_late.set()
        self.hang_up()

    def hang_up(self) -> None:
        """Shut the connection down in both directions, which wakes the thread that waits for it."""
        if self._socket:
            with suppress(OSError):
                # The plain socket: shutting TLS down drops keys that the other thread may be using.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


@dataclass
class HttpClient:
    """Asks one server; several threads may do so."""

    settings: HttpSettings
    _token: str = field(init=False, repr=False)
    _certificates: ssl.SSLContext = field(init=False, repr=False)
    _closed: threading.Event = field(default_factory=threading.Event, init=False, repr=False)
    _lines: list[_Line] = field(default_factory=list, init=False, repr=False)
    _idle: deque[_Line] = field(default_factory=deque, init=False, repr=False)
    _was_there: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        import ssl

        with needed_for("engines behind a server need", "httpx and tenacity", "http"):
            import httpx
            import tenacity  # noqa: F401
        self._token = find_token(self.settings.token_env)
        # Loading all certificate authorities takes longer than many answers; without them no certificate is trusted.
        self._certificates = (
            httpx.create_ssl_context(trust_env=self._trusts_environment)
            if urlsplit(self.settings.url).scheme == "https"
            else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        )
        # Report wrong proxy settings before anything is read.
        self._idle.append(self._new_line())

    def post(self, path: str, *, parse: Callable[[str], Any] = str, **content: Any) -> Reply:
        """Ask, and retry where that may help; `parse` takes the content out of a body, or raises the error in it.

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
                    body, first_byte, response = self._ask(url, content)
                    seconds = time.perf_counter() - start
                    server = self.mask(response.headers.get("server", "")) or None
                    parsed = self._parse(parse, response, body)
                    return Reply(body, parsed, attempts, seconds, first_byte - start, server)
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
        """The text without the token, which a server may repeat."""
        for secret in {self._token, quote(self._token, safe="")} - {""}:
            text = text.replace(secret, "[token]")
        return text

    def close(self) -> None:
        """Abandon open questions."""
        self._closed.set()
        for line in list(self._lines):
            # A waiting thread would keep waiting if the socket were only closed.
            line.hang_up()
            line.client.close()

    @property
    def _trusts_environment(self) -> bool:
        """Whether a proxy of the environment may be used: it cannot reach servers on this machine."""
        return urlsplit(self.settings.url).hostname not in {"localhost", "127.0.0.1", "::1"}

    def _new_line(self) -> _Line:
        import httpx

        client = httpx.Client(
            headers={
                # Compressed answers may expand a thousandfold, or be compressed twice: ask for uncompressed ones.
                "Accept-Encoding": "identity",
                **({"Authorization": f"Bearer {self._token}"} if self._token else {}),
            },
            timeout=self.settings.timeout,
            limits=httpx.Limits(max_connections=1),
            # A redirect could send the token and the image anywhere.
            follow_redirects=False,
            trust_env=self._trusts_environment,
            verify=self._certificates,
        )
        line = _Line(client, self._closed)
        self._lines.append(line)
        return line

    @contextmanager
    def _line(self) -> Iterator[_Line]:
        """A line for one question, shut down when its time is over, whatever the server does."""
        try:
            line = self._idle.pop()
        except IndexError:
            line = self._new_line()
        line.is_late.clear()
        timer = threading.Timer(self.settings.timeout, line.end)
        timer.start()
        try:
            yield line
        finally:
            timer.cancel()
            # The timer may be about to fire, which must not hit the next question.
            timer.join()
            self._idle.append(line)
            if self._closed.is_set():
                line.client.close()

    def _is_there(self) -> bool:
        """Whether the server answers anything: one that is shutting down may accept connections and break them."""
        import httpx

        with self._line() as line:
            try:
                line.client.head(self.settings.url, extensions={"trace": line.note_connection})
            except httpx.NetworkError:
                return line.is_late.is_set()
            except (httpx.HTTPError, RuntimeError):
                # The server is slow, or the client was closed.
                return True
        return True

    def _no_server(self, reason: str) -> ServerError:
        """The error if nothing answers at all: there is no server, or it went away."""
        if not self._was_there:
            return NoServerError(self.settings.url, reason)
        return ServerError(
            f"{self.settings.url} answered before and went away: {reason}; start the server again and run the capture "
            "again, which goes on from here."
        )

    def _ask(self, url: str, content: Mapping[str, Any]) -> tuple[str, float, httpx.Response]:
        """Body of an answer without an error in its status, the time of its first byte, and the response."""
        import httpx

        body = bytearray()
        with self._line() as line:
            try:
                question = line.client.build_request("POST", url, extensions={"trace": line.note_connection}, **content)
                # Joined: otherwise each part of a form would be sent separately and wake the server.
                question.read()
                with closing(line.client.send(question, stream=True)) as response:
                    self._was_there = True
                    first_byte = self._receive(line, response, body)
            except httpx.TransportError as error:
                self._require_time(line, body)
                if isinstance(error, httpx.TimeoutException):
                    raise self._too_late(body, lost=isinstance(error, httpx.ConnectTimeout)) from None
                if "certificate" in str(error).lower() or "ssl" in str(error).lower():
                    raise ServerError(
                        f"{self.settings.url} has no secure connection that can be trusted: {error}."
                    ) from None
                is_lost = isinstance(error, httpx.ConnectError)
                raise _TemporaryError(f"the connection was lost: {error}", lost=is_lost, broken=not is_lost) from None
            except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as error:
                raise UnreadableSourceError(f"the question failed: {self.mask(str(error))}") from None
        text = self.mask(body.decode("utf-8-sig", errors="replace"))
        if not response.is_success:
            raise self._failure(response, text, _find_error_in(text))
        try:
            body.decode()
        except UnicodeDecodeError as error:
            reason = f"the answer is not valid UTF-8: byte 0x{body[error.start]:02x} at {error.start:,}"
            raise UnreadableSourceError(reason, raw=text) from None
        return text, first_byte, response

    def _parse(self, parse: Callable[[str], Any], response: httpx.Response, body: str) -> Any:
        try:
            return parse(body)
        except ReportedError as error:
            raise self._failure(response, body, error) from None
        except UnreadableSourceError as error:
            error.raw = body if error.raw is None else error.raw
            raise

    def _receive(self, line: _Line, response: httpx.Response, body: bytearray) -> float:
        """Append the decompressed body, up to the limit, to `body`; returns the time of the first byte."""
        most = self.settings.max_answer_bytes
        first_byte, fault = None, ""
        parts = response.iter_raw()
        try:
            # One byte above the limit shows that the body is too long; no more is decompressed.
            for part in _unpack(parts, most + 1) if self._is_packed(response) else parts:
                first_byte = first_byte or time.perf_counter()
                body += part
                if len(body) > most:
                    raise UnreadableSourceError(
                        f"the answer is longer than {most:,} bytes (max_answer_bytes)", raw=self._kept(body)
                    )
        except zlib.error as error:
            fault = f"the gzip of the answer is damaged: {error}"
        # A body without a length ends with the connection.
        self._require_time(line, body)
        # The body of a failure may be unreadable; its status says more.
        if fault and response.is_success:
            raise _TemporaryError(fault, raw=self._kept(body))
        return first_byte or time.perf_counter()

    def _is_packed(self, response: httpx.Response) -> bool:
        """Whether an answer is gzipped; ServerError for other compression, or if it is compressed twice."""
        encoding = response.headers.get("content-encoding", "").strip().lower()
        if encoding not in _PLAIN | _GZIP and response.is_success:
            raise ServerError(
                f"{self.settings.url} answers with Content-Encoding: {self.mask(encoding)[:_LONGEST_COMPLAINT]}, "
                "expected identity, which was asked for, or gzip once; change the settings of the server or of a proxy."
            )
        return encoding not in _PLAIN

    def _kept(self, body: bytearray) -> str:
        """The beginning of an unusable answer."""
        return self.mask(body[:_KEPT_OF_TOO_LONG].decode(errors="replace"))

    def _require_time(self, line: _Line, body: bytearray) -> None:
        """Raise the error of an answer whose connection was shut down here."""
        if self._closed.is_set():
            raise UnreadableSourceError(_GIVEN_UP)
        if line.is_late.is_set():
            raise self._too_late(body)

    def _too_late(self, body: bytearray, *, lost: bool = False) -> _TemporaryError:
        seconds = f"within {self.settings.timeout:g} s"
        if not body:
            return _TemporaryError(f"no answer {seconds}", lost=lost)
        return _TemporaryError(f"the answer did not end {seconds}", raw=self._kept(body))

    def _failure(self, response: httpx.Response, body: str, reported: ReportedError | None) -> Exception:
        """What an error, of the status or of the body, ends; in the words of the server."""
        status, codes = response.status_code, reported.codes if reported else []
        said = " ".join(body.split())[:_LONGEST_COMPLAINT]
        answer = f"the server answers {status}"
        answer += f" with {reported}" if reported else f": {said}" if said else ""
        if response.is_redirect:
            location = self.mask(response.headers.get("location", ""))
            return ServerError(
                f"{self.settings.url} redirects to {location}, which is not followed; set `url` of the system."
            )
        match classify_error(status, codes):
            case "again":
                return _TemporaryError(answer, raw=body, wait=seconds_to_wait(response.headers))
            case "segment":
                return RefusedQuestionError(answer, raw=body)
            case "access":
                name = self.settings.token_env
                cure = f"look at the environment variable {name}" if name else "set token_env to that of its token"
                return ServerError(f"{self.settings.url} refuses access ({status}); {cure}: {answer}.")
        path = response.request.url.path
        return ServerError(f"{path} cannot be used as it is set at {self.settings.url}: {answer}.")

    def _seconds_to_wait(self, state: RetryCallState) -> float:
        from tenacity import wait_exponential, wait_random

        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, _TemporaryError) and error.wait:
            return min(error.wait, _LONGEST_RETRY_AFTER)
        backoff = self.settings.backoff
        return float((wait_exponential(multiplier=backoff, max=_LONGEST_WAIT) + wait_random(0, backoff))(state))


def _unpack(parts: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Decompress one layer of gzip, up to `most` bytes; zlib.error if it is damaged or incomplete."""
    gzip = zlib.decompressobj(_WITH_A_HEADER + zlib.MAX_WBITS)
    for part in parts:
        content = gzip.decompress(part, most)
        yield content
        most -= len(content)
        if most == 0:
            return
        if gzip.unused_data:
            raise zlib.error("more follows after its end")
    if not gzip.eof:
        raise zlib.error("it is cut short")


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        # It may be a password.
        raise ConfigurationError("url is not the address of a server, expected http://HOST:PORT or https://HOST.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigurationError(
            f"url of the server {parts.hostname} has a user name, a password or a query; set token_env to the name of "
            "an environment variable with the token."
        )


def find_token(variable: str) -> str:
    """Token in an environment variable; no message shows it."""
    if not variable:
        return ""
    token = os.environ.get(variable, "").strip()
    if not token:
        raise ConfigurationError(f"the environment variable {variable} (token_env) is not set; put the token into it.")
    if not (token.isascii() and token.isprintable()):
        raise ConfigurationError(f"the environment variable {variable} (token_env) has characters that no token has.")
    return token


def _find_error_in(body: str) -> ReportedError | None:
    try:
        return find_error(decode_json(body, "the answer", with_nan=True))
    except InputFileError:
        return None
