"""The application itself, asked in this process.

What comes before a question is read: the token, a place, and its end.
"""

import asyncio
import hmac
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import httpx
import pytest
from tests.serve.stand_ins import Width

from misread.serve.app import Gate, make_app
from misread.serve.limits import WorkerLimits
from misread.serve.readers import Readers


def test_versions_are_looked_up_once_and_not_while_others_wait(monkeypatch):
    looked_up = []
    monkeypatch.setattr(Width, "versions", lambda _: looked_up.append(True) or {"width": "1"})
    app = make_app("width", SimpleNamespace(engine=Width(), admitted=0, held_bytes=0), "", lambda: None)

    async def ask():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
            return [(await client.get("/v1/models")).json()["data"][0]["versions"] for _ in range(3)]

    # In a thread of its own: where pages were opened in a browser before, a loop is running in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, ask()).result() == [{"width": "1"}] * 3
    assert len(looked_up) == 1


pytest.importorskip("starlette", reason="misread[serve] is not installed")

WRONG = [b"Bearer tokeN", b"Bearer t", b"Bearer \xff", b"token", b""]


def ask(receive, *, authorization=b"Bearer token", readers=None):
    """Status with which a question is answered that is put to a gate in front of nothing."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200})

    async def send(message):
        sent.append(message)

    readers = readers or ready_readers(timeout=0.05)
    before = readers.admitted, readers.held_bytes
    scope = {"type": "http", "method": "POST", "path": "/ocr", "headers": [(b"authorization", authorization)]}
    # A thread of its own has no loop that runs, as tests in a browser leave one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, Gate(app, readers, "token")(scope, receive, send)).result()
    assert (readers.admitted, readers.held_bytes) == before
    return sent[0]["status"]


def ready_readers(**limits):
    """Readers that could read, of which no process is started."""
    readers = Readers(Width(), WorkerLimits(**limits))
    readers.is_ready = True
    return readers


async def receive_at_once():
    return {"type": "http.request", "body": b"x"}


@pytest.mark.parametrize("given", WRONG)
def test_tokens_are_compared_in_constant_time(given, monkeypatch):
    compared, compare = [], hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda one, other: compared.append((one, other)) or compare(one, other))
    assert ask(receive_at_once, authorization=given) == 401
    assert all(pair[1] == b"token" for pair in compared)
    assert len(compared) == given.startswith(b"Bearer")
    assert ask(receive_at_once) == 200


def test_a_question_that_does_not_end_is_given_up_in_time():
    async def never():
        await asyncio.sleep(60)

    assert ask(never) == 408


def test_a_question_that_is_cut_short_is_refused():
    async def gone():
        return {"type": "http.disconnect"}

    assert ask(gone) == 400


def in_pieces(readers, pieces):
    """A question that is sent in pieces, and the questions that were admitted when each of them came."""
    admitted, left = [], list(pieces)

    async def receive():
        admitted.append(readers.admitted)
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    return receive, admitted


def test_who_still_sends_takes_no_place():
    readers = ready_readers(waiting=0)
    receive, admitted = in_pieces(readers, [b"x", b"y", b"z"])
    assert ask(receive, readers=readers) == 200
    assert admitted == [0, 0, 0]


def test_who_finds_all_places_taken_in_the_end_is_refused(monkeypatch):
    readers = ready_readers(waiting=0)

    async def receive():
        monkeypatch.setattr(Readers, "is_full", True)
        return {"type": "http.request", "body": b"x"}

    assert ask(receive, readers=readers) == 503


def test_questions_that_are_being_sent_take_no_more_memory_than_all_that_may_wait():
    readers = ready_readers(waiting=1, max_bytes=100)
    readers.held_bytes = 150
    receive, admitted = in_pieces(readers, [b"x" * 40, b"x" * 40, b"x"])
    assert ask(receive, readers=readers) == 503
    assert len(admitted) == 2
