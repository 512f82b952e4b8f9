"""Engines for tests of the capture itself. Processes of their own find them by this module's name."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from misread.data.segment_table import Source
from misread.engines import Answer, UnreadableSourceError
from misread.engines.loading import load_image
from misread.errors import MissingDependencyError


@dataclass
class Width:
    """Reads the width of an image, in threads of this process; remembers what it read, and fails where told to."""

    fails: Mapping[str, BaseException] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    reads: frozenset[str] = frozenset({"line_image"})
    revision: int = 1
    concurrency: int = 1
    before: Callable[[Source], object] = lambda _: None

    def versions(self) -> dict[str, str]:
        return {}

    def open(self) -> Width:
        return self

    def read(self, source: Source) -> str:
        self.before(source)
        self.done.append(source.segment_id)
        if source.segment_id in self.fails:
            raise self.fails[source.segment_id]
        return str(load_image(source).width)

    def close(self) -> None:
        pass


@dataclass
class Local:
    """Does what the id of a segment says, in a process of its own; writes the number of that process into a log."""

    log: Path
    reads: frozenset[str] = frozenset({"line_image"})
    revision: int = 1
    seconds: float = 0.0

    def versions(self) -> dict[str, str]:
        return {}

    def open(self) -> Local:
        self._note("open")
        return self

    def read(self, source: Source) -> str | Answer:
        self._note(source.segment_id)
        time.sleep(self.seconds)
        match source.segment_id.split("-")[0]:
            case "crash":
                os.kill(os.getpid(), 11)
            case "exit":
                os._exit(3)
            case "hang":
                time.sleep(60)
            case "raise":
                raise ValueError("out of luck")
            case "fatal":
                raise MissingDependencyError("engine Local needs luck.")
            case "number":
                return 5  # type: ignore[return-value]
            case "sure":
                return Answer("yes", raw="<b>yes</b>", confidence=0.75)
            case "large":
                return str(len(bytearray(50_000_000)))
        return source.segment_id

    def close(self) -> None:
        self._note("close")

    def _note(self, what: str) -> None:
        with self.log.open("a") as file:
            file.write(f"{os.getpid()} {what}\n")


@dataclass
class Together(Local):
    """The same for several segments at once, of which no more than `room` fit into its memory."""

    batch: int = 4
    room: int = 100

    def read_many(self, sources: Sequence[Source]) -> list[str | Answer | UnreadableSourceError]:
        self._note(f"batch of {len(sources)}")
        if len(sources) > self.room:
            raise MemoryError
        return [
            UnreadableSourceError("no image") if source.segment_id.startswith("bad") else Local.read(self, source)
            for source in sources
        ]

    def read(self, source: Source) -> str | Answer:
        (output,) = self.read_many([source])
        if isinstance(output, UnreadableSourceError):
            raise output
        return output


@dataclass
class Unopened(Local):
    """Cannot be opened."""

    error: type[Exception] = MissingDependencyError

    def open(self) -> Local:
        raise self.error("engine Unopened needs a key: look for it.")
