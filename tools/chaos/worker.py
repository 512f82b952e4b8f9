"""Servers that a judge and a system ask, each in a process of its own, and a worker that dies while it is asked."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import yaml

from misread.pipeline import paths
from tools.chaos.stage_runs import Ended, run_stage
from tools.chaos.study import DATASET, JOURNALS, READER, READER_STAGE, Outcome, Study

_LINES = 12


class _Server(HTTPServer):
    """Listens on this machine; says nothing of clients that were killed while they asked."""

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _serving(port: int, handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Fork a process that serves until it is stopped, or until nobody is left to stop it; its address."""
    server = _Server(("127.0.0.1", port), handler)
    parent = os.getpid()
    child = os.fork()
    if not child:
        server.timeout = 1.0
        try:
            while os.getppid() == parent:
                server.handle_request()
        finally:
            os._exit(1)
    server.socket.close()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


class _Handler(BaseHTTPRequestHandler):
    """Reads questions and answers with JSON; says nothing."""

    left: int | None = None  # answers, after which it is killed by itself

    def do_POST(self) -> None:
        """Answer with what depends on the question."""
        question = self.rfile.read(int(self.headers["Content-Length"]))
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        body = json.dumps(self.reply(question)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if self.left is not None:
            type(self).left = self.left - 1

    def reply(self, question: bytes) -> object:
        """What to answer."""
        raise NotImplementedError

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Judge(_Handler):
    def reply(self, question: bytes) -> object:
        """Decide by a checksum of the texts."""
        asked = json.loads(question)["messages"][0]["content"]
        word = "yes" if zlib.crc32(asked.encode()) % 2 else "no"
        return {"choices": [{"message": {"content": word}, "finish_reason": "stop"}]}


class _Worker(_Handler):
    def reply(self, question: bytes) -> object:
        """Read a number that depends on the image."""
        image = question[question.index(b"\x89PNG") : question.index(b"IEND")]
        return {"text": f"line {zlib.crc32(image)}"}


def judging() -> AbstractContextManager[str]:
    """A language model that decides by a checksum of the question; its address."""
    return _serving(0, _Judge)


def unplug_worker(study: Study, *, times: int, seed: int) -> Outcome:
    """Let a worker die after some answers, so many times; it comes back for the next run."""
    outcome = Outcome(
        "HTTP worker dies during a capture", "one line with address and remedy; the next run asks for the rest only"
    )
    study.restore()
    params = study.root / "params.yaml"
    before = params.read_text(encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    content = yaml.safe_load(before)
    http = {"_target_": "misread.engines.HttpOCR", "url": f"http://127.0.0.1:{port}", "medium": "line_image"}
    content["systems"][READER] = {**http, "attempts": 2, "backoff": 0.01, "concurrency": 2, "revision": 1}
    params.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    capture, journal = study.root / paths.capture(DATASET, READER), study.root / JOURNALS[READER_STAGE]
    try:
        study.remove_outputs(READER_STAGE, journal=True)
        whole = _ask(study, port, None)
        if whole.status:
            raise SystemExit(f"a capture from a worker ended with {whole.status}:\n{whole.said}")
        expected = capture.read_bytes()
        for number in range(times):
            study.remove_outputs(READER_STAGE, journal=True)
            ended = _ask(study, port, random.Random(f"{seed} {number}").randint(1, _LINES - 1))
            part, entries = capture.exists(), journal.read_bytes()
            again = _ask(study, port, None)
            is_answer = ended.status == 1 and "answered before and went away" in ended.said
            is_same = not again.status and capture.read_bytes() == expected
            after = journal.read_bytes()
            is_kept = after.startswith(entries) and len(after.splitlines()) == _LINES
            outcome.add(
                "" if is_answer and "Traceback" not in ended.said else f"it ended with {ended.status}: {ended.said}",
                "there is a capture of a part" if part else "",
                "" if is_same else f"the next run ended with {again.status} and other bytes, or none: {again.said}",
                "" if is_kept else f"{len(after.splitlines())} readings were kept, expected {_LINES}, each once",
            )
    finally:
        params.write_text(before, encoding="utf-8")
        study.restore()
    return outcome


def _ask(study: Study, port: int, answers: int | None) -> Ended:
    """Capture from a worker that dies when it has given so many answers."""
    _Worker.left = answers
    with _serving(port, _Worker):
        return run_stage(study.root, READER_STAGE)
