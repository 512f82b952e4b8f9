"""A worker that is unplugged while a capture asks it."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import zlib
from pathlib import Path

import yaml

from misread.pipeline import paths
from tools.chaos.outcome import Outcome
from tools.chaos.servers import Handler, Server, start_server, stop_server
from tools.chaos.stage_runs import run_stage
from tools.chaos.study import DATASET, JOURNALS, READER, READER_STAGE, Study

_JOURNAL = JOURNALS[READER_STAGE]
_LINES = 12


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
    try:
        expected = _capture_anew(study, port, None)
        for number in range(times):
            answers = random.Random(f"{seed} {number}").randint(1, _LINES - 1)
            outcome.add(*_survive(study, port, answers, expected))
    finally:
        params.write_text(before, encoding="utf-8")
        study.restore()
    return outcome


def _capture_anew(study: Study, port: int, answers: int | None) -> bytes:
    (study.root / _JOURNAL).unlink(missing_ok=True)
    worker = _start_worker(port, answers)
    ended = run_stage(study.root, READER_STAGE)
    stop_server(worker)
    if ended.status:
        raise SystemExit(f"a capture from a worker ended with {ended.status}:\n{ended.said}")
    return (study.root / paths.capture(DATASET, READER)).read_bytes()


def _survive(study: Study, port: int, answers: int, expected: bytes) -> list[str]:
    path: Path = study.root / paths.capture(DATASET, READER)
    path.unlink()
    (study.root / _JOURNAL).unlink()
    worker = _start_worker(port, answers)
    ended = run_stage(study.root, READER_STAGE)
    stop_server(worker)
    complaints = []
    if ended.status != 1 or "answered before and went away" not in ended.said or "Traceback" in ended.said:
        complaints.append(f"it ended with {ended.status} and said: {ended.said}")
    if path.exists():
        complaints.append("there is a capture of a part")
    known = (study.root / _JOURNAL).read_bytes()
    worker = _start_worker(port, None)
    again = run_stage(study.root, READER_STAGE)
    stop_server(worker)
    if again.status or path.read_bytes() != expected:
        complaints.append(f"the next run ended with {again.status} and gave other bytes, or none: {again.said}")
    entries = [json.loads(line.split(b" ", 2)[2]) for line in (study.root / _JOURNAL).read_bytes().splitlines()]
    if not (study.root / _JOURNAL).read_bytes().startswith(known) or len(entries) != _LINES:
        complaints.append(f"{len(entries)} readings were kept, expected {_LINES}, each once")
    return complaints


def _start_worker(port: int, answers: int | None) -> int:
    """Start a worker that is killed by itself when it has given so many answers."""
    _Worker.left = answers
    return start_server(Server(port, _Worker))


class _Worker(Handler):
    left: int | None = None

    def do_POST(self) -> None:  # noqa: N802  the server calls it so
        """Answer with a number that depends on the image."""
        body = self.question()
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        image = body[body.index(b"\x89PNG") : body.index(b"IEND")]
        self.answer({"text": f"line {zlib.crc32(image)}"})
        if self.left is not None:
            _Worker.left = self.left - 1
