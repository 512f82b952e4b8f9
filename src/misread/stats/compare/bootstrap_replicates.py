"""Bootstrap replicates of every metric, with all systems and metrics on the same draws, and intervals."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from misread.errors import setting
from misread.io.checks.choices import check_choice
from misread.metrics import Kind, Metric
from misread.stats.bootstrap.intervals import bootstrap_interval
from misread.stats.bootstrap.jackknife import (
    FEWEST_FREEDOM,
    Estimate,
    degrees_of_freedom,
    independent_error,
    jackknife_estimate,
    jackknife_interval,
    symmetric_interval,
)
from misread.stats.bootstrap.resampling import bootstrap_sums, normal_sums, two_way_bootstrap_sums
from misread.stats.compare.repeated_runs import counts_by_unit, draw_runs, squares_of, with_runs
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.design.run_components import MeanSquares
from misread.stats.results import TOLERANCE, ConfidenceInterval
from misread.text.nouns import plural
from misread.types import FloatArray, IntArray

MOST_DRAWN_UNITS = 20_000
"""With more units, sums are drawn from the normal distribution that sums of drawn units approach."""

_MOST_NAMED = 3
# Units whose counts are copied together.
_AT_A_TIME = 1 << 16


def draw_replicates(
    shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings, *, only_intervals: bool = False
) -> dict[str, "Replicates"]:
    """Replicates by id of the metric, from resampled segments, or whole clusters if there are any.

    With `only_intervals`, nothing is drawn if intervals do not need it.
    """
    undrawn = {metric.id: Replicates(shared, metric, settings) for metric in metrics}
    needs_none = settings.second_cluster is None and all(metric.is_smooth for metric in metrics)
    if reason_not_to_draw(shared, settings) or (only_intervals and settings.interval == "jackknife" and needs_none):
        return undrawn
    columns: list[IntArray] = []
    # By digest, since keys with the content would be a second copy: systems share the lengths of their references.
    positions: dict[bytes, int] = {}
    # Positions of the columns that a rate uses: in each run if runs are drawn too, else of all runs together.
    used: dict[tuple[str, str], list[list[int]]] = {}
    crossed = shared.runs if settings.runs == "crossed" else {}
    for metric in metrics:
        for system, counts in shared.counts.items():
            if system in crossed:
                by_run: Sequence[IntArray] = list(counts_by_unit(shared, system, metric))
            elif settings.second_cluster is None:
                by_run = [shared.unit_counts(system, metric.id)]
            else:
                by_run = [counts[metric.id].values]
            used[metric.id, system] = []
            for run_counts in by_run:
                digests = []
                for name in metric.rate_columns:
                    column = run_counts[:, metric.columns.index(name)]
                    digests.append(hashlib.blake2b(np.ascontiguousarray(column).data).digest())
                    if positions.setdefault(digests[-1], len(columns)) == len(columns):
                        columns.append(column)
                used[metric.id, system].append([positions[digest] for digest in digests])
    sums = draw_sums(np.stack(columns).T, shared, settings)
    runs = {system: len(counts.runs) for system, counts in crossed.items()}
    drawn_runs = draw_runs(runs, settings.resamples, settings.seed) if runs else {}
    drawn = {}
    for metric in metrics:
        rates = {}
        for system in shared.counts:
            samples = np.zeros((len(sums), len(metric.columns)), dtype=np.int64)
            rate_columns = [metric.columns.index(name) for name in metric.rate_columns]
            for run, run_columns in enumerate(used[metric.id, system]):
                weights: IntArray | int = drawn_runs[system][:, [run]] if system in crossed else 1
                samples[:, rate_columns] += weights * sums[:, run_columns]
            rates[system] = metric.rate(samples)
        drawn[metric.id] = replace(undrawn[metric.id], rates=rates)
    return drawn


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
    return settings.second_cluster is None and shared.units > MOST_DRAWN_UNITS


def reason_not_to_draw(shared: SharedSegments, settings: StatisticsSettings) -> str:
    """A sentence that says why there are too few units for a bootstrap; empty if there are enough."""
    units = [(shared.resampling_unit, shared.units)]
    if settings.second_cluster is not None:
        units.append((settings.second_cluster, len(np.unique(_second_codes(shared, settings.second_cluster)))))
    for unit, number in units:
        if number < 2:
            return f"There is only 1 {unit}: the variation between {plural(unit)} cannot be estimated."
    return ""


def _second_codes(shared: SharedSegments, column: str) -> IntArray:
    check_choice("group column", column, shared.keys.groups, where=setting("statistics.second_cluster"))
    return shared.codes(column)


@dataclass(frozen=True, eq=False)
class Replicates:
    """One metric on shared segments: rates of bootstrap samples and without each unit, and intervals from both.

    Mappings are by system. `draw_replicates` makes them for several metrics on the same draws.
    """

    shared: SharedSegments = field(repr=False)
    metric: Metric
    settings: StatisticsSettings = field(repr=False)
    rates: Mapping[str, FloatArray] = field(default_factory=dict, repr=False)  # shape (resamples,); empty if not drawn

    @cached_property
    def reason(self) -> str:
        """Why there are no intervals and nothing else from samples; empty if there are."""
        metric = self.metric
        if too_few := reason_not_to_draw(self.shared, self.settings):
            totals = {system: counts[metric.id].total for system, counts in self.shared.counts.items()}
            systems = ", ".join(system for system, total in totals.items() if np.isnan(metric.rate(total)))
            without_rate = f" The rate of {systems} is undefined: {metric.undefined_reason}." if systems else ""
            return f"{too_few}{without_rate}"
        if undefined := max((int(np.isnan(drawn).sum()) for drawn in self.rates.values()), default=0):
            return f"The rate is undefined in {undefined} bootstrap samples: {metric.undefined_reason}."
        if self.settings.second_cluster is None and not all(np.isfinite(rest).all() for rest in self._rest.values()):
            return f"The rate is undefined without one {self.shared.resampling_unit}: {metric.undefined_reason}."
        return ""

    @cached_property
    def observed(self) -> Mapping[str, float]:
        """Rate of the whole sample; empty with a reason."""
        return {} if self.reason else {name: float(self.metric.rate(x.sum(axis=0))) for name, x in self._units.items()}

    @cached_property
    def leave_one_out(self) -> Mapping[str, FloatArray]:
        """Rate without each unit, shape (n,); empty with a reason."""
        return {} if self.reason else self._rest

    @cached_property
    def _rest(self) -> Mapping[str, FloatArray]:
        return {system: _leave_one_out(self.metric, rows) for system, rows in self._units.items()}

    @cached_property
    def _units(self) -> Mapping[str, IntArray]:
        return {system: self.shared.unit_counts(system, self.metric.id) for system in self.shared.counts}

    def sizes(self, system: str) -> IntArray:
        """Columns that tell the weight of each unit in the rate, shape (n, columns)."""
        columns = [self.metric.columns.index(name) for name in self.metric.size_columns]
        return self._units[system][:, columns]

    @cached_property
    def most_freedom(self) -> float:
        """Upper limit of degrees of freedom: clusters of a second kind less 1; infinite without them."""
        if self.settings.second_cluster is None:
            return math.inf
        return float(len(np.unique(_second_codes(self.shared, self.settings.second_cluster))) - 1)

    @cached_property
    def _squares(self) -> Mapping[str, MeanSquares]:
        """Mean squares of repeated runs, of systems that have some."""
        squares = {system: squares_of(self.shared, system, self.metric) for system in self.shared.runs}
        return {system: mean_squares for system, mean_squares in squares.items() if mean_squares is not None}

    @property
    def run_squares(self) -> Mapping[str, MeanSquares]:
        """Mean squares of repeated runs, if they share effects."""
        return {} if self.settings.runs == "averaged" else self._squares

    @cached_property
    def estimates(self) -> Mapping[str, Estimate]:
        """Each rate with its standard error."""
        return {system: self.estimate(system) for system in self.observed}

    @cached_property
    def intervals(self) -> Mapping[str, ConfidenceInterval | None]:
        """Confidence interval of each rate; None with too few degrees of freedom."""
        return {system: self.interval(system) for system in self.observed}

    def estimate(self, system: str, baseline: str | None = None) -> Estimate:
        """The rate of a system, or its difference from that of a baseline, with its standard error.

        By the jackknife, or from bootstrap samples if they draw no single units or the rate jumps.
        """
        sides = [system] if baseline is None else [baseline, system]
        sizes = [self.sizes(side) for side in sides]
        weights = np.sum([size.sum(axis=1) for size in sizes], axis=0)
        observed = float(_subtract(self.observed, system, baseline))
        if not (self.settings.second_cluster is None and self.metric.is_smooth):
            deviation = float(_subtract(self.rates, system, baseline).std())
            freedom = max(1.0, min(degrees_of_freedom(weights), self.most_freedom))
            estimate = Estimate(observed, deviation if deviation > TOLERANCE else 0.0, freedom, method="standard")
        else:
            squares = [self.run_squares[side] for side in sides if side in self.run_squares]
            estimate = jackknife_estimate(observed, _subtract(self.leave_one_out, system, baseline), weights)
            estimate = with_runs(estimate, squares) if squares else estimate
        step = max(self._step(side) for side in sides)
        is_share = baseline is None and self.metric.bounds[1] == 1
        independent = independent_error(observed, step, is_share=is_share) if self.metric.counts_items else 0.0
        independent *= self._share_between_runs(sides, independent)
        return replace(estimate, step=step if baseline is None else 0.0, independent=independent)

    def _share_between_runs(self, sides: Sequence[str], error: float) -> float:
        """Share of the error of one run that the mean of all runs has: 1 if runs err alike, 1 / sqrt(runs) at least."""
        squares = [self._squares[side] for side in sides if side in self._squares]
        if not squares or error == 0:
            return 1.0
        vanishes = sum(runs.residual / runs.cluster_count * (1 - 1 / runs.run_count) for runs in squares) / error**2
        return math.sqrt(max(1 - vanishes, 1 / max(runs.run_count for runs in squares)))

    def _step(self, system: str) -> float:
        """Change of the rate by one error of one run: one over the denominator, or over the largest column."""
        if self.metric.counts_items and self.metric.is_ratio:
            size = self.metric.quotient(self._units[system].sum(axis=0))[1]
        else:
            size = self.sizes(system).sum(axis=0).max()
        return self.shared.scale / max(1, int(size))

    def interval(
        self, system: str, baseline: str | None = None, *, confidence: float | None = None
    ) -> ConfidenceInterval | None:
        """Interval of a rate, or of its difference from that of a baseline; by default its confidence is the settings'.

        None with too few degrees of freedom, or if nothing varies; two equal systems have one without width.
        """
        ends = self._ends(system, baseline, confidence or self.settings.confidence)
        is_equal = baseline is not None and self.observed[system] == self.observed[baseline]
        return None if ends and ends.is_degenerate and not is_equal else ends

    def _ends(self, system: str, baseline: str | None, confidence: float) -> ConfidenceInterval | None:
        """The interval by the method of the settings; without width if nothing varies."""
        lowest, highest = self.metric.bounds
        if self.settings.interval == "jackknife":
            if baseline is None:
                return jackknife_interval(self.estimates[system], confidence, lowest=lowest, highest=highest)
            estimate = self.estimate(system, baseline)
            if not estimate.has_interval:
                return None
            return symmetric_interval(estimate, confidence, lowest=lowest - highest, highest=highest - lowest)
        observed, rates, rest = (
            _subtract(values, system, baseline) for values in (self.observed, self.rates, self.leave_one_out)
        )
        return bootstrap_interval(self.settings.interval, observed, rates, rest, confidence=confidence)

    def reasons_without_interval(self) -> dict[str, str]:
        """Reasons by system for rates without an interval; they name the units responsible."""
        if self.reason:
            return dict.fromkeys(self.shared.counts, self.reason)
        return {
            system: f"{self.reason_without_interval(system)} Without one {self.shared.resampling_unit} the rate is "
            f"{self.range_without_one(system)}."
            for system, interval in self.intervals.items()
            if interval is None
        }

    def reason_without_interval(self, system: str, baseline: str | None = None) -> str:
        """What leaves too few degrees of freedom for an interval, or that nothing varies, in a sentence."""
        estimate = self.estimate(system, baseline) if baseline else self.estimates[system]
        sides = [system] if baseline is None else [baseline, system]
        sizes = np.sum([self.sizes(side).sum(axis=1) for side in sides], axis=0)
        if estimate.has_interval or not sizes.any():
            return f"Nothing varies between {plural(self.shared.resampling_unit)}."
        number, unit = self.shared.units, self.shared.resampling_unit
        left = f"leave {estimate.freedom:.1f} effective degrees of freedom, and an interval needs {FEWEST_FREEDOM:g}"
        if number <= FEWEST_FREEDOM:
            return f"{number} {plural(unit)} {left}."
        if degrees_of_freedom(sizes) < FEWEST_FREEDOM:
            return f"{number} {plural(unit)} {left}: {_largest(sizes, self.shared.unit_names)} of all counts."
        if self.most_freedom < FEWEST_FREEDOM:
            return f"{number} {plural(unit)} and the few values of '{self.settings.second_cluster}' {left}."
        runs = max(self.run_squares[side].run_count for side in sides if side in self.run_squares)
        return f"{number} {plural(unit)} and {runs} runs, which share an effect, {left}."

    def range_without_one(self, system: str) -> str:
        """Lowest and highest rate when one unit is left out."""
        without = self.leave_one_out[system]
        low, high = float(without.min()), float(without.max())
        if self.metric.kind is Kind.OTHER:
            return f"{low:.4g} to {high:.4g}"
        return f"{100 * low:.2f} to {100 * high:.2f} %"


def _leave_one_out(metric: Metric, units: IntArray) -> FloatArray:
    """Rate without each unit, shape (n,)."""
    total = units.sum(axis=0)
    starts = range(0, len(units), _AT_A_TIME)
    return np.concatenate([metric.rate(total - units[start : start + _AT_A_TIME]) for start in starts])


def _largest(sizes: IntArray, unit_names: Sequence[str]) -> str:
    """The largest units that together hold more than half, with their share: "'type-10' holds 61 %"."""
    order = np.argsort(-sizes, kind="stable")
    shares = np.cumsum(sizes[order]) / sizes.sum()
    number = min(int(np.searchsorted(shares, 0.5, side="right")) + 1, _MOST_NAMED)
    names = " and ".join(f"'{unit_names[unit]}'" for unit in order[:number].tolist())
    return f"{names} {'holds' if number == 1 else 'hold'} {100 * shares[number - 1]:.0f} %"


def _subtract(values: Mapping[str, Any], system: str, baseline: str | None) -> Any:
    return values[system] if baseline is None else values[system] - values[baseline]
