"""Decisions that somebody has made already, in a file of a data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from misread.engines.base import Judge
from misread.errors import ConfigurationError


@dataclass(frozen=True, kw_only=True)
class RecordedDecisions(Judge):
    """A judge who is not asked: a file of decisions in the folder of each data set, as `misread judge` writes them.

    Parameters
    ----------
    file : str
        Its path below `data/DATASET`, so that a change of it is noticed.

    Raises
    ------
    ConfigurationError
        If the path leads out of that folder.
    """

    file: str

    def __post_init__(self) -> None:
        path = PurePosixPath(self.file)
        if not self.file or path.is_absolute() or ".." in path.parts:
            raise ConfigurationError(
                f"file is {self.file!r}, expected a path below the folder data/DATASET of each data set, such as "
                "anna.jsonl."
            )

    def versions(self) -> Mapping[str, str]:
        """Nothing beside what the file says."""
        return {}
