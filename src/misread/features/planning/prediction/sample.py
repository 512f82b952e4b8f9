"""What a random sample of clusters, of one stratum or of several, says of a score of those that were not drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from misread.errors import UndefinedResultError
from misread.stats.bootstrap.jackknife import (
    Estimate,
    acceleration,
    degrees_of_freedom,
    jackknife_deviation,
    jackknife_interval,
)
from misread.stats.results import ConfidenceInterval
from misread.types import FloatArray, IntArray


@dataclass(frozen=True)
class Stratum:
    """Clusters of one kind."""

    checked: int
    rest: float  # clusters that were not checked; infinite for very many
    deviation: float  # standard deviation of what one of its clusters adds to the score; 0 if nothing varies
    freedom: float  # degrees of freedom of the deviation

    def after(self, further: float) -> tuple[float, float]:
        """Clusters checked and left after checking some more."""
        return self.checked + further, self.rest - further


@dataclass(frozen=True)
class Sample:
    """A score of a sample, with what the clusters of each stratum add to its variance."""

    rate: float
    strata: Sequence[Stratum]
    skewness: float
    step: float

    def interval_of_rest(
        self, further: int, confidence: float, bounds: tuple[float, float]
    ) -> ConfidenceInterval | None:
        """Interval of the score of what is left after checking so many more clusters, in proportion to what is left.

        The variance is that of the sample plus that of the rest: s^2 (1 / n + 1 / m) for n checked and m left.
        """

        def share(checked: float, left: float) -> float:
            return 1 / checked + (1 / left if left > 0 else 0.0)

        return self._interval(share, further, confidence, bounds)

    def interval_of_all(
        self, further: int, confidence: float, bounds: tuple[float, float]
    ) -> ConfidenceInterval | None:
        """The same of all clusters, of which only those that are left are uncertain."""
        return self._interval(lambda checked, left: left / (checked + left) / checked, further, confidence, bounds)

    def _interval(
        self,
        share: Callable[[float, float], float],
        further: int,
        confidence: float,
        bounds: tuple[float, float],
    ) -> ConfidenceInterval | None:
        total = sum(stratum.rest for stratum in self.strata)
        variances, freedoms = [], []
        for stratum in self.strata:
            part = further if math.isinf(total) else further * stratum.rest / total
            checked, left = stratum.after(part)
            variances.append(stratum.deviation**2 * share(checked, left))
            freedoms.append(stratum.freedom * (checked - 1) / (stratum.checked - 1))
        variance = sum(variances)
        # Satterthwaite's, of a sum of independent variances.
        uncertainty = sum(part**2 / freedom for part, freedom in zip(variances, freedoms, strict=True))
        freedom = variance**2 / uncertainty if uncertainty > 0 else sum(freedoms)
        seen = sum(stratum.checked for stratum in self.strata)
        estimate = Estimate(
            self.rate,
            math.sqrt(variance),
            max(1.0, freedom),
            self.skewness * math.sqrt(seen / (seen + further)),
            step=self.step,
        )
        return jackknife_interval(estimate, confidence, lowest=bounds[0], highest=bounds[1])


def sample_of(
    counts: IntArray, rate: Callable[[IntArray], FloatArray], *, rest: int | None, sizes: IntArray, step: float
) -> Sample:
    """A sample of one stratum; `sizes` are the weights of its clusters."""
    without = rate(counts.sum(axis=0) - counts)
    observed = float(rate(counts.sum(axis=0)))
    _check_defined(observed, without)
    stratum = Stratum(
        checked=len(counts),
        rest=math.inf if rest is None else rest,
        deviation=jackknife_deviation(without) or 0.0,
        freedom=degrees_of_freedom(sizes),
    )
    return Sample(observed, [stratum], 6 * acceleration(without), step)


def stratified_sample(
    counts: IntArray,
    rate: Callable[[IntArray], FloatArray],
    *,
    strata: IntArray,
    rest: IntArray,
    sizes: IntArray,
    step: float,
    whole: bool,
) -> Sample:
    """A sample of several strata, for the score of the rest or, with `whole`, of all clusters.

    The combined ratio estimate: sums of counts are estimated stratum by stratum, as the mean of a checked cluster times
    the number of clusters, and the score is that of their total. What a cluster adds to the variance is found by
    leaving it out of its stratum.

    Cochran (1977), Sampling Techniques, sections 6.11 (combined ratio estimate) and 6.12; Wolter (2007), Introduction
    to Variance Estimation, section 4.5 (jackknife in strata).
    """
    checked = np.bincount(strata, minlength=len(rest))
    numbers = rest + checked if whole else rest
    sums = np.stack([counts[strata == stratum].sum(axis=0) for stratum in range(len(rest))])
    estimates = numbers[:, np.newaxis] * sums / checked[:, np.newaxis]
    observed = float(rate(estimates.sum(axis=0)))
    # The sum of the stratum of each cluster, without it, blown up to all clusters of the stratum.
    scale = (numbers / (checked - 1))[strata, np.newaxis]
    left_out = estimates.sum(axis=0) - estimates[strata] + scale * (sums[strata] - counts)
    without = rate(left_out)
    _check_defined(observed, without)
    parts = []
    influence = np.empty(len(counts))
    for stratum in range(len(rest)):
        rows = strata == stratum
        influence[rows] = (checked[stratum] - 1) * (without[rows].mean() - without[rows]) / checked[stratum]
        parts.append(
            Stratum(
                checked=int(checked[stratum]),
                rest=float(rest[stratum]),
                deviation=jackknife_deviation(without[rows]) or 0.0,
                freedom=degrees_of_freedom(sizes[rows]),
            )
        )
    squares = float(np.sum(influence**2))
    skewness = float(np.sum(influence**3)) / squares**1.5 if squares > 0 else 0.0
    return Sample(observed, parts, skewness, step)


def _check_defined(observed: float, without: FloatArray) -> None:
    if not (math.isfinite(observed) and np.isfinite(without).all()):
        raise UndefinedResultError("the score is undefined, or undefined without one cluster: references are empty.")
