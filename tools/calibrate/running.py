"""Claims, and the runner of studies: samples, shares, and whether each claim holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.stats

from tools.calibrate.outcomes import Coverage, Outcome

SEED = 1


@dataclass(frozen=True)
class Claim:
    """How often something should happen.

    "is": the share, with a margin for chance on both sides. "at_most": with one above it only, for exact tests, which
    may be conservative. "at_least": with one below it only, for intervals that may be too wide. "below" and "above":
    the limit without a margin. "near": within .05. "grows": above the share of the line before.
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
    low, high = (float(scipy.stats.binom.ppf(at, replications, share)) for at in (0.0005, 0.9995))
    return low / replications, high / replications


@dataclass(frozen=True)
class Line:
    """One line of a study's table."""

    name: str
    population: Any  # draws a sample from a generator, and can be a key
    outcome: Outcome
    claim: Claim
    widest: tuple[float, float] | None = None  # limits of the median and the 90th percentile of widths, over the plain


@dataclass(frozen=True)
class Study:
    """A section of the page, the number of samples drawn for it, and the lines of its table."""

    id: str
    replications: int
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Misses:
    """Shares of a line's intervals with the truth below and above them, and their mean width."""

    below: float
    above: float
    width: float
    none: float  # share of the samples that have no interval
    median: float  # of the widths, over that of the plain interval; 0 where nothing is compared
    far: float  # the same of the 90th percentile
    warned: float  # share of the intervals with a warning that one unit weighs far more than the others
    if_warned: float  # share that covers with that warning; NaN where there are none
    if_not: float

    @classmethod
    def of(cls, intervals: Sequence[Coverage], samples: int) -> Misses:
        """Gather the intervals of so many samples."""
        below, above, widths, plain, is_warned = map(np.array, zip(*intervals, strict=True))
        covers = ~(below | above)
        # A sample without an error has a plain interval without width.
        compared, beside = widths[plain > 0], plain[plain > 0]
        is_compared = len(beside) > 0
        return cls(
            below=float(below.mean()),
            above=float(above.mean()),
            width=float(widths.mean()),
            none=1 - len(intervals) / samples,
            median=float(np.median(compared) / np.median(beside)) if is_compared else 0.0,
            far=float(np.quantile(compared, 0.9) / np.quantile(beside, 0.9)) if is_compared else 0.0,
            warned=float(is_warned.mean()),
            if_warned=float(covers[is_warned].mean()) if is_warned.any() else math.nan,
            if_not=float(covers[~is_warned].mean()) if not is_warned.all() else math.nan,
        )


@dataclass(frozen=True)
class Finding:
    """One line with its share of rejections, or of intervals that cover."""

    line: Line
    share: float
    replications: int
    band: tuple[float, float]
    holds: bool
    misses: Misses | None = None


def run(study: Study, *, scale: float = 1.0, only: Sequence[str] = ()) -> list[Finding]:
    """Draw all samples of a study and evaluate its lines, or those named in `only`.

    `scale` multiplies the replications, and bands widen accordingly. A sample depends only on the seed, its population
    and its number, so a line has the same share whichever other lines are run.
    """
    lines = [line for line in study.lines if not only or line.name in only]
    replications = max(1, round(scale * study.replications))
    outcomes: list[list[bool | Coverage | None]] = [[] for _ in lines]
    for number in range(replications):
        samples: dict[Any, Any] = {}
        for line, of_line in zip(lines, outcomes, strict=True):
            if line.population not in samples:
                samples[line.population] = line.population.draw(np.random.default_rng([SEED, number]))
            of_line.append(line.outcome(samples[line.population]))
    findings: list[Finding] = []
    for line, of_line in zip(lines, outcomes, strict=True):
        intervals = [outcome for outcome in of_line if isinstance(outcome, Coverage)]
        misses = Misses.of(intervals, replications) if intervals else None
        is_so = [not (interval.below or interval.above) for interval in intervals] if intervals else of_line
        share = sum(map(bool, is_so)) / len(is_so)
        before = findings[-1].share if findings else None
        holds = line.claim.holds(share, len(is_so), before)
        if misses and line.widest:
            holds = holds and misses.median <= line.widest[0] and misses.far <= line.widest[1]
        findings.append(Finding(line, share, len(is_so), line.claim.band(len(is_so)), holds, misses))
    return findings
