"""Bootstrap replicates of every metric: all systems and metrics on the same draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from misread.arrays import FloatArray
from misread.metrics import Metric
from misread.stats.intervals import bootstrap_interval
from misread.stats.resampling import bootstrap_sums, cluster_rows
from misread.stats.results import ConfidenceInterval
from misread.stats.settings import Statistics
from misread.stats.shared_segments import SharedSegments


@dataclass(frozen=True)
class Replicates:
    """Bootstrap replicates of one metric.

    Attributes
    ----------
    rates : mapping of system to float64 array, shape (resamples,)
        Empty where there was too little to draw from; `reason` says so.
    unit : str
        What was drawn: "segment" or the name of the clusters.
    n : int
        How many there are.
    reason : str
        Why there are no replicates.
    observed : mapping of system to float
        Rate of the whole sample.
    leave_one_out : mapping of system to float64 array, shape (n,)
        Rate of the sample without each unit.
    """

    rates: Mapping[str, FloatArray] = field(repr=False)
    unit: str
    n: int
    reason: str = ""
    observed: Mapping[str, float] = field(default_factory=dict, repr=False)
    leave_one_out: Mapping[str, FloatArray] = field(default_factory=dict, repr=False)

    def interval(self, system: str, settings: Statistics) -> ConfidenceInterval:
        """Confidence interval of the rate of a system."""
        return bootstrap_interval(
            settings.interval,
            self.observed[system],
            self.rates[system],
            self.leave_one_out[system],
            confidence=settings.confidence,
        )

    def difference_interval(self, first: str, second: str, settings: Statistics) -> ConfidenceInterval:
        """Confidence interval of the rate of the second system minus that of the first."""
        return bootstrap_interval(
            settings.interval,
            self.observed[second] - self.observed[first],
            self.rates[second] - self.rates[first],
            self.leave_one_out[second] - self.leave_one_out[first],
            confidence=settings.confidence,
        )


def draw_replicates(shared: SharedSegments, metrics: Sequence[Metric], settings: Statistics) -> dict[str, Replicates]:
    """Resample segments, or whole clusters where there are any.

    Parameters
    ----------
    shared : SharedSegments
        Counts of all systems.
    metrics : sequence of Metric
        Whose replicates to draw.
    settings : Statistics
        Number of resamples and seed.

    Returns
    -------
    dict of metric id to Replicates
    """
    unit = shared.resampling_unit
    n = shared.clusters if shared.clusters is not None else len(shared.keys)
    if n < 2:
        reason = f"There is 1 {unit} only: nothing can be said of how one {unit} differs from another."
        return {metric.id: Replicates({}, unit, n, reason) for metric in metrics}
    slots = [(metric, system) for metric in metrics for system in shared.counts]
    blocks = [shared.counts[system][metric.id] for metric, system in slots]
    sums = bootstrap_sums(
        np.concatenate(blocks, axis=1),
        clusters=shared.cluster_codes,
        resamples=settings.resamples,
        seed=settings.seed,
    )
    ends = np.cumsum([block.shape[1] for block in blocks])[:-1]
    rates: dict[str, dict[str, FloatArray]] = {metric.id: {} for metric in metrics}
    for (metric, system), part in zip(slots, np.split(sums, ends, axis=1), strict=True):
        rates[metric.id][system] = metric.rate(part)
    return {metric.id: _replicates(shared, metric, rates[metric.id], n) for metric in metrics}


def _replicates(shared: SharedSegments, metric: Metric, rates: Mapping[str, FloatArray], n: int) -> Replicates:
    undefined = max(int(np.isnan(of_system).sum()) for of_system in rates.values())
    if undefined:
        reason = f"The rate is undefined in {undefined} bootstrap samples: too many references are empty."
        return Replicates({}, shared.resampling_unit, n, reason)
    units = {system: cluster_rows(of[metric.id], shared.cluster_codes) for system, of in shared.counts.items()}
    return Replicates(
        rates,
        shared.resampling_unit,
        n,
        observed={system: float(metric.rate(rows.sum(axis=0))) for system, rows in units.items()},
        leave_one_out={system: metric.rate(rows.sum(axis=0) - rows) for system, rows in units.items()},
    )
