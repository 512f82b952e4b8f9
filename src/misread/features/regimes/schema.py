"""Rates, ranks and verdicts under regimes as frozen records, written as JSON and read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from misread.stats.compare.schema import Verdict
from misread.stats.results import ConfidenceInterval


@dataclass(frozen=True, kw_only=True)
class SystemScore:
    """One system under one regime."""

    rate: float | None
    interval: ConfidenceInterval | None
    rank: int | None  # equal rates share a rank; None without a rate


@dataclass(frozen=True, kw_only=True)
class PairVerdict:
    """What can be said of a system against another under one regime."""

    baseline: str
    system: str
    difference: float
    pvalue: float  # adjusted over the pairs
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class RegimeScore:
    """All systems by one rate and one average of a regime."""

    regime: str
    version: int
    rate: str  # its id, such as "cer"
    unit: str  # what it counts: "characters", "words", or the id of a metric that counts neither
    average: str
    segments: int  # rows that were averaged: segments, clusters or joined texts
    excluded: int  # segments that the regime leaves out
    systems: Mapping[str, SystemScore]
    pairs: tuple[PairVerdict, ...]
    signature: str

    @property
    def best(self) -> list[str]:
        """Systems of rank 1; several if their rates are equal."""
        return [system for system, of in self.systems.items() if of.rank == 1]


@dataclass(frozen=True, kw_only=True)
class RegimesResult:
    """All systems on one data set under every regime, in the order in which regimes were chosen."""

    dataset: str
    scores: tuple[RegimeScore, ...] = ()
    not_applied: Mapping[str, str] = field(default_factory=dict)  # reasons by regime
