"""Running a study: samples, shares, and whether each claim holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.populations import Population, Sample
from calibration.studies import Line, Study

SEED = 1


@dataclass(frozen=True)
class Finding:
    """One line with its share."""

    line: Line
    share: float
    replications: int
    band: tuple[float, float]
    holds: bool


def run(study: Study, *, scale: float = 1.0, only: Sequence[str] = ()) -> list[Finding]:
    """Draw all samples of a study and look at each.

    Parameters
    ----------
    study : Study
        What to run.
    scale : float
        Times the replications of the study; bands widen as they should.
    only : sequence of str
        Names of lines; without any, all of them.

    Returns
    -------
    list of Finding
        Line by line. A sample depends on the seed, its population and its number alone, so that a line has the same
        share in whatever company it is run.
    """
    lines = [line for line in study.lines if not only or line.name in only]
    replications = max(1, round(scale * study.replications))
    counts = np.zeros(len(lines), dtype=np.int64)
    for number in range(replications):
        samples: dict[Population, Sample] = {}
        for place, line in enumerate(lines):
            if line.population not in samples:
                samples[line.population] = line.population.draw(np.random.default_rng([SEED, number]))
            counts[place] += line.outcome(samples[line.population])
    findings: list[Finding] = []
    for line, count in zip(lines, counts.tolist(), strict=True):
        share = count / replications
        before = findings[-1].share if findings else None
        band = line.claim.band(replications)
        findings.append(Finding(line, share, replications, band, line.claim.holds(share, replications, before)))
    return findings
