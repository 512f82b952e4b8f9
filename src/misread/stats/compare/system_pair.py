"""A pair of systems on the same segments: the input of every paired test and the basis of a verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from misread.metrics import Direction, Metric
from misread.stats.bootstrap.jackknife import Estimate
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.settings import PairedTest, StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.results import ConfidenceInterval, TestResult
from misread.stats.significance.pvalue_adjustment import Correction, adjust
from misread.stats.significance.randomisation import MONTE_CARLO, smallest_pvalue
from misread.types import FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class SystemPair:
    """Counts of a system and its baseline on the same segments, and their tests after `run_tests`."""

    metric: Metric
    baseline: str
    system: str
    baseline_counts: IntArray = field(repr=False)  # shape (segments, columns)
    system_counts: IntArray = field(repr=False)  # shape (segments, columns)
    # counts by independent unit (a cluster if there are any, else a segment), shape (units, columns)
    baseline_units: IntArray = field(repr=False)
    system_units: IntArray = field(repr=False)
    has_clusters: bool
    replicates: Replicates = field(repr=False)
    # alignment of each segment; empty if not stored
    baseline_operations: Sequence[str] = field(default=(), repr=False)
    system_operations: Sequence[str] = field(default=(), repr=False)
    tests: Mapping[PairedTest, TestResult] = field(default_factory=dict)
    adjusted: Mapping[PairedTest, float] = field(default_factory=dict)  # p-values, adjusted over the family
    family: tuple[float, ...] = ()  # p-values of the deciding test for all pairs of the family, before adjustment
    position: int = 0  # index of this pair in the family
    equivalence: TestResult | None = None  # None without a margin, or if there is too little to draw from
    equivalence_adjusted: float = 1.0  # 1 without a test of equivalence

    @classmethod
    def of(
        cls,
        shared: SharedSegments,
        metric: Metric,
        baseline: str,
        system: str,
        replicates: Replicates,
    ) -> SystemPair:
        """The pair of these two systems."""
        first, second = (shared.counts[name][metric.id].values for name in (baseline, system))
        letters, others = (shared.operations.get(name, {}).get(metric.id, ()) for name in (baseline, system))
        return cls(
            metric=metric,
            baseline=baseline,
            system=system,
            baseline_counts=first,
            system_counts=second,
            baseline_units=shared.unit_counts(baseline, metric.id),
            system_units=shared.unit_counts(system, metric.id),
            has_clusters=shared.cluster_codes is not None,
            replicates=replicates,
            baseline_operations=letters,
            system_operations=others,
        )

    @property
    def settings(self) -> StatisticsSettings:
        """Settings of the comparison."""
        return self.replicates.settings

    @cached_property
    def difference(self) -> float:
        """Rate of the system minus that of the baseline, both of summed counts."""
        rate = self.metric.rate
        return float(rate(self.system_units.sum(axis=0)) - rate(self.baseline_units.sum(axis=0)))

    @property
    def rate_differences(self) -> FloatArray:
        """Difference of the rates of each segment, shape (segments,); NaN if a rate is undefined."""
        return self.metric.rate(self.system_counts) - self.metric.rate(self.baseline_counts)

    @property
    def outcomes(self) -> tuple[int, int, int]:
        """Numbers of segments that the system reads better than, as well as, and worse than the baseline."""
        improvement = -self.improvement_sign * np.nan_to_num(self.rate_differences)
        return int((improvement > 0).sum()), int((improvement == 0).sum()), int((improvement < 0).sum())

    @property
    def unit_rate_differences(self) -> FloatArray:
        """Difference of the rates of each unit (cluster, or segment without clusters), shape (units,)."""
        return self.metric.rate(self.system_units) - self.metric.rate(self.baseline_units)

    @property
    def difference_replicates(self) -> FloatArray:
        """Difference of each bootstrap sample, shape (resamples,)."""
        return self.replicates.rates[self.system] - self.replicates.rates[self.baseline]

    @property
    def leave_one_out(self) -> FloatArray:
        """Difference without each unit, shape (units,); empty if there is too little to draw from."""
        without = self.replicates.leave_one_out
        return without[self.system] - without[self.baseline] if without else np.empty(0)

    @property
    def unit_deviation(self) -> float | None:
        """Standard deviation of one unit's contribution to the difference; None if unknown."""
        if not self.replicates.leave_one_out:
            return None
        return self.difference_estimate.error * math.sqrt(self.replicates.n) or None

    @cached_property
    def difference_estimate(self) -> Estimate:
        """The difference with its standard error."""
        return self.replicates.difference_estimate(self.baseline, self.system)

    @cached_property
    def difference_interval(self) -> ConfidenceInterval | None:
        """Interval of the difference; None if there is too little to draw from."""
        if self.replicates.reason:
            return None
        return self.replicates.difference_interval(self.baseline, self.system)

    @property
    def improvement_sign(self) -> int:
        """1 if a negative difference is an improvement, -1 if a positive one is."""
        return 1 if self.metric.direction is Direction.LOWER_IS_BETTER else -1

    @property
    def counted(self) -> str:
        """The number of units as text: "3 segments", "12 clusters (page)"."""
        number = self.replicates.n
        plural = "" if number == 1 else "s"
        if not self.has_clusters:
            return f"{number} segment{plural}"
        return f"{number} cluster{plural} ({self.replicates.unit})"

    @property
    def numerator_differences(self) -> tuple[IntArray, int] | None:
        """Numerators of the system minus those of the baseline by unit, and the sum of their shared denominators.

        None if the metric is no quotient, such as F1, or the denominators of some unit differ: then exchanging the
        systems does more than change a sign.
        """
        baseline, system = (self.metric.quotient(counts) for counts in (self.baseline_units, self.system_units))
        if baseline is None or system is None or not np.array_equal(baseline[1], system[1]):
            return None
        denominator = int(baseline[1].sum())
        return (system[0] - baseline[0], denominator) if denominator else None

    @property
    def deciding(self) -> TestResult:
        """The deciding test."""
        return self.tests[self.settings.deciding_test]

    @property
    def pvalue_adjusted(self) -> float:
        """Adjusted p-value of the deciding test."""
        return self.adjusted[self.settings.deciding_test]

    @property
    def is_significant(self) -> bool:
        """Whether the deciding test finds a difference, after adjustment."""
        return self.pvalue_adjusted < self.settings.alpha

    @property
    def is_equivalent(self) -> bool:
        """Whether the test of equivalence shows that the difference is smaller than the margin."""
        return self.equivalence is not None and self.equivalence_adjusted < self.settings.alpha

    @property
    def alpha(self) -> float:
        """Level below which this pair's own p-value is significant, whatever the others are."""
        return self.settings.alpha if self.settings.correction == "none" else self.settings.alpha / len(self.family)

    def can_reach(self, units: int) -> bool:
        """Whether this number of differences, all of one sign in all pairs of the family, would be significant."""
        return self.adjust_alike(smallest_pvalue(units)) < self.settings.alpha

    @property
    def can_resolve(self) -> bool:
        """Whether there are enough resamples for a significant p-value, if the deciding test counts them."""
        counts_resamples = self.settings.deciding_test == "bootstrap" or self.deciding.method.startswith(MONTE_CARLO)
        return not counts_resamples or self.adjust_alike(1 / (1 + self.settings.resamples)) < self.settings.alpha

    def adjust_alike(self, pvalue: float) -> float:
        """Adjusted p-value if the deciding test had given this p-value for every pair of the family."""
        return _adjust_alike(pvalue, len(self.family), self.settings.correction)

    def adjust_again(self, pvalue: float) -> float:
        """Adjusted p-value if the deciding test had given this p-value for this pair."""
        family = [*self.family[: self.position], pvalue, *self.family[self.position + 1 :]]
        return float(adjust(family, method=self.settings.correction)[self.position])


@lru_cache(maxsize=1024)
def _adjust_alike(pvalue: float, pairs: int, correction: Correction) -> float:
    """Cached, because every pair of a large family asks for the same few values."""
    return float(adjust([pvalue] * pairs, method=correction)[0])
