"""A worker: one engine, at one address, until it is told to end."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

from misread.engines.base import Engine
from misread.errors import ConfigurationError
from misread.extras import needed_for
from misread.serve.limits import WorkerLimits
from misread.serve.readers import Readers


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
    """Answer questions until SIGTERM or SIGINT comes, and then those that are being read.

    Parameters
    ----------
    name : str
        Name of the model in OpenAI's API.
    engine : Engine
        What reads.
    host, port : str, int
        Address; the system chooses a port for 0.
    token : str
        What questions must have as `Authorization: Bearer`; none if it is empty.
    limits : WorkerLimits, optional
        What the worker takes.
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
        import uvicorn

        from misread.serve.app import make_app
        from misread.serve.connections import ACCEPTED_AT_ONCE, QueueingServer, WaitingConnections

    # What is missing is said before anything is started.
    engine.versions()
    listener = _listen(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
    readers = Readers(engine, limits or WorkerLimits())

    def on_opened() -> None:
        if readers.failure:
            server.should_exit = True
        else:
            on_ready(address)

    server = QueueingServer(
        uvicorn.Config(
            make_app(name, readers, token, on_opened),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            http=WaitingConnections(readers.limits).connect,  # type: ignore[arg-type]  # it is called as a class would be
            backlog=ACCEPTED_AT_ONCE,
            timeout_graceful_shutdown=int(readers.limits.patience),
        )
    )
    # The server raises a signal again when it has ended, which would end the process as if it had been killed.
    before = {each: signal.signal(each, lambda *_: None) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        server.run(sockets=[listener])
    finally:
        readers.close()
        for each, handler in before.items():
            signal.signal(each, handler)
    if readers.failure:
        raise readers.failure


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise ConfigurationError(
            f"the worker cannot listen at {host}, port {port}: {error}; choose another --host or --port."
        ) from None
