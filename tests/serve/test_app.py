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


def test_versions_are_looked_up_once_and_not_while_others_wait(monkeypatch):
    looked_up = []
    monkeypatch.setattr(Width, "versions", lambda _: looked_up.append(True) or {"width": "1"})
    app = make_app("width", SimpleNamespace(engine=Width(), admitted=0), "", lambda: None)

    async def ask():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
            return [(await client.get("/v1/models")).json()["data"][0]["versions"] for _ in range(3)]

    # In a thread of its own: where pages were opened in a browser before, a loop is running in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, ask()).result() == [{"width": "1"}] * 3
    assert len(looked_up) == 1


pytest.importorskip("starlette", reason="misread[serve] is not installed")

WRONG = [b"Bearer tokeN", b"Bearer t", b"Bearer \xff", b"token", b""]


def ask(receive, *, authorization=b"Bearer token"):
    """Status with which a question is answered that is put to a gate in front of nothing."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200})

    async def send(message):
        sent.append(message)

    readers = SimpleNamespace(is_ready=True, is_full=False, admitted=0, limits=WorkerLimits(timeout=0.05))
    scope = {"type": "http", "method": "POST", "path": "/ocr", "headers": [(b"authorization", authorization)]}
    # A thread of its own has no loop that runs, as tests in a browser leave one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, Gate(app, readers, "token")(scope, receive, send)).result()
    assert readers.admitted == 0
    return sent[0]["status"]


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
