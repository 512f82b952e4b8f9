"""Answers that say why a question is not answered, in the form of its contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.responses import JSONResponse

CHAT: Final = "/v1/"
"""Where the paths begin whose errors are objects as in OpenAI's API."""


class RefusedError(Exception):
    """A question that is not answered: status, reason in one line, and headers of the answer."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.headers = headers


def refusal(path: str, error: RefusedError) -> JSONResponse:
    """The answer at this path."""
    content: dict[str, object] = {"detail": error.reason}
    if path.startswith(CHAT):
        kind = "invalid_request_error" if error.status < 500 else "server_error"
        content = {"error": {"message": error.reason, "type": kind, "param": None, "code": error.status}}
    return JSONResponse(content, error.status, headers=error.headers)
