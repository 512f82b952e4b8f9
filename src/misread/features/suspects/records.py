"""Check of references by systems that agree with each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from misread.provenance.signature import Signature
from misread.stats.results import ConfidenceInterval


@dataclass(frozen=True, kw_only=True)
class DisputedPlace:
    """A word of a reference, or none, that most systems read in the same other way."""

    reference: str  # empty for an insertion
    reading: str  # empty for a deletion
    systems: tuple[str, ...]  # with this reading


@dataclass(frozen=True, kw_only=True)
class Suspect:
    """A segment whose reference is suspect."""

    segment_id: str
    cluster: str | None
    reference: str
    proposal: str  # the reference as most systems read it
    places: tuple[DisputedPlace, ...]
    explained: Mapping[str, int]  # by system: errors fewer if the proposal is right; negative if it disagrees

    @property
    def total(self) -> int:
        """Errors of all systems that the proposal would explain."""
        return sum(self.explained.values())


@dataclass(frozen=True, kw_only=True)
class RepeatedErrors:
    """How often a system repeats the reference where most other systems agree on another reading."""

    repeats: int
    places: int
    share: float | None  # None without such a word
    interval: ConfidenceInterval | None  # by cluster; None with such words in fewer than two clusters
    errors: int  # of the system on all segments
    explained: int  # of these, explained by suspect references


@dataclass(frozen=True, kw_only=True)
class ReferenceCheck:
    """Suspect references, according to the systems that were scored against them."""

    metric: str
    segments: int
    left_out: int  # segments without a hypothesis of some system
    unit: str  # what intervals treat as independent
    suspects: tuple[Suspect, ...]  # those that explain the most errors come first
    systems: Mapping[str, RepeatedErrors]
    signature: Signature
