"""What an engine is: settings that open a reader, and a reader that turns one source into text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from misread.errors import MisreadError
from misread.records import Source


class UnreadableSourceError(MisreadError):
    """One source that cannot be read; becomes the reason of that segment, the others go on."""


class Reader(Protocol):
    """An engine made ready; used by one thread."""

    def read(self, source: Source) -> str:
        """Turn one source into text, exactly as the engine gives it."""

    def close(self) -> None:
        """Give back memory and handles."""


@runtime_checkable
class Engine(Protocol):
    """Settings of one engine; cheap to make, nothing is loaded before `open`."""

    @property
    def reads(self) -> frozenset[str]:
        """Kinds of source it can read, in the words of `Dataset.offers`."""

    @property
    def revision(self) -> int:
        """Goes up when the adapter changes meaning, so that captures are made again."""

    def versions(self) -> Mapping[str, str]:
        """Versions of what does the reading; they go into every capture."""

    def open(self) -> Reader:
        """Load the engine.

        Raises
        ------
        MissingDependencyError
            If its package is not installed; names the line that installs it.
        """
