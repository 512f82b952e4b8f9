"""Claims, and the runner of studies: samples, shares, and whether each claim holds."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.stats
from numpy.typing import NDArray

from tools.calibrate.outcomes import Coverage, Outcome

SEED = 1
_BULK = 250
"""Samples that are drawn at once; more would need too much memory."""

Batch = dict[str, NDArray[Any]]
"""What became of many samples: `share`, whether it is as claimed, and figures of the table.

Of booleans the table has the mean, of numbers the median, of pairs of errors the ratio of their mean squares, and of
several targets, shape (samples, targets, ...), the least of these.
"""


@dataclass(frozen=True)
class Claim:
    """How often something should happen, at least and at most."""

    low: float = 0.0
    high: float = 1.0
    has_margin: bool = False  # for chance, or limits are those of the observed share

    def band(self, replications: int) -> tuple[float, float]:
        """Range in which the observed share may lie; a margin has it in 99.9 % of all studies, with equal tails."""
        if not self.has_margin:
            return self.low, self.high
        low, high = scipy.stats.binom.ppf((0.0005, 0.9995), replications, (self.low, self.high)) / replications
        return float(low), float(high)

    def holds(self, share: float, replications: int) -> bool:
        """Whether the observed share is as claimed."""
        low, high = self.band(replications)
        return low <= share <= high


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
    make_lines: Callable[[], Iterable[Line]]
    is_in_bulk: bool = False  # whether populations draw many samples at once, and outcomes are batches

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Lines of the table, made when first asked for: what is known of some populations takes a large sample."""
        return tuple(self.make_lines())


@dataclass(frozen=True)
class Finding:
    """One line with its share of rejections, or of intervals that cover."""

    line: Line
    share: float
    replications: int
    band: tuple[float, float]
    holds: bool
    figures: Mapping[str, float]  # by the titles of their columns; NaN where there is nothing to tell


def figures_of(share: float, intervals: Sequence[Coverage], samples: int) -> dict[str, float]:
    """The share alone; of intervals also where they miss the truth, and how many samples have none.

    Where widths are compared with those of plain intervals: median and 90th percentile over those of the plain ones,
    the share with a warning that one unit weighs far more than the others, and the shares that cover with and without.
    """
    if not intervals:
        return {"share": share}
    below, above, widths, plain, is_warned = map(np.array, zip(*intervals, strict=True))
    figures = {
        "covers": share,
        "truth below": float(below.mean()),
        "truth above": float(above.mean()),
        "none": 1 - len(intervals) / samples,
    }
    # A sample without an error has a plain interval without width.
    if (is_compared := plain > 0).any():
        median, far = np.quantile(widths[is_compared], [0.5, 0.9]) / np.quantile(plain[is_compared], [0.5, 0.9])
        figures |= {"median": float(median), "90 %": float(far), "warned": float(is_warned.mean())}
        for title, rows in (("covers if", is_warned), ("if not", ~is_warned)):
            figures[title] = float((~(below | above))[rows].mean()) if rows.any() else math.nan
    return figures


def run(study: Study, *, scale: float = 1.0, only: Sequence[str] = ()) -> list[Finding]:
    """Draw all samples of a study and evaluate its lines, or those named in `only`.

    `scale` multiplies the replications, and bands widen accordingly. A sample depends only on the seed, its population
    and its number, so a line has the same share whichever other lines are run.
    """
    lines = [line for line in study.lines if not only or line.name in only]
    replications = max(1, round(scale * study.replications))
    if study.is_in_bulk:
        return [_run_in_bulk(line, replications) for line in lines]
    results: list[list[bool | Coverage | None]] = [[] for _ in lines]
    for number in range(replications):
        samples: dict[Any, Any] = {}
        for line, outcomes in zip(lines, results, strict=True):
            if line.population not in samples:
                samples[line.population] = line.population.draw(np.random.default_rng([SEED, number]))
            outcomes.append(line.outcome(samples[line.population]))
    findings: list[Finding] = []
    for line, outcomes in zip(lines, results, strict=True):
        intervals = [outcome for outcome in outcomes if isinstance(outcome, Coverage)]
        is_so = [not (interval.below or interval.above) for interval in intervals] if intervals else outcomes
        share = sum(map(bool, is_so)) / len(is_so)
        holds = line.claim.holds(share, len(is_so))
        figures = figures_of(share, intervals, replications)
        if line.widest:
            holds = holds and figures.get("median", 0) <= line.widest[0] and figures.get("90 %", 0) <= line.widest[1]
        findings.append(Finding(line, share, len(is_so), line.claim.band(len(is_so)), holds, figures))
    return findings


def _run_in_bulk(line: Line, replications: int) -> Finding:
    """Draw all samples of a line, a few hundred at once."""
    rng = np.random.default_rng(SEED)
    batches: list[Batch] = []
    for start in range(0, replications, _BULK):
        samples = line.population.draw_many(rng, min(_BULK, replications - start))
        batches.append(line.outcome(samples))  # type: ignore[arg-type]
    columns = {title: np.ma.concatenate([batch[title] for batch in batches]) for title in batches[0]}
    figures = {title: _figure(values) for title, values in columns.items()}
    share = figures["share"]
    band = line.claim.band(replications)
    return Finding(line, share, replications, band, line.claim.holds(share, replications), figures)


def _figure(values: NDArray[Any]) -> float:
    if values.ndim == 3:
        squares = (values**2).mean(axis=0)
        return float((squares[:, 0] / squares[:, 1]).min())
    return float(
        np.ma.filled(values.mean(axis=0).min(), np.nan) if values.dtype == np.bool_ else np.median(values.data)
    )
