"""Interfaces of engines: settings that open a reader, and a reader that turns a source into text."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from misread.errors import MisreadError
from misread.records import Source


class UnreadableSourceError(MisreadError):
    """A source that cannot be read; it becomes the reason of that segment, and the others continue."""


class Reader(Protocol):
    """An opened engine, used by one thread."""

    def read(self, source: Source) -> str:
        """Turn one source into text, exactly as the engine returns it."""

    def close(self) -> None:
        """Free memory and handles."""


@runtime_checkable
class Engine(Protocol):
    """Settings of one engine; cheap to create, because nothing is loaded before `open`."""

    @property
    def reads(self) -> frozenset[str]:
        """Kinds of source it can read, as in `Dataset.offers`."""

    @property
    def revision(self) -> int:
        """Increased when the adapter's output changes, so that captures are made again."""

    def versions(self) -> Mapping[str, str]:
        """Versions of the software that reads; stored in every capture."""

    def open(self) -> Reader:
        """Load the engine.

        Raises
        ------
        MissingDependencyError
            If its package is not installed; names the line that installs it.
        """
