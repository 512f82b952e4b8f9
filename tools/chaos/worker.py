"""The server that a judge and a system ask, in a process of its own, and a worker that dies while it is asked."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import yaml

from misread.pipeline import paths
from tools.chaos.faults import SEED
from tools.chaos.stage_runs import Ended, run_stage
from tools.chaos.study import DATASET, JOURNALS, READER, READER_STAGE, Outcome, Study

_LINES = 12


class _Handler(BaseHTTPRequestHandler):
    """Reads an image, or decides on texts, by their checksum; says nothing."""

    left: int | None = None  # answers, after which it is killed by itself

    def do_POST(self) -> None:
        """Answer as a worker and as a language model: who asks takes what it understands."""
        question = self.rfile.read(int(self.headers["Content-Length"]))
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        image = re.search(rb"\x89PNG.*?IEND", question, re.DOTALL)
        number = zlib.crc32(image[0] if image else question)
        choice = {"message": {"content": "yes" if number % 2 else "no"}, "finish_reason": "stop"}
        body = json.dumps({"text": f"line {number}"} if image else {"choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if self.left is not None:
            type(self).left = self.left - 1

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(port: int = 0, answers: int | None = None) -> Iterator[str]:
    """Fork a process that serves until it is stopped, has given so many answers, or is alone; its address."""
    server = HTTPServer(("127.0.0.1", port), _Handler)
    parent = os.getpid()
    child = os.fork()
    if not child:
        _Handler.left = answers
        # Clients may be killed while they ask.
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
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


def unplug_worker(study: Study, times: int) -> Iterator[Outcome]:
    """Let a worker die after some answers, so many times; it comes back for the next run."""
    outcome = Outcome(
        "HTTP worker dies during a capture", "one line with address and remedy; the next run asks for the rest only"
    )
    study.restore()
    params = study.root / "params.yaml"
    before = params.read_text(encoding="utf-8")
    with serving() as address:
        port = int(address.rpartition(":")[2])
    content = yaml.safe_load(before)
    http = {"_target_": "misread.engines.HttpOCR", "url": address, "medium": "line_image"}
    content["systems"][READER] = {**http, "attempts": 2, "backoff": 0.01, "concurrency": 2, "revision": 1}
    params.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    capture, journal = study.root / paths.capture(DATASET, READER), study.root / JOURNALS[READER_STAGE]
    try:
        study.remove_outputs(READER_STAGE, journal=True)
        _ask(study, port, None)
        expected = capture.read_bytes()
        for number in range(times):
            study.remove_outputs(READER_STAGE, journal=True)
            ended = _ask(study, port, random.Random(f"{SEED} {number}").randint(1, _LINES - 1))
            part, entries = capture.exists(), journal.read_bytes()
            again = _ask(study, port, None)
            is_answer = ended.status == 1 and "answered before and went away" in ended.said
            after = journal.read_bytes()
            complaints = {
                f"it ended with {ended.status}: {ended.said}": not is_answer or "Traceback" in ended.said,
                "there is a capture of a part": part,
                f"the next run ended with {again.status}: {again.said}": again.status,
                "the next run gave other bytes": not again.status and capture.read_bytes() != expected,
                "readings were not kept, or not once": not after.startswith(entries) or after.count(b"\n") != _LINES,
            }
            outcome.add(*(complaint for complaint, is_so in complaints.items() if is_so))
    finally:
        params.write_text(before, encoding="utf-8")
        study.restore()
    yield outcome


def _ask(study: Study, port: int, answers: int | None) -> Ended:
    """Capture from a worker that dies when it has given so many answers."""
    with serving(port, answers):
        return run_stage(study.root, READER_STAGE)
