"""The application of a worker: `/ocr`, and OpenAI's chat API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.exceptions import HTTPException

from misread.serve.chat import ChatQuestion, chat_answer, chat_stream, image_of
from misread.serve.gate import Gate
from misread.serve.readers import Readers
from misread.serve.refusals import RefusedError, refusal


def make_app(name: str, readers: Readers, token: str, on_opened: Callable[[], None]) -> FastAPI:
    """Make the application; `on_opened` is called when the engine is loaded or cannot be."""

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

    # Once: they take so long that other questions would wait.
    versions = dict(readers.engine.versions())
    # Without pages about itself: they load scripts from elsewhere.
    app = FastAPI(title=f"misread serve {name}", lifespan=lifespan, openapi_url=None)
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

    @app.exception_handler(RefusedError)
    async def refused(request: Request, error: RefusedError) -> Response:
        return refusal(request.url.path, error)

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:
        return refusal(request.url.path, RefusedError(error.status_code, str(error.detail), error.headers))

    @app.exception_handler(RequestValidationError)
    async def wrong(request: Request, error: RequestValidationError) -> Response:
        # What was sent is not repeated: it may be as large as an image.
        said = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:3])
        return refusal(request.url.path, RefusedError(400, said))

    @app.exception_handler(Exception)
    async def broken(request: Request, _: Exception) -> Response:
        return refusal(request.url.path, RefusedError(500, "the worker failed; its log says why"))

    return app
