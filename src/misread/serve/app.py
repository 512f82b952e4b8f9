"""The application of a worker: `/ocr`, its part of OpenAI's chat API, and the checks of every question."""

import asyncio
import base64
import binascii
import hmac
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import uuid4

from fastapi import FastAPI, Request, Response, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from misread.serve.limits import RefusedError, refusal
from misread.serve.readers import Readers

_OPEN: Final = frozenset({"/health", "/ready"})


@dataclass(frozen=True)
class Gate:
    """Passes a question to the application only if its body is complete and not too large."""

    app: ASGIApp
    readers: Readers
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _OPEN:
            await self.app(scope, receive, send)
            return
        readers, headers = self.readers, Headers(scope=scope)
        counted, body = False, b""
        try:
            self._require_token(headers)
            if scope["method"] == "POST":
                self._require_place()
                body = await self._body(headers, receive)
                # Who sends slowly takes no place meanwhile, and may find them all taken.
                self._require_place()
                readers.admitted += 1
                counted = True
                receive = _again(body, receive)
            await self.app(scope, receive, send)
        except RefusedError as error:
            await refusal(scope["path"], error)(scope, receive, send)
        finally:
            readers.admitted -= counted
            readers.held_bytes -= len(body)

    def _require_token(self, headers: Headers) -> None:
        if not self.token:
            return
        kind, _, token = headers.get("authorization", "").partition(" ")
        # As bytes: compare_digest refuses texts that are not ASCII.
        if kind.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), self.token.encode()):
            raise RefusedError(401, "the token is missing or wrong", {"WWW-Authenticate": "Bearer"})

    def _require_place(self) -> None:
        readers = self.readers
        if not readers.is_ready:
            raise RefusedError(503, "the engine is being loaded", {"Retry-After": "1"})
        if readers.is_full:
            raise self._full()

    def _full(self) -> RefusedError:
        return RefusedError(503, "too many questions wait", {"Retry-After": str(self.readers.seconds_to_wait)})

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        """Body of a question, whose bytes count as held until it is answered."""
        most, readers = self.readers.limits.max_bytes, self.readers
        too_large = RefusedError(413, f"the question is larger than {most:,} bytes")
        announced = headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > most:
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(self.readers.limits.timeout):
                while (message := await receive())["type"] == "http.request":
                    piece = message.get("body", b"")
                    body += piece
                    readers.held_bytes += len(piece)
                    if len(body) > most:
                        raise too_large
                    if readers.hold_too_much:
                        raise self._full()
                    if not message.get("more_body"):
                        content, body = bytes(body), bytearray()
                        return content
        except TimeoutError:
            raise RefusedError(408, "the question did not end in time") from None
        finally:
            readers.held_bytes -= len(body)
        raise RefusedError(400, "the question was cut short")


def _again(body: bytes, receive: Receive) -> Receive:
    """Replay a body that was received already, then continue with the next messages."""
    is_replayed = False

    async def once_more() -> Message:
        nonlocal is_replayed
        if is_replayed:
            return await receive()
        is_replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once_more


@dataclass(frozen=True)
class ImageURL:
    """An image in a data URL."""

    url: str


@dataclass(frozen=True)
class Part:
    """A part of a message."""

    type: Literal["text", "image_url"]
    image_url: ImageURL | None = None


@dataclass(frozen=True)
class ChatMessage:
    """A message of a question: a text, or parts."""

    content: str | list[Part]


@dataclass(frozen=True)
class ChatQuestion:
    """A question; settings of a language model (temperature, max_tokens ...) are ignored."""

    model: str
    messages: list[ChatMessage]
    stream: bool = False


def image_of(question: ChatQuestion) -> bytes:
    """Content of the only image of a question; raises RefusedError if there is not exactly one inline image."""
    parts = [part for message in question.messages if not isinstance(message.content, str) for part in message.content]
    images = [part.image_url.url for part in parts if part.image_url]
    if len(images) != 1:
        raise RefusedError(400, f"the question has {len(images)} images, expected one part image_url")
    head, comma, content = images[0].partition(",")
    kind, *options = head.split(";")
    if not comma or not kind.lower().startswith("data:image/") or options[-1:] != ["base64"]:
        raise RefusedError(400, "image_url is not data:image/...;base64,...; nothing is fetched from elsewhere")
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise RefusedError(400, "image_url is not valid base64") from None


def chat_answer(model: str, text: str) -> dict[str, Any]:
    """A whole answer."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {**_head(model, "chat.completion"), "choices": [choice]}


def chat_stream(model: str, text: str) -> Iterator[str]:
    """The same answer as server-sent events."""
    head = _head(model, "chat.completion.chunk")
    for delta, ended in (({"role": "assistant", "content": text}, None), ({}, "stop")):
        yield f"data: {json.dumps({**head, 'choices': [{'index': 0, 'delta': delta, 'finish_reason': ended}]})}\n\n"
    yield "data: [DONE]\n\n"


def _head(model: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{uuid4().hex}", "object": kind, "created": int(time.time()), "model": model}


async def _answer_error(request: Request, error: Exception) -> Response:
    match error:
        case RefusedError():
            refused = error
        case HTTPException():
            refused = RefusedError(error.status_code, str(error.detail), error.headers)
        case RequestValidationError():
            # The message does not repeat the input, which may be as large as an image.
            said = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()[:3])
            refused = RefusedError(400, said)
        case _:
            refused = RefusedError(500, "the worker failed; its log says why")
    return refusal(request.url.path, refused)


_ERRORS: Final[tuple[Any, ...]] = (RefusedError, HTTPException, RequestValidationError, Exception)


def make_app(name: str, readers: Readers, token: str, on_opened: Callable[[], None]) -> FastAPI:
    """Make the application; `on_opened` is called when the engine is loaded or has failed to load."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async def open_readers() -> None:
            await readers.open()
            on_opened()

        opening = asyncio.create_task(open_readers())
        try:
            yield
        finally:
            opening.cancel()
            await asyncio.to_thread(readers.close)

    # Once: computing versions takes so long that other questions would wait.
    versions = dict(readers.engine.versions())
    # Without documentation pages, which load scripts from elsewhere.
    handlers: dict[int | type[Exception], Any] = dict.fromkeys(_ERRORS, _answer_error)
    app = FastAPI(title=f"misread serve {name}", lifespan=lifespan, openapi_url=None, exception_handlers=handlers)
    app.add_middleware(Gate, readers=readers, token=token)

    @app.head("/health")
    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.head("/ready")
    @app.get("/ready")
    async def ready() -> Response:
        if readers.is_ready:
            return JSONResponse({"status": "ready"})
        return JSONResponse({"status": "loading"}, 503, headers={"Retry-After": "1"})

    @app.post("/ocr")
    async def ocr(file: UploadFile, request: Request) -> dict[str, str | float | None]:
        if file.content_type and not file.content_type.startswith(("image/", "application/octet-stream")):
            raise RefusedError(400, "the file is not said to be an image")
        reading = await readers.read(await file.read(), request.is_disconnected)
        return {"text": reading.text, "confidence": reading.confidence}

    @app.head("/v1/models")
    @app.get("/v1/models")
    async def models() -> dict[str, object]:
        entry = {"id": name, "object": "model", "created": 0, "owned_by": "misread"}
        return {"object": "list", "data": [{**entry, "versions": versions}]}

    @app.post("/v1/chat/completions")
    async def chat(question: ChatQuestion, request: Request) -> Response:
        if question.model != name:
            raise RefusedError(404, f"the model is not there; there is: {name}")
        reading = await readers.read(image_of(question), request.is_disconnected)
        text = reading.text or ""
        if question.stream:
            return StreamingResponse(chat_stream(name, text), media_type="text/event-stream")
        return JSONResponse(chat_answer(name, text))

    return app
