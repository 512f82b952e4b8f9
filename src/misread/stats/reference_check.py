"""What systems that agree with each other say of the references."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from misread.stats.results import ConfidenceInterval


@dataclass(frozen=True, kw_only=True)
class DisputedPlace:
    """A word of a reference, or none, that most systems read in another way, all in the same one."""

    reference: str  # empty where they read more than there is
    reading: str  # empty where they read nothing
    systems: tuple[str, ...]  # those that read so


@dataclass(frozen=True, kw_only=True)
class Suspect:
    """A segment whose reference is suspect."""

    segment_id: str
    cluster: str | None
    reference: str
    proposal: str  # the reference as most systems read it
    places: tuple[DisputedPlace, ...]
    explained: Mapping[str, int]  # by system: errors fewer if the proposal were right; below 0 for one that disagrees

    @property
    def total(self) -> int:
        """Errors of all systems that it would explain."""
        return sum(self.explained.values())


@dataclass(frozen=True, kw_only=True)
class RepeatedErrors:
    """How often a system reads as the reference does, where most of the other systems agree against it."""

    repeats: int
    places: int
    share: float | None  # None without a place
    interval: ConfidenceInterval | None  # by cluster; None with places in fewer than two of them
    errors: int  # of the system on all segments
    explained: int  # of these, by suspect references


@dataclass(frozen=True, kw_only=True)
class ReferenceCheck:
    """What systems say of the references they were scored against."""

    metric: str
    segments: int
    left_out: int  # segments that some system has no hypothesis for
    unit: str  # what intervals treat as independent
    suspects: tuple[Suspect, ...]  # those that explain most errors first
    systems: Mapping[str, RepeatedErrors]
    signature: str
