"""A worker serves one engine at one address until it is told to end."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from uvicorn import Config, Server

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

    server = Server(_configure(make_app(name, readers, token, on_opened), readers.limits))
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
        http="h11",
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
            f"the worker cannot listen at {host}, port {port} ({str(error).rstrip('.')}); choose another "
            f"{setting('host')} or {setting('port')}."
        ) from None
