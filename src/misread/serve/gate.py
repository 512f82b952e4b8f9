"""What every question passes first: token, number of those that wait, size."""

from __future__ import annotations

import asyncio
import hmac
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from misread.serve.readers import Readers
from misread.serve.refusals import RefusedError, refusal

_OPEN: Final = frozenset({"/health", "/ready"})


@dataclass(frozen=True)
class Gate:
    """Lets questions through whose body is there, whole and not too large, to an application that may rely on it."""

    app: ASGIApp
    readers: Readers
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _OPEN:
            await self.app(scope, receive, send)
            return
        readers, headers = self.readers, Headers(scope=scope)
        counted = False
        try:
            self._require_token(headers)
            if scope["method"] == "POST":
                self._require_place()
                readers.admitted += 1
                counted = True
                receive = _again(await self._body(headers, receive), receive)
            await self.app(scope, receive, send)
        except RefusedError as error:
            await refusal(scope["path"], error)(scope, receive, send)
        finally:
            readers.admitted -= counted

    def _require_token(self, headers: Headers) -> None:
        if not self.token:
            return
        kind, _, given = headers.get("authorization", "").partition(" ")
        # As bytes: texts that are not ASCII cannot be compared.
        if kind.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self.token.encode()):
            raise RefusedError(401, "the token is missing or wrong", {"WWW-Authenticate": "Bearer"})

    def _require_place(self) -> None:
        readers = self.readers
        if not readers.is_ready:
            raise RefusedError(503, "the engine is being loaded", {"Retry-After": "1"})
        if readers.is_full:
            raise RefusedError(503, "too many questions wait", {"Retry-After": str(readers.seconds_to_wait)})

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        most = self.readers.limits.max_bytes
        too_large = RefusedError(413, f"the question is larger than {most:,} bytes")
        announced = headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > most:
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(self.readers.limits.timeout):
                while (message := await receive())["type"] == "http.request":
                    body += message.get("body", b"")
                    if len(body) > most:
                        raise too_large
                    if not message.get("more_body"):
                        return bytes(body)
        except TimeoutError:
            raise RefusedError(408, "the question did not end in time") from None
        raise RefusedError(400, "the question was cut short")


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives a body that was received already, and after it what comes."""
    given = False

    async def once_more() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once_more
