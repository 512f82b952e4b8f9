"""Bootstrap replicates of every metric: all systems and metrics on the same draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from misread.arrays import FloatArray, IntArray
from misread.metrics import Metric, positions_in_rate
from misread.stats.draws import draw_sums, reason_not_to_draw
from misread.stats.intervals import bootstrap_interval
from misread.stats.resampling import cluster_rows
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
        Number of resamples, seed, and what is drawn.

    Returns
    -------
    dict of metric id to Replicates
    """
    n = shared.units
    reason = reason_not_to_draw(shared, settings)
    if reason:
        return {metric.id: Replicates({}, shared.resampling_unit, n, reason) for metric in metrics}
    columns = _Columns()
    places = {}
    for metric in metrics:
        for system, of in shared.counts.items():
            needed = of[metric.id][:, positions_in_rate(metric)]
            places[metric.id, system] = [columns.place(column) for column in needed.T]
    sums = draw_sums(columns.stacked, shared, settings)
    return {metric.id: _replicates(shared, metric, sums, places, n) for metric in metrics}


class _Columns:
    """Counts to be resampled, each once: systems share the lengths of their references."""

    def __init__(self) -> None:
        self._columns: list[IntArray] = []
        self._places: dict[bytes, int] = {}

    def place(self, column: IntArray) -> int:
        """Where the column stands, or an equal one."""
        found = self._places.setdefault(column.tobytes(), len(self._columns))
        if found == len(self._columns):
            self._columns.append(column)
        return found

    @property
    def stacked(self) -> IntArray:
        """All of them, shape (segments, columns)."""
        return np.stack(self._columns, axis=-1)


def _rates(metric: Metric, sums: IntArray, places: Sequence[int]) -> FloatArray:
    """Rate of summed counts; those that it does not look at are left at 0."""
    counts = np.zeros((len(sums), len(metric.columns)), dtype=np.int64)
    counts[:, positions_in_rate(metric)] = sums[:, places]
    return metric.rate(counts)


def _replicates(
    shared: SharedSegments, metric: Metric, sums: IntArray, places: Mapping[tuple[str, str], Sequence[int]], n: int
) -> Replicates:
    rates = {system: _rates(metric, sums, places[metric.id, system]) for system in shared.counts}
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
