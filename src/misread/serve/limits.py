"""Limits of a worker, and the answers to questions that it refuses."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.responses import JSONResponse

from misread.errors import ConfigurationError

_MOST_PIXELS = 89_478_485


@dataclass(frozen=True, kw_only=True)
class WorkerLimits:
    """Limits of a worker.

    Parameters
    ----------
    processes : int
        How many images are read at the same time.
    waiting : int
        How many more questions may wait; the next one is told to come back later.
    timeout : float
        Seconds after which reading an image, sending one, or receiving an answer is stopped.
    max_bytes : int
        Largest question, in bytes.
    max_pixels : int
        Largest image, at most 89,478,485, above which Pillow treats an image as an attack.
    patience : float
        Seconds that open questions may still take when the worker is told to end.

    Raises
    ------
    ConfigurationError
        If a number is too small or too large.
    """

    processes: int = 1
    waiting: int = 16
    timeout: float = 120.0
    max_bytes: int = 20_000_000
    max_pixels: int = 50_000_000
    patience: float = 30.0

    def __post_init__(self) -> None:
        for name in ("processes", "timeout", "max_bytes", "max_pixels"):
            if not getattr(self, name) > 0:
                raise ConfigurationError(f"{name} of the worker is {getattr(self, name)}, expected more than 0.")
        for name in ("waiting", "patience"):
            if not getattr(self, name) >= 0:
                raise ConfigurationError(f"{name} of the worker is {getattr(self, name)}, expected 0 or more.")
        if self.max_pixels > _MOST_PIXELS:
            raise ConfigurationError(
                f"max_pixels of the worker is {self.max_pixels:,}, expected {_MOST_PIXELS:,} at most."
            )


CHAT: Final = "/v1/"
"""Prefix of the paths whose errors are objects as in OpenAI's API."""


class RefusedError(Exception):
    """A refused question: status, reason in one line, and headers of the response."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.headers = headers


def refusal(path: str, error: RefusedError) -> JSONResponse:
    """The response at this path."""
    content: dict[str, object] = {"detail": error.reason}
    if path.startswith(CHAT):
        kind = "invalid_request_error" if error.status < 500 else "server_error"
        content = {"error": {"message": error.reason, "type": kind, "param": None, "code": error.status}}
    return JSONResponse(content, error.status, headers=error.headers)
