"""A worker serves one engine at one address until it is told to end, and manages its connections."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from misread.engines.base import Engine
from misread.errors import ConfigurationError, needed_for, setting
from misread.serve.limits import WorkerLimits
from misread.serve.readers import Readers

if TYPE_CHECKING:
    from fastapi import FastAPI


def run_worker(
    name: str,
    engine: Engine,
    *,
    host: str,
    port: int,
    token: str = "",
    limits: WorkerLimits | None = None,
    on_ready: Callable[[str], object] = lambda _: None,
) -> None:
    """Answer questions until SIGTERM or SIGINT, then finish those being read.

    Parameters
    ----------
    name : str
        Name of the model in OpenAI's API.
    engine : Engine
        The engine that reads.
    host, port : str, int
        Address; the system chooses a port for 0.
    token : str
        Token that questions must send as `Authorization: Bearer`; none is needed if it is empty.
    limits : WorkerLimits, optional
        Limits of the worker.
    on_ready : callable
        Called with the address when the engine is loaded.

    Raises
    ------
    MissingDependencyError
        If a package is missing; names the line that installs it.
    ConfigurationError
        If the address cannot be used.
    MisreadError
        If the engine cannot be opened.

    References
    ----------
    OCR Benchmarking Metrics Specification, "Deployment" and "Evaluation Flow".
    """
    with needed_for("workers need", "FastAPI, Uvicorn, python-multipart and Pillow", "serve"):
        import PIL  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn  # noqa: F401

        from misread.serve.app import make_app

    # Report missing packages before starting anything.
    engine.versions()
    listener = _listen(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
    readers = Readers(engine, limits or WorkerLimits())

    def on_opened() -> None:
        if readers.failure:
            server.should_exit = True
        else:
            on_ready(address)

    server = QueueingServer(_configure(make_app(name, readers, token, on_opened), readers.limits))
    _run(server, listener, readers)


def _configure(app: FastAPI, limits: WorkerLimits) -> Config:
    """Settings of the server."""
    return Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        http=WaitingConnections(limits).connect,  # type: ignore[arg-type]  # it is called as a class would be
        backlog=ACCEPTED_AT_ONCE,
        timeout_graceful_shutdown=int(limits.patience),
    )


def _run(server: Server, listener: socket.socket, readers: Readers) -> None:
    """Answer until the server is told to end; raises what kept the readers from opening."""
    # The server re-raises the signal when it has ended, which would end the process as if killed.
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        server.run(sockets=[listener])
    finally:
        readers.close()
        for number, handler in before.items():
            signal.signal(number, handler)
    if readers.failure:
        raise readers.failure


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise ConfigurationError(
            f"the worker cannot listen at {host}, port {port}: {error}; choose another {setting('host')} or "
            f"{setting('port')}."
        ) from None


ACCEPTED_AT_ONCE: Final = 16
"""Connections that are accepted before one of them is known; each takes a file that the limit does not count."""
_QUEUED: Final = 1024


class QueueingServer(Server):
    """A server whose listen queue is longer than the number of connections that it accepts at once."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_QUEUED)


class WaitingConnections:
    """Connections that wait for their client, in the order in which they began to wait."""

    def __init__(self, limits: WorkerLimits) -> None:
        self._limits = limits
        self._ends: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def connect(self, **settings: Any) -> Connection:
        """Make the protocol of a new connection, as Uvicorn asks for it."""
        return Connection(self, **settings)

    def add(self, transport: asyncio.Transport, *, is_sending: bool = False) -> None:
        """Add a connection that waits; if there are too many, close the one that has waited longest."""
        self.remove(transport)
        limits = self._limits
        seconds = limits.timeout if transport.get_write_buffer_size() else limits.connection_timeout
        if is_sending:
            # The application refuses it before.
            seconds += limits.timeout
        # An orderly close would first send data that nobody may receive.
        self._ends[transport] = asyncio.get_running_loop().call_later(seconds, transport.abort)
        if len(self._ends) > limits.connections:
            longest = next(iter(self._ends))
            self.remove(longest)
            longest.abort()

    def remove(self, transport: asyncio.Transport) -> None:
        """Remove a connection: a whole question came, its answer was received, or the connection is lost."""
        if end := self._ends.pop(transport, None):
            end.cancel()


class Connection(H11Protocol):
    """A connection that is closed if no complete header arrives, or no answer is received, in time.

    Uvicorn limits the time of questions, which begin with a complete header, and of silence after an answer, but not
    these.
    """

    def __init__(self, waiting: WaitingConnections, **settings: Any) -> None:
        super().__init__(**settings)
        self._waiting = waiting

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as that of Uvicorn
        super().connection_made(transport)
        self._waiting.add(transport)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is None or self.cycle.response_complete or self.flow.write_paused:
            return
        if not self.cycle.more_body:
            self._waiting.remove(self.transport)
        elif self.cycle is not before:
            self._waiting.add(self.transport, is_sending=True)

    def on_response_complete(self) -> None:
        # First, because the next question may have arrived already.
        self._waiting.add(self.transport)
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._waiting.add(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.cycle is not None and not self.cycle.response_complete:
            self._waiting.remove(self.transport)
        else:
            self._waiting.add(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._waiting.remove(self.transport)
        super().connection_lost(exc)
