"""A worker asked in its own process: questions made from valid ones, and questions made from its schema."""

from __future__ import annotations

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
from tools.fuzz.running import Outcome
from tools.fuzz.targets import Target, samples_of

_NAME: Final = "stand-in"
_TOKEN: Final = "token"  # noqa: S105  of nobody
# What an answer must not have: where the worker runs, and by which lines of code.
_PRIVATE: Final = ("Traceback", 'File "', "site-packages", "/src/misread", "/tmp/")  # noqa: S108


class AtOnce(Readers):
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


def make_stand_in() -> Any:
    """The application of a worker whose engine answers at once."""
    limits = WorkerLimits(max_bytes=100_000, max_pixels=10_000, timeout=2.0)
    return make_app(_NAME, AtOnce(Recorded(_NAME), limits), _TOKEN, lambda: None)


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
    from starlette.testclient import TestClient

    client = TestClient(make_stand_in(), raise_server_exceptions=False)
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


def ask_by_schema(inputs: int, seed: int) -> Outcome:
    """Ask questions that Schemathesis makes from the schema, valid and invalid ones of each operation in turn."""
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis.errors import Unsatisfiable

    app = make_stand_in()
    schema = schemathesis.openapi.from_dict(app.openapi())
    schema.app = app
    operations = [result.ok() for result in schema.get_all_operations()]
    # Those without parts have a single question; what they leave of the inputs is for the others.
    operations.sort(key=lambda operation: len(list(operation.body)))
    kinds = [(operation, mode) for operation in operations for mode in schemathesis.GenerationMode]
    done = Outcome()

    def ask(case: Any) -> None:
        answer = case.call(headers={"Authorization": f"Bearer {_TOKEN}"})
        check_answer(answer.status_code, answer.text)
        done.inputs += 1
        done.accepted += answer.status_code < 400
        done.refused += answer.status_code >= 400

    for number, (operation, mode) in enumerate(kinds):
        limits = settings(
            max_examples=max(1, (inputs - done.inputs) // (len(kinds) - number)),
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        try:
            seeded(seed)(limits(given(case=operation.as_strategy(generation_mode=mode))(ask)))()
        except Unsatisfiable:
            # Nothing can be wrong with a question that has no parts.
            continue
        except AssertionError as error:
            done.findings[f"{operation.method.upper()} {operation.path}: {error}"] = "shown by Schemathesis"
    return done
