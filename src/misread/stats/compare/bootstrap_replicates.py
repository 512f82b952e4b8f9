"""Bootstrap replicates of every metric, with all systems and metrics on the same draws, and intervals."""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from misread.errors import setting
from misread.io.checks.choices import check_choice
from misread.metrics import Metric
from misread.stats.bootstrap.intervals import acceleration, bootstrap_interval
from misread.stats.bootstrap.jackknife import (
    Estimate,
    degrees_of_freedom,
    jackknife_deviation,
    jackknife_interval,
    symmetric_interval,
)
from misread.stats.bootstrap.resampling import bootstrap_sums, normal_sums, two_way_bootstrap_sums
from misread.stats.compare.repeated_runs import counts_by_unit, draw_runs, squares_of, with_runs
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.design.run_components import MeanSquares
from misread.stats.results import TOLERANCE, ConfidenceInterval
from misread.types import FloatArray, IntArray

MOST_DRAWN_UNITS = 20_000
"""With more units, sums are drawn from the normal distribution that sums of drawn units approach."""


def draw_sums(counts: IntArray, shared: SharedSegments, settings: StatisticsSettings) -> IntArray:
    """Summed counts of bootstrap samples, (units, columns) -> (resamples, columns).

    Counts are per unit if single units are drawn, else per segment.

    Raises UnknownNameError if the data set has no group column of the name in the settings.
    """
    resamples, seed = settings.resamples, settings.seed
    if settings.second_cluster is not None:
        second = _second_codes(shared, settings.second_cluster)
        return two_way_bootstrap_sums(counts, shared.unit_codes, second, resamples=resamples, seed=seed)
    draw = normal_sums if draws_normal_sums(shared, settings) else bootstrap_sums
    return draw(counts, resamples=resamples, seed=seed)


def draws_normal_sums(shared: SharedSegments, settings: StatisticsSettings) -> bool:
    """Whether sums are drawn from a normal distribution instead of drawing units."""
    return settings.draws_single_units and shared.units > MOST_DRAWN_UNITS


def reason_not_to_draw(shared: SharedSegments, settings: StatisticsSettings) -> str:
    """A sentence that says why there are too few units for a bootstrap; empty if there are enough."""
    units = [(shared.resampling_unit, shared.units)]
    if settings.second_cluster is not None:
        units.append((settings.second_cluster, len(np.unique(_second_codes(shared, settings.second_cluster)))))
    for unit, number in units:
        if number < 2:
            return f"There is only 1 {unit}: the variation between {unit}s cannot be estimated."
    return ""


def freedom_left(shared: SharedSegments, settings: StatisticsSettings) -> float:
    """Upper limit of degrees of freedom: clusters of a second kind less 1; infinite without them."""
    if settings.second_cluster is not None:
        return float(len(np.unique(_second_codes(shared, settings.second_cluster))) - 1)
    return math.inf


def _second_codes(shared: SharedSegments, column: str) -> IntArray:
    check_choice("group column", column, shared.keys.groups, where=setting("statistics.second_cluster"))
    return shared.codes(column)


@dataclass(frozen=True)
class Replicates:
    """Bootstrap replicates of one metric, with the settings of their draws; mappings are by system."""

    # shape (resamples,); empty if there was too little to draw from
    rates: Mapping[str, FloatArray] = field(repr=False)
    unit: str  # what was drawn: "segment" or the name of the clusters
    n: int  # number of units
    reason: str = ""  # why there are no replicates
    observed: Mapping[str, float] = field(default_factory=dict, repr=False)  # rate of the whole sample
    # rate without each unit, shape (n,)
    leave_one_out: Mapping[str, FloatArray] = field(default_factory=dict, repr=False)
    # weight of each unit in the rate, shape (n,)
    sizes: Mapping[str, IntArray] = field(default_factory=dict, repr=False)
    steps: Mapping[str, float] = field(default_factory=dict, repr=False)  # change of the rate by one error
    most_freedom: float = math.inf  # limit of degrees of freedom from clusters of a second kind
    bounds: tuple[float, float] = (0.0, math.inf)  # limits of the rate
    is_smooth: bool = True  # else leaving one unit out says little about other samples
    # of repeated runs, if they share effects
    run_squares: Mapping[str, MeanSquares] = field(default_factory=dict, repr=False)
    settings: StatisticsSettings = field(kw_only=True, repr=False)

    @cached_property
    def intervals(self) -> Mapping[str, ConfidenceInterval | None]:
        """Confidence interval of each rate; None with too few degrees of freedom."""
        return {system: self._interval(system) for system in self.observed}

    def _interval(self, system: str) -> ConfidenceInterval | None:
        settings = self.settings
        if settings.interval == "jackknife":
            lowest, highest = self.bounds
            return jackknife_interval(self.estimates[system], settings.confidence, lowest=lowest, highest=highest)
        return bootstrap_interval(
            settings.interval,
            self.observed[system],
            self.rates[system],
            self.leave_one_out[system],
            confidence=settings.confidence,
        )

    def difference_interval(self, first: str, second: str) -> ConfidenceInterval:
        """Confidence interval of the rate of the second system minus that of the first."""
        settings = self.settings
        if settings.interval == "jackknife":
            lowest, highest = self.bounds
            return symmetric_interval(
                self.difference_estimate(first, second),
                settings.confidence,
                lowest=lowest - highest,
                highest=highest - lowest,
            )
        return bootstrap_interval(
            settings.interval,
            self.observed[second] - self.observed[first],
            self.rates[second] - self.rates[first],
            self.leave_one_out[second] - self.leave_one_out[first],
            confidence=settings.confidence,
        )

    @cached_property
    def estimates(self) -> Mapping[str, Estimate]:
        """Each rate with its standard error."""
        return {system: self._rate_estimate(system) for system in self.observed}

    def _rate_estimate(self, system: str) -> Estimate:
        estimate = self._estimate(lambda values: values[system], self.sizes[system], [system])
        return replace(estimate, step=self.steps.get(system, 0.0))

    def difference_estimate(self, first: str, second: str) -> Estimate:
        """The rate of the second system minus that of the first, with its standard error."""
        sizes = self.sizes[first] + self.sizes[second]
        return self._estimate(lambda values: values[second] - values[first], sizes, [first, second])

    def _estimate(self, take: Callable[[Mapping[str, Any]], Any], sizes: IntArray, systems: Sequence[str]) -> Estimate:
        """Estimate by the jackknife, or from bootstrap samples if they draw no single units or the rate jumps."""
        freedom = max(1.0, min(degrees_of_freedom(sizes), self.most_freedom))
        if self.settings.draws_single_units and self.is_smooth:
            error = (jackknife_deviation(take(self.leave_one_out)) or 0.0) / math.sqrt(self.n)
            skewness = 6 * acceleration(take(self.leave_one_out))
            over_clusters = Estimate(float(take(self.observed)), error, freedom, skewness)
            return with_runs(over_clusters, [self.run_squares[name] for name in systems if name in self.run_squares])
        deviation = float(take(self.rates).std())
        return Estimate(
            float(take(self.observed)), deviation if deviation > TOLERANCE else 0.0, freedom, method="standard"
        )


def draw_replicates(
    shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings, *, only_intervals: bool = False
) -> dict[str, Replicates]:
    """Replicates by id of the metric, from resampled segments, or whole clusters if there are any.

    With `only_intervals`, nothing is drawn if intervals do not need it.
    """
    n = shared.units
    reason = reason_not_to_draw(shared, settings)
    if reason:
        return {
            metric.id: Replicates({}, shared.resampling_unit, n, reason + _undefined(shared, metric), settings=settings)
            for metric in metrics
        }
    needs_none = settings.draws_single_units and all(metric.is_smooth for metric in metrics)
    if only_intervals and settings.interval == "jackknife" and needs_none:
        return {metric.id: _replicates(shared, metric, {}, settings) for metric in metrics}
    columns = _Columns()
    crossed = shared.runs if settings.runs == "crossed" else {}
    # Columns of each run if runs are drawn too, else of all runs together.
    positions: dict[tuple[str, str], list[list[int]]] = {}
    for metric in metrics:
        used = _positions(metric, metric.rate_columns)
        for system, counts in shared.counts.items():
            if system in crossed:
                by_run: Sequence[IntArray] = list(counts_by_unit(shared, system, metric))
            elif settings.draws_single_units:
                by_run = [shared.unit_counts(system, metric.id)]
            else:
                by_run = [counts[metric.id].values]
            positions[metric.id, system] = [[columns.position(run[:, column]) for column in used] for run in by_run]
    sums = draw_sums(columns.stacked, shared, settings)
    drawn = draw_runs(
        {system: len(counts.runs) for system, counts in crossed.items()}, settings.resamples, settings.seed
    )
    return {
        metric.id: _replicates(
            shared,
            metric,
            {
                system: _rates(metric, _sum_runs(sums, positions[metric.id, system], drawn.get(system)))
                for system in shared.counts
            },
            settings,
        )
        for metric in metrics
    }


def _sum_runs(sums: IntArray, positions: Sequence[Sequence[int]], drawn: IntArray | None) -> IntArray:
    """Sums of the columns that a rate uses, over runs weighted by their numbers of draws."""
    if drawn is None:
        (columns,) = positions
        return sums[:, columns]
    total: IntArray = sum(sums[:, columns] * drawn[:, [run]] for run, columns in enumerate(positions))  # type: ignore[assignment]
    return total


class _Columns:
    """Counts to be resampled, without repeated columns: systems share the lengths of their references."""

    def __init__(self) -> None:
        self._columns: list[IntArray] = []
        self._positions: dict[bytes, int] = {}  # by digest, since keys with the content would be a second copy

    def position(self, column: IntArray) -> int:
        """Position of the column, or of an equal one."""
        digest = hashlib.blake2b(np.ascontiguousarray(column).data).digest()
        position = self._positions.setdefault(digest, len(self._columns))
        if position == len(self._columns):
            self._columns.append(column)
        return position

    @property
    def stacked(self) -> IntArray:
        """All columns, shape (segments or units, columns)."""
        return np.stack(self._columns).T


def _positions(metric: Metric, columns: Sequence[str]) -> list[int]:
    return [metric.columns.index(name) for name in columns]


def _rates(metric: Metric, sums: IntArray) -> FloatArray:
    """Rate of summed counts of the columns that it uses; the others are 0."""
    counts = np.zeros((len(sums), len(metric.columns)), dtype=np.int64)
    counts[:, _positions(metric, metric.rate_columns)] = sums
    return metric.rate(counts)


def _replicates(
    shared: SharedSegments, metric: Metric, rates: Mapping[str, FloatArray], settings: StatisticsSettings
) -> Replicates:
    unit, n = shared.resampling_unit, shared.units
    undefined = max((int(np.isnan(drawn).sum()) for drawn in rates.values()), default=0)
    if undefined:
        reason = f"The rate is undefined in {undefined} bootstrap samples: {metric.undefined_reason}."
        return Replicates({}, unit, n, reason, settings=settings)
    units = {system: shared.unit_counts(system, metric.id) for system in shared.counts}
    leave_one_out = {system: metric.rate(rows.sum(axis=0) - rows) for system, rows in units.items()}
    if settings.draws_single_units and not all(np.isfinite(rest).all() for rest in leave_one_out.values()):
        reason = f"The rate is undefined without one {unit}: {metric.undefined_reason}."
        return Replicates({}, unit, n, reason, settings=settings)
    sizes = {system: rows[:, _positions(metric, metric.size_columns)] for system, rows in units.items()}
    return Replicates(
        rates,
        unit,
        n,
        observed={system: float(metric.rate(rows.sum(axis=0))) for system, rows in units.items()},
        leave_one_out=leave_one_out,
        sizes={system: columns.sum(axis=1) for system, columns in sizes.items()},
        # Counts are sums over `scale` runs.
        steps={system: shared.scale / max(1, int(columns.sum(axis=0).max())) for system, columns in sizes.items()},
        most_freedom=freedom_left(shared, settings),
        bounds=metric.bounds,
        is_smooth=metric.is_smooth,
        run_squares={} if settings.runs == "averaged" else _squares(shared, metric),
        settings=settings,
    )


def _undefined(shared: SharedSegments, metric: Metric) -> str:
    """A sentence that names systems without a rate and the reason; empty if there are none."""
    systems = [
        system
        for system, counts in shared.counts.items()
        if np.isnan(metric.rate(counts[metric.id].values.sum(axis=0)))
    ]
    return f" The rate of {', '.join(systems)} is undefined: {metric.undefined_reason}." if systems else ""


def _squares(shared: SharedSegments, metric: Metric) -> dict[str, MeanSquares]:
    squares = {system: squares_of(shared, system, metric) for system in shared.runs}
    return {system: mean_squares for system, mean_squares in squares.items() if mean_squares is not None}
