"""Outputs of a system that was run elsewhere, as recorded in a data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from misread.engines.base import UnreadableSourceError
from misread.errors import ConfigurationError
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
        Name of the outputs in the data set, where it is not the id; `{run}` in it stands for the number of the run,
        from 1 to the setting `runs` of the system.
    """

    id: str
    engine: Mapping[str, str] = field(default_factory=dict)
    revision: int = 1
    name: str | None = None

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({f"recorded:{name_of_run(self._name, 1)}"})

    def versions(self) -> Mapping[str, str]:
        """Facts on the system, from the settings."""
        return dict(self.engine)

    def open(self) -> RecordedReader:
        """Make the reader."""
        return RecordedReader(self)

    def output(self, run: int) -> str:
        """Name of the outputs of a run in the data set."""
        name = name_of_run(self._name, run)
        if run > 1 and name == self._name:
            # The same text again would look like a system that never varies.
            raise ConfigurationError(
                f"there is one recorded output of {self._name!r}, and `runs` of the system asks for more: name the "
                "outputs of each run, as in name: run{run}."
            )
        return name

    @property
    def _name(self) -> str:
        return self.name or self.id


def name_of_run(name: str, run: int) -> str:
    """Name of the outputs of one run."""
    return name.replace("{run}", str(run))


def why_not_recorded(name: str) -> str:
    """Reason of a segment without an output."""
    return f"the data set recorded no output of {name!r} for this segment"


@dataclass(frozen=True)
class RecordedReader:
    """Looks outputs up."""

    engine: Recorded

    def read(self, source: Source) -> str:
        """Output recorded for this segment; it may be empty."""
        name = self.engine.output(source.run)
        text = source.recorded.get(name)
        if text is None:
            raise UnreadableSourceError(why_not_recorded(name))
        return text

    def close(self) -> None:
        """Nothing was opened."""
