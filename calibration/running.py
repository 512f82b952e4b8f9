"""Runner of studies: samples, shares, and whether each claim holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.outcomes import Coverage
from calibration.studies import Line, Study

SEED = 1


@dataclass(frozen=True)
class Misses:
    """Shares of a line's intervals with the truth below and above them, and their mean width."""

    below: float
    above: float
    width: float


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
    seen: list[list[bool | Coverage]] = [[] for _ in lines]
    for number in range(replications):
        samples: dict[Any, Any] = {}
        for line, of_line in zip(lines, seen, strict=True):
            if line.population not in samples:
                samples[line.population] = line.population.draw(np.random.default_rng([SEED, number]))
            of_line.append(line.outcome(samples[line.population]))
    findings: list[Finding] = []
    for line, of_line in zip(lines, seen, strict=True):
        intervals = [each for each in of_line if isinstance(each, Coverage)]
        misses = Misses(*map(float, np.mean(intervals, axis=0))) if intervals else None
        is_so = [not (each.below or each.above) for each in intervals] if intervals else of_line
        share = sum(map(bool, is_so)) / replications
        before = findings[-1].share if findings else None
        band = line.claim.band(replications)
        holds = line.claim.holds(share, replications, before)
        findings.append(Finding(line, share, replications, band, holds, misses))
    return findings
