"""Servers that systems and judges ask, each in a process of its own that ends with this one."""

from __future__ import annotations

import json
import os
import signal
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer


def start_server(server: HTTPServer) -> int:
    """Fork a process that serves until it is stopped, or until nobody is left to stop it; its id."""
    parent = os.getpid()
    child = os.fork()
    if child:
        server.socket.close()
        return child
    server.timeout = 1.0
    try:
        while os.getppid() == parent:
            server.handle_request()
    finally:
        os._exit(1)


def stop_server(child: int) -> None:
    """Kill it, and wait until its port is free."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


class Handler(BaseHTTPRequestHandler):
    """Reads questions and answers with JSON; says nothing."""

    def question(self) -> bytes:
        """Body of what is asked."""
        return self.rfile.read(int(self.headers["Content-Length"]))

    def answer(self, content: object) -> None:
        """Send an answer."""
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(HTTPServer):
    """Listens on this machine; says nothing of clients that were killed while they asked."""

    def __init__(self, port: int, handler: type[Handler]) -> None:
        super().__init__(("127.0.0.1", port), handler)

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def judging() -> Iterator[str]:
    """A language model that decides by a checksum of the question; its address."""
    server = Server(0, _Judge)
    child = start_server(server)
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        stop_server(child)


class _Judge(Handler):
    def do_POST(self) -> None:
        """Answer with a decision that depends on the texts."""
        asked = json.loads(self.question())["messages"][0]["content"]
        word = "yes" if zlib.crc32(asked.encode()) % 2 else "no"
        self.answer({"choices": [{"message": {"content": word}, "finish_reason": "stop"}]})
