"""Rows for the capture: what it adds to the time that others take to read, and its memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from misread.data.segment_table import Origin, SegmentTable, Source
from misread.engines import Answer, HttpOCR, Journal, Processes, Readings
from misread.engines.base import Reading
from misread.pipeline.capture_tally import CaptureTally
from misread.storage import read_segments, write_capture, write_segments
from tools.bench.measure import Figure, Row
from tools.bench.processes import run_misread, run_python

_RECORDED, _MANY_RECORDED = 10_000, 1_000_000
_ASKED, _CONCURRENCY, _SLEEP = 400, 8, 0.1
_PAGES, _CHARACTERS_OF_PAGE = (1_000, 20_000, 200_000), 10_000
_LINES, _CHARACTERS_OF_LINE = (100_000, 1_000_000, 2_000_000), 20
_PARAMS = """
systems: {first: {_target_: misread.engines.Recorded}}
datasets:
  lines:
    _target_: misread.data.Table
    root: data/lines
    file: lines.csv
    segment_id: [id]
    reference: text
    recorded: [first]
executor: {_target_: misread.execution.Local}
data_root: .
"""
# Keeps its connections, as every worker does.
_SERVER = """
import sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep({sleep})
        body = b'{{"text": "one", "confidence": 0.5}}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
_CAPTURE = """
from pathlib import Path
from tools.bench.capture_rows import capture_answers
capture_answers(Path({folder!r}), {characters})
"""


def capture_rows(_scale: float) -> Iterator[Row]:
    """The sizes are those of the goals, whatever the scale."""
    for number, goal in ((_RECORDED, "2 CPU-s"), (_MANY_RECORDED, "5 CPU-s")):
        yield Figure(
            f"capture, {number:,} recorded segments",
            "CPU time of the stage",
            "misread --help",
            partial(_time_recorded, number),
            goal,
        )
    yield Figure(
        f"capture, a server that takes {_SLEEP * 1000:.0f} ms, {_CONCURRENCY} at a time",
        "segments per second",
        "the most there can be",
        _share_of_throughput,
        "90 %",
    )
    yield Figure("capture, 10,000 readings", "journal, per segment", "itself", _time_journal, "under 1 ms")
    for sizes, characters, media in ((_PAGES, _CHARACTERS_OF_PAGE, True), (_LINES, _CHARACTERS_OF_LINE, False)):
        yield Figure(
            f"capture, {' / '.join(f'{size:,}' for size in sizes)} answers of {characters:,} characters",
            "memory of the process, CPU per answer of the most",
            "itself",
            partial(_measure_answers, sizes, characters, media),
            "10 % more for the most",
        )


def _time_recorded(number: int, rounds: int) -> str:
    """Time of the whole stage without that of any command."""
    with TemporaryDirectory() as folder, _working_in(Path(folder)):
        Path("params.yaml").write_text(_PARAMS)
        Path("data/lines").mkdir(parents=True)
        rows = (f"{row},reference of line {row},what was read there" for row in range(number))
        Path("data/lines/lines.csv").write_text("\n".join(["id,text,first", *rows]) + "\n")
        run_misread("stage", "segments", "lines")
        start = median(run_misread("--help").seconds for _ in range(rounds))
        return f"{median(_time_stage() for _ in range(rounds)) - start:.2f} CPU-s"


def _time_stage() -> float:
    return run_misread("stage", "capture", "lines", "first").seconds


def _share_of_throughput(rounds: int) -> str:
    with TemporaryDirectory() as folder, _serving() as url:
        sources = list(_write_images(Path(folder), _ASKED))
        engine = HttpOCR(url=url, concurrency=_CONCURRENCY, medium="line_image")
        seconds = median(_time_readings(engine, sources, Path(folder)) for _ in range(min(rounds, 3)))
    return f"{100 * _ASKED * _SLEEP / _CONCURRENCY / seconds:.3g} %"


def _time_readings(engine: HttpOCR, sources: list[Source], folder: Path) -> float:
    path = folder / "journal.jsonl"
    path.unlink(missing_ok=True)
    start = time.perf_counter()
    with Journal(path, {}) as journal:
        Readings(sources, engine, Processes(), journal).read()
    return time.perf_counter() - start


def _time_journal(rounds: int) -> str:
    number = 10_000
    with TemporaryDirectory() as folder:
        sources = list(_write_images(Path(folder), number))

        def keep_all() -> float:
            path = Path(folder) / "journal.jsonl"
            path.unlink(missing_ok=True)
            start = time.perf_counter()
            with Journal(path, {"_target_": "misread.engines.HttpOCR"}) as journal:
                for source in sources:
                    if (key := journal.key(source)) and journal.find(key, source) is None:
                        journal.keep(key, Reading(source.segment_id, "what was read there", None, 0.1, None))
                        journal.find(key, source)
            return time.perf_counter() - start

        return f"{1000 * median(keep_all() for _ in range(rounds)) / number:.3f} ms"


def _measure_answers(sizes: Sequence[int], characters: int, has_media: bool, _rounds: int) -> str:
    done = []
    for number in sizes:
        with TemporaryDirectory() as folder:
            _write_data_set(Path(folder), number, has_media=has_media)
            done.append(run_python(_CAPTURE.format(folder=folder, characters=characters)))
    peaks = " / ".join(f"{each.peak_bytes / 1e6:.0f}" for each in done)
    return f"{peaks} MB, {1000 * done[-1].seconds / sizes[-1]:.2f} ms"


@dataclass(frozen=True)
class _Answers:
    """Answers with so many characters, such as a page of tables, in threads of this process."""

    characters: int
    reads: frozenset[str] = frozenset({"line_image"})
    revision: int = 1
    concurrency: int = _CONCURRENCY

    def versions(self) -> dict[str, str]:
        return {}

    def open(self) -> _Answers:
        return self

    def read(self, source: Source) -> Answer:
        text = source.segment_id * (self.characters // len(source.segment_id))
        return Answer(text, raw=f"<p>{text}</p>")

    def close(self) -> None:
        """Nothing was opened."""


@dataclass(frozen=True)
class _Questions(Sequence[Source]):
    """Sources that need no file: a million files are a measurement of the file system."""

    ids: Sequence[str]

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: Any) -> Any:
        return Source(self.ids[index], question=self.ids[index])

    def __iter__(self) -> Iterator[Source]:
        return (Source(each, question=each) for each in self.ids)


def capture_answers(folder: Path, characters: int) -> None:
    """Do all the work of the capture stage that grows with the segments."""
    table, _ = read_segments(folder / "segments.parquet", data_root=str(folder))
    sources = table.sources(recorded=False) if table.media else _Questions(table.segment_id)
    with Journal(folder / "journal.jsonl", {}) as journal:
        readings = Readings(sources, _Answers(characters), Processes(), journal)
        tally = CaptureTally("answers")
        readings.read(partial(tally.add, is_new=True))
        path, timings = folder / "capture.parquet", folder / "timings.parquet"
        write_capture(path, Origin("d", "s"), table.keys, table.references, readings, timings=timings)
        tally.facts()


def _write_data_set(folder: Path, number: int, *, has_media: bool) -> None:
    """The table of segments and, if they are to be, files that are different and that it names."""
    media = [folder / f"{each // 1000}" / f"{each}.png" for each in range(number)] if has_media else None
    for each, path in enumerate(media or ()):
        path.parent.mkdir(exist_ok=True)
        # It is told apart, and never opened.
        path.write_bytes(each.to_bytes(4, "big"))
    table = SegmentTable(
        segment_id=[f"line-{each:06}" for each in range(number)],
        references=["what was written"] * number,
        media=media,
    )
    offers = frozenset({"line_image"})
    write_segments(folder / "segments.parquet", table, offers=offers, root="{data_root}", folder=folder)


def _write_images(folder: Path, number: int) -> Iterator[Source]:
    """Images of lines, each different from the others."""
    from PIL import Image

    for each in range(number):
        path = folder / f"line{each:06}.png"
        Image.frombytes("L", (16, 16), each.to_bytes(4, "big") * 64).save(path)
        yield Source(path.stem, path)


@contextmanager
def _serving() -> Iterator[str]:
    program = [sys.executable, "-c", _SERVER.format(sleep=_SLEEP)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None  # noqa: S101  it is a pipe
        try:
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        finally:
            server.kill()


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
