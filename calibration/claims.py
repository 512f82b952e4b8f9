"""What a study promises, and the bands in which chance leaves a promise that is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import scipy.stats

CERTAINTY = 0.999


@dataclass(frozen=True)
class Claim:
    """How often something should happen.

    Attributes
    ----------
    kind : {"is", "at_most", "at_least", "below", "above", "near", "grows"}
        "is": the share, up to chance on both sides. "at_most": up to chance above it, for tests that are exact and
        so may be cautious. "at_least": up to chance below it, for intervals that may be wider than they had to.
        "below" and "above": the bare limit. "near": .05 off at most. "grows": above the share of the line before.
    share : float
        The share or limit.
    """

    kind: Literal["is", "at_most", "at_least", "below", "above", "near", "grows"]
    share: float = 0.0

    def band(self, replications: int) -> tuple[float, float]:
        """Where the observed share may lie."""
        low, high = binomial_band(self.share, replications)
        return {
            "is": (low, high),
            "at_most": (0.0, high),
            "at_least": (low, 1.0),
            "below": (0.0, self.share),
            "above": (self.share, 1.0),
            "near": (self.share - 0.05, self.share + 0.05),
            "grows": (0.0, 1.0),
        }[self.kind]

    def holds(self, share: float, replications: int, before: float | None) -> bool:
        """Whether the observed share is as claimed; `before` is that of the line before."""
        low, high = self.band(replications)
        return low <= share <= high and not (self.kind == "grows" and before is not None and share <= before)


def binomial_band(share: float, replications: int) -> tuple[float, float]:
    """Where the observed share lies in 99.9 % of all studies; half of the rest on either side."""
    tail = (1 - CERTAINTY) / 2
    low, high = (float(scipy.stats.binom.ppf(at, replications, share)) for at in (tail, 1 - tail))
    return low / replications, high / replications
