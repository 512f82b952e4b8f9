"""Processes of an engine that read the images of questions."""

import asyncio
import logging
import math
import queue
import tempfile
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from misread.data.segment_table import Source
from misread.engines.base import Engine, Reading, UnreadableSourceError
from misread.engines.child import ChildReader
from misread.engines.loading import load_image
from misread.errors import MisreadError
from misread.io.image_files import open_image
from misread.serve.limits import RefusedError, WorkerLimits

_IMAGE = "the image"
_LONGEST_WAIT = 60
_log = logging.getLogger(__name__)


@dataclass
class Readers:
    """Reads images in as many processes as `limits` allows; reasons of failures go to the log.

    An image that crashes its process or takes too long fails without affecting others.
    """

    engine: Engine
    limits: WorkerLimits
    failure: MisreadError | None = field(default=None, init=False)  # why the engine cannot be opened
    is_ready: bool = field(default=False, init=False)
    admitted: int = field(default=0, init=False)  # questions being read or waiting
    held_bytes: int = field(default=0, init=False)  # of these, and of questions that are still being sent
    _seconds: float = field(default=1.0, init=False)  # duration of the last reading
    _idle: queue.SimpleQueue[ChildReader] = field(default_factory=queue.SimpleQueue, init=False)
    _opened: list[ChildReader] = field(default_factory=list, init=False)
    _closing: threading.Lock = field(default_factory=threading.Lock, init=False)
    _is_closed: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.limits.processes)
        self._free = asyncio.Semaphore(self.limits.processes)
        self._folder = tempfile.TemporaryDirectory(prefix="misread-serve-")

    @property
    def is_full(self) -> bool:
        """Whether no more questions may wait."""
        return self.admitted >= self._most

    @property
    def hold_too_much(self) -> bool:
        """Whether questions, with those that are being sent, take more memory than the largest of all that may wait."""
        return self.held_bytes > self._most * self.limits.max_bytes

    @property
    def _most(self) -> int:
        return self.limits.processes + self.limits.waiting

    @property
    def seconds_to_wait(self) -> int:
        """Estimate when a slot will be free, from the time of the last image."""
        return max(1, min(_LONGEST_WAIT, math.ceil(self._seconds * self.admitted / self.limits.processes)))

    async def open(self) -> None:
        """Load the engine in every process; `failure` says why it could not be loaded."""
        loop = asyncio.get_running_loop()
        try:
            await asyncio.gather(
                *(loop.run_in_executor(self._pool, self._open_one) for _ in range(self.limits.processes))
            )
        except MisreadError as error:
            self.failure = error
        else:
            self.is_ready = True

    async def read(self, content: bytes, is_gone: Callable[[], Awaitable[bool]]) -> Reading:
        """Text of an image.

        Raises RefusedError if the image cannot be read or is too large, or the engine fails.
        """
        async with self._free:
            if await is_gone():
                raise RefusedError(499, "nobody waits for the answer")
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._read, content)

    def close(self) -> None:
        """End all processes, even during a reading."""
        with self._closing:
            self._is_closed = True
        for reader in self._opened:
            reader.close()
        self._pool.shutdown(cancel_futures=True)
        self._folder.cleanup()

    def _open_one(self) -> None:
        from PIL import Image

        with self._closing:
            if self._is_closed:
                return
            reader = ChildReader(self.engine, self.limits.timeout)
            self._opened.append(reader)
        path = self._new_path()
        # Load now what would be loaded at the first image.
        Image.new("L", (64, 64), 255).save(path, "PNG")
        (reading,) = reader.read([Source("first", path)])
        if reading.reason is not None and not self._is_closed:
            raise MisreadError(f"the engine fails at white paper: {reading.reason}.")
        self._idle.put(reader)

    def _read(self, content: bytes) -> Reading:
        path = self._new_path()
        reader = self._idle.get()
        try:
            path.write_bytes(content)
            require_image(path, self.limits.max_pixels)
            (reading,) = reader.read([Source("question", path)])
        except MisreadError as error:
            _log.error("the engine is not there any more: %s", error)
            raise RefusedError(503, "the engine cannot be used now", {"Retry-After": "10"}) from None
        except OSError as error:
            _log.error("a temporary file cannot be written: %s", error.strerror)
            raise RefusedError(503, "the worker has no room for an image now", {"Retry-After": "10"}) from None
        finally:
            self._idle.put(reader)
            with suppress(FileNotFoundError):
                path.unlink()
        self._seconds = reading.latency_seconds
        if reading.reason is not None:
            _log.error("an image was not read: %s", reading.reason)
            raise RefusedError(422, "the engine could not read this image; the worker's log says why")
        return reading

    def _new_path(self) -> Path:
        return Path(self._folder.name) / uuid4().hex


def require_image(path: Path, most_pixels: int) -> None:
    """Raise RefusedError unless the file is a complete image within the limit of pixels; no reason names the file."""
    from PIL import Image

    try:
        with open_image(path) as image:
            pixels = image.width * image.height
    except Image.DecompressionBombError:
        raise RefusedError(413, f"{_IMAGE} has more than {most_pixels:,} pixels") from None
    except Exception:  # noqa: BLE001  the error is named below
        pixels = 0
    if pixels > most_pixels:
        raise RefusedError(413, f"{_IMAGE} has {pixels:,} pixels, more than {most_pixels:,}")
    try:
        load_image(Source("question", path))
    except UnreadableSourceError as error:
        raise RefusedError(400, str(error).replace(str(path), _IMAGE)) from None
