"""Outputs of a system that was run elsewhere, as recorded in a data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from misread.engines.base import UnreadableSourceError
from misread.records import Source


@dataclass(frozen=True)
class Recorded:
    """Passes on the outputs that a data set recorded of a system.

    Parameters
    ----------
    id : str
        Id of the system.
    engine : mapping of str to str
        Facts on the system that made them (engine, version), stored in the capture.
    revision : int
        Revision of these outputs.
    name : str, optional
        Name of the outputs in the data set, where it is not the id.
    """

    id: str
    engine: Mapping[str, str] = field(default_factory=dict)
    revision: int = 1
    name: str | None = None

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({f"recorded:{self._name}"})

    def versions(self) -> Mapping[str, str]:
        """Facts on the system, from the settings."""
        return dict(self.engine)

    def open(self) -> RecordedReader:
        """Make the reader."""
        return RecordedReader(self._name)

    @property
    def _name(self) -> str:
        return self.name or self.id


@dataclass(frozen=True)
class RecordedReader:
    """Looks outputs up."""

    name: str

    def read(self, source: Source) -> str:
        """Output recorded for this segment; it may be empty."""
        text = source.recorded.get(self.name)
        if text is None:
            raise UnreadableSourceError(f"the data set recorded no output of {self.name!r} for this segment")
        return text

    def close(self) -> None:
        """Nothing was opened."""
