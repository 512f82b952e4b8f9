"""A worker that many ask at the same time, some of them slowly."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import Final

import numpy as np
import psutil
from PIL import Image

from tools.chaos.study import Outcome, Study
from tools.parts import ROOT

_WORKER: Final = """
import sys
from tests.serve.stand_ins import Width
from misread.serve.limits import WorkerLimits
from misread.serve.worker import run_worker

limits = WorkerLimits(waiting=int(sys.argv[1]))
run_worker("width", Width(), host="127.0.0.1", port=0, limits=limits, on_ready=lambda url: print(url, flush=True))
"""
CONNECTIONS: Final = 200
_SLOW_SENDERS, _SLOW_READERS = 20, 20
_REQUESTS: Final = 10_000
# The engine reads the width of an image; at narrower ones it crashes or sleeps.
_WIDTHS: Final = range(100, 900)
_PIECES: Final = 10
_SECONDS_OF_PIECE: Final = 0.05
_LONGEST_WAIT: Final = 60.0
_BOUNDARY: Final = "misread-boundary"


@dataclass
class Tally:
    """What became of questions."""

    seconds: list[float] = field(default_factory=list)  # of those that were sent and read at once, and answered
    answered: int = 0
    refused: int = 0  # by 503, with a time to come back
    hung_up: int = 0  # connections that were closed between two questions, which are asked again
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Manner:
    """How a client asks."""

    sends_slowly: bool = False
    reads_slowly: bool = False


def load_worker(_: Study, times: int) -> Iterator[Outcome]:
    """Ask a worker in which all questions may wait, and one in which few may, from so many connections at once."""
    requests = _REQUESTS * times // 50
    for waiting, number, answer in ((CONNECTIONS, requests, ""), (16, requests // 5, " or 503 with Retry-After")):
        fault = f"{CONNECTIONS} connections at once ask a worker, some slowly; {waiting} questions may wait"
        yield load(Outcome(fault, f"the right answer{answer}, and status 0 on SIGTERM"), waiting, number)


def load(outcome: Outcome, waiting: int, requests: int, connections: int = CONNECTIONS) -> Outcome:
    """Ask a worker so many questions, of which so many may wait, from so many connections."""
    with _worker(waiting) as (process, port):
        asyncio.run(_ask_all(port, 2 * connections, connections))
        before = _memory(process)
        start = time.perf_counter()
        tally = asyncio.run(_ask_all(port, requests, connections))
        seconds = time.perf_counter() - start
        after = _memory(process)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=_LONGEST_WAIT)
    outcome.inflicted = requests
    outcome.failures = tally.failures
    if process.returncode or said:
        outcome.failures.append(f"the worker ended with status {process.returncode} and said: {said[-1000:]}")
    if tally.refused and waiting >= connections:
        outcome.failures.append(f"{tally.refused} questions were refused, and all could wait")
    if not tally.seconds:
        outcome.failures.append("nobody who sends and reads at once was answered")
    outcome.figures = (
        str(waiting),
        *(f"{number:,}" for number in (requests, tally.answered, tally.refused)),
        f"{requests / seconds:,.0f}",
        *(f"{1000 * quantile:,.0f} ms" for quantile in np.percentile(tally.seconds or [0.0], (50, 99))),
        *(f"{size / 1e6:,.0f} MB" for size in (before, after)),
    )
    return outcome


@contextmanager
def _worker(waiting: int) -> Iterator[tuple[subprocess.Popen[str], int]]:
    with subprocess.Popen(
        [sys.executable, "-c", _WORKER, str(waiting)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None  # noqa: S101  it is a pipe
        try:
            yield process, int(process.stdout.readline().rpartition(":")[2])
        finally:
            process.kill()


def _memory(worker: subprocess.Popen[str]) -> int:
    process = psutil.Process(worker.pid)
    return sum(member.memory_info().rss for member in (process, *process.children(recursive=True)))


async def _ask_all(port: int, requests: int, connections: int) -> Tally:
    tally = Tally()
    questions = iter(range(requests))
    slow = [Manner(sends_slowly=True)] * _SLOW_SENDERS + [Manner(reads_slowly=True)] * _SLOW_READERS
    manners = [*slow, *[Manner()] * connections][:connections]
    await asyncio.gather(*(_ask_on(port, questions, manner, tally) for manner in manners))
    return tally


async def _ask_on(port: int, questions: Iterator[int], manner: Manner, tally: Tally) -> None:
    """Ask one question after the other on one connection, which the worker may close in between."""
    streams = None
    for number in questions:
        width = _WIDTHS[number % len(_WIDTHS)]
        for _ in range(10):
            is_new = streams is None
            start = time.perf_counter()
            try:
                streams = streams or await asyncio.open_connection("127.0.0.1", port)
                async with asyncio.timeout(_LONGEST_WAIT):
                    status, head, body = await _exchange(*streams, _question(width), manner)
            except (ConnectionError, asyncio.IncompleteReadError) as error:
                streams = None
                if is_new:
                    tally.failures.append(f"a new connection was closed: {error!r}")
                    break
                tally.hung_up += 1
                continue
            except TimeoutError:
                streams = None
                tally.failures.append(f"no answer came within {_LONGEST_WAIT:g} s")
                break
            if status == 200 and json.loads(body)["text"] == str(width):
                tally.answered += 1
                if manner == Manner():
                    tally.seconds.append(time.perf_counter() - start)
            elif status == 503 and 1 <= int(head.get("retry-after", "0")) <= 60:
                tally.refused += 1
            else:
                tally.failures.append(f"{width} was answered with {status}: {body[:200]!r}")
            if head.get("connection") == "close":
                streams[1].close()
                streams = None
            break
        else:
            tally.failures.append("ten connections in a row were closed")
    if streams:
        streams[1].close()


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, question: bytes, manner: Manner
) -> tuple[int, dict[str, str], bytes]:
    """Status, header and body of the answer to a question."""
    for piece in _pieces(question, manner.sends_slowly):
        writer.write(piece)
        await writer.drain()
        if manner.sends_slowly:
            await asyncio.sleep(_SECONDS_OF_PIECE)
    if manner.reads_slowly:
        await asyncio.sleep(_PIECES * _SECONDS_OF_PIECE)
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    head = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
    body = await reader.readexactly(int(head["content-length"]))
    return int(lines[0].split()[1]), head, body


def _pieces(question: bytes, are_many: bool) -> Sequence[bytes]:
    size = -(-len(question) // _PIECES) if are_many else len(question)
    return [question[start : start + size] for start in range(0, len(question), size)]


@cache
def _question(width: int) -> bytes:
    image = BytesIO()
    Image.new("L", (width, 4), 255).save(image, "PNG")
    disposition = 'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png'
    start, end = f"--{_BOUNDARY}\r\n{disposition}\r\n\r\n", f"\r\n--{_BOUNDARY}--\r\n"
    body = start.encode() + image.getvalue() + end.encode()
    head = f"POST /ocr HTTP/1.1\r\nHost: worker\r\nContent-Type: multipart/form-data; boundary={_BOUNDARY}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
