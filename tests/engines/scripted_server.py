"""A server on this machine that answers as a test tells it: it stands in for a protocol and reads no image."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Question:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Script:
    """`answer` is called with the handler and the question; all questions are kept."""

    answer: Callable[[BaseHTTPRequestHandler, Question], None]
    url: str = ""
    asked: list[Question] = field(default_factory=list)


def reply(handler: BaseHTTPRequestHandler, body: bytes | str, status: int = 200, **headers: str) -> None:
    content = body.encode() if isinstance(body, str) else body
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(content)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


@contextmanager
def serve(
    answer: Callable[[BaseHTTPRequestHandler, Question], None],
    *,
    keeps_connections: bool = False,
    tls: ssl.SSLContext | None = None,
) -> Iterator[Script]:
    script = Script(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1" if keeps_connections else "HTTP/1.0"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            question = Question(self.path, dict(self.headers), body)
            script.asked.append(question)
            with suppress(BrokenPipeError, ConnectionResetError):
                script.answer(self, question)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        # Connections that come at once are all accepted, and none is tried again a second later.
        request_queue_size = 64

    server = Server(("127.0.0.1", 0), Handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        # A client that does not trust it ends the handshake, which is what is tested.
        server.handle_error = lambda *_: None
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    script.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
