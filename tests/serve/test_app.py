"""The application itself, asked in this process."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import httpx
from tests.serve.stand_ins import Width

from misread.serve.app import make_app


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
