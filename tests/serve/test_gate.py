"""What comes before a question is read: the token, a place, and its end."""

import asyncio
import hmac
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from misread.serve.gate import Gate
from misread.serve.limits import WorkerLimits

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
