"""Claims of a study, and the bands in which the observed share of a true claim lies."""

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
        "is": the share, with a margin for chance on both sides. "at_most": with one above it only, for exact tests,
        which may be conservative. "at_least": with one below it only, for intervals that may be too wide. "below" and
        "above": the limit without a margin. "near": within .05. "grows": above the share of the line before.
    share : float
        The share or limit.
    """

    kind: Literal["is", "at_most", "at_least", "below", "above", "near", "grows"]
    share: float = 0.0

    def band(self, replications: int) -> tuple[float, float]:
        """Range in which the observed share may lie."""
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
    """Range of the observed share in 99.9 % of all studies, with equal tails."""
    tail = (1 - CERTAINTY) / 2
    low, high = (float(scipy.stats.binom.ppf(at, replications, share)) for at in (tail, 1 - tail))
    return low / replications, high / replications
