"""A worker asked in this process, by questions made from valid ones."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from misread.engines import Recorded
from misread.engines.base import Reading
from misread.errors import InputFileError
from misread.serve.app import make_app
from misread.serve.limits import WorkerLimits
from misread.serve.readers import Readers, require_image
from tools.fuzz.targets import Target, samples_of

_NAME: Final = "stand-in"
_TOKEN: Final = "token"  # noqa: S105  of nobody
# What an answer must not have: where the worker runs, and by which lines of code.
_PRIVATE: Final = ("Traceback", 'File "', "site-packages", "/src/misread", "/tmp/")  # noqa: S108


class _AtOnce(Readers):
    """Looks at images as a worker does, and reads the same text in all."""

    async def open(self) -> None:
        self.is_ready = True

    def _read(self, content: bytes) -> Reading:
        path = Path(self._folder.name) / uuid4().hex
        path.write_bytes(content)
        try:
            require_image(path, self.limits.max_pixels)
        finally:
            path.unlink()
        return Reading("question", "read", None, 0.01, None)


def targets() -> Iterator[Target]:
    """The worker; an input is a line with method and path, header lines, an empty line, and the body."""
    yield Target("worker", samples_of("worker"), _ask)


def check_answer(status: int, text: str) -> None:
    """Raise AssertionError for a failure of the worker, or an answer that says too much."""
    if status >= 500:
        raise AssertionError(f"status {status}")
    if any(private in text for private in _PRIVATE):
        raise AssertionError("an answer has a path or a stack")


@cache
def _client() -> Any:
    """A client of a worker whose engine answers at once."""
    from starlette.testclient import TestClient

    limits = WorkerLimits(max_bytes=100_000, max_pixels=10_000, timeout=2.0)
    app = make_app(_NAME, _AtOnce(Recorded(_NAME), limits), _TOKEN, lambda: None)
    client = TestClient(app, raise_server_exceptions=False)
    client.__enter__()
    return client


def _ask(data: bytes, _: Path) -> None:
    head, _, body = data.partition(b"\n\n")
    first, *lines = head.decode("latin-1").split("\n")
    method, _, path = first.partition(" ")
    headers = [(name, value.strip()) for name, colon, value in (line.partition(":") for line in lines) if colon]
    client = _client()
    try:
        request = client.build_request(
            method or "GET", f"http://worker/{path.lstrip('/')}", headers=headers, content=body
        )
    except Exception as error:
        raise InputFileError("no client can ask so") from error
    answer = client.send(request)
    check_answer(answer.status_code, answer.text)
    if answer.status_code >= 400:
        raise InputFileError("refused")
