"""The server that a judge and a system ask, in a process of its own, and a worker that dies while it is asked."""

import json
import os
import random
import re
import shutil
import signal
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import yaml

from tools.chaos.faults import SEED, disturb_stage, prepare
from tools.chaos.stage_runs import run_stage
from tools.chaos.study import JOURNALS, READER, READER_STAGE, Outcome, Study

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
    """Let a worker that a copy of the study asks die after some answers, so many times; it is back for the next run."""
    outcome = Outcome(
        "HTTP worker dies during a capture", "one line with address and remedy; the next run asks for the rest only"
    )
    study.restore()
    asking = Study(study.root.with_name("asking"))
    shutil.copytree(study.root, asking.root)
    with serving() as address:
        port = int(address.rpartition(":")[2])
    params, journal = asking.root / "params.yaml", asking.root / JOURNALS[READER_STAGE]
    content = yaml.safe_load(params.read_text(encoding="utf-8"))
    http = {"_target_": "misread.engines.HttpOCR", "url": address, "medium": "line_image"}
    content["systems"][READER] = {**http, "attempts": 2, "backoff": 0.01, "concurrency": 2, "revision": 1}
    params.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    asking.remove_outputs(READER_STAGE, journal=True)
    with serving(port):
        run_stage(asking.root, READER_STAGE)
    asking.keep()
    for number in range(times):
        prepare(asking, READER_STAGE)
        dying = serving(port, random.Random(f"{SEED} {number}").randint(1, _LINES - 1))
        ended, complaints, lost = disturb_stage(asking, READER_STAGE, around=dying, again=serving(port))
        again = "" if journal.read_bytes().count(b"\n") == _LINES else "readings were asked for again"
        outcome.add(ended.unlike(1, "answered before and went away"), *complaints, again, lost=lost)
    yield outcome
