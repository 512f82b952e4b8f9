"""Outputs of a system that was run elsewhere, as a data set brings them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from misread.engines.base import UnreadableSourceError
from misread.records import Source


@dataclass(frozen=True)
class Recorded:
    """Reads nothing: hands on what the data set recorded under a name.

    Parameters
    ----------
    name : str
        Under which the data set keeps the outputs.
    engine : mapping of str to str
        What is known of the system that made them (engine, version), for the record.
    revision : int
        Of these outputs.
    """

    name: str
    engine: Mapping[str, str] = field(default_factory=dict)
    revision: int = 1

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({f"recorded:{self.name}"})

    def versions(self) -> Mapping[str, str]:
        """What the settings say of the system."""
        return dict(self.engine)

    def open(self) -> RecordedReader:
        """Make the reader."""
        return RecordedReader(self.name)


@dataclass(frozen=True)
class RecordedReader:
    """Looks outputs up."""

    name: str

    def read(self, source: Source) -> str:
        """Output recorded for this segment; an empty one is an output too."""
        text = source.recorded.get(self.name)
        if text is None:
            raise UnreadableSourceError(f"the data set recorded no output of {self.name!r} for this segment")
        return text

    def close(self) -> None:
        """Nothing was opened."""
