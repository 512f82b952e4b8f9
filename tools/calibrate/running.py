"""Runner of studies: samples, shares, and whether each claim holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tools.calibrate.outcomes import Coverage
from tools.calibrate.studies import Line, Study

SEED = 1


@dataclass(frozen=True)
class Misses:
    """Shares of a line's intervals with the truth below and above them, and their mean width.

    Attributes
    ----------
    none : float
        Share of the samples that have no interval.
    median, far : float
        Median and 90th percentile of the widths, each over that of the plain interval; 0 where nothing is compared.
    warned : float
        Share of the intervals with a warning that one unit weighs far more than the others.
    if_warned, if_not : float
        Shares that cover with and without that warning; NaN where there are none.
    """

    below: float
    above: float
    width: float
    none: float
    median: float
    far: float
    warned: float
    if_warned: float
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
    seen: list[list[bool | Coverage | None]] = [[] for _ in lines]
    for number in range(replications):
        samples: dict[Any, Any] = {}
        for line, of_line in zip(lines, seen, strict=True):
            if line.population not in samples:
                samples[line.population] = line.population.draw(np.random.default_rng([SEED, number]))
            of_line.append(line.outcome(samples[line.population]))
    findings: list[Finding] = []
    for line, of_line in zip(lines, seen, strict=True):
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
