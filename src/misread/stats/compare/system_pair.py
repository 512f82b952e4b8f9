"""A pair of systems on the same segments, and all its tests, with p-values adjusted over the family of pairs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TypedDict

import numpy as np

from misread.io.console import steps
from misread.metrics import Direction, Metric
from misread.stats.bootstrap.jackknife import Estimate
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.schema import Influence, Verdict
from misread.stats.compare.settings import PairedTest, StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.design.power import detectable_difference, units_to_detect, units_to_equate
from misread.stats.results import ConfidenceInterval, TestResult
from misread.stats.significance.corpus_scores import FEW_UNITS, jackknife_test, paired_bootstrap
from misread.stats.significance.equivalence import bootstrap_equivalence, jackknife_equivalence, paired_t_equivalence
from misread.stats.significance.mapsswe import encode_letters, mapsswe_test
from misread.stats.significance.mcnemar import mcnemar_test
from misread.stats.significance.pvalue_adjustment import Correction, adjust, adjust_ascending
from misread.stats.significance.randomisation import MONTE_CARLO, randomisation_test, sign_flip, smallest_pvalue
from misread.stats.significance.rate_differences import paired_t_test, sign_test, wilcoxon_signed_rank
from misread.types import FloatArray, IntArray

FEWEST_UNITS = 3
"""With fewer units, leaving one out leaves nothing to compare."""


class _Draws(TypedDict):
    """Options of tests that exchange systems."""

    resamples: int
    seed: int
    alpha: float


@dataclass(frozen=True, eq=False)
class SystemPair:
    """A system and its baseline by one metric, and their tests after `run_tests`."""

    replicates: Replicates = field(repr=False)
    baseline: str
    system: str
    tests: Mapping[PairedTest, TestResult] = field(default_factory=dict)
    adjusted: Mapping[PairedTest, float] = field(default_factory=dict)  # p-values, adjusted over the family
    family: Sequence[float] | FloatArray = ()  # p-values of the deciding test for all pairs of the family, ascending
    equivalence: TestResult | None = None  # None without a margin, or if there is too little to draw from
    equivalence_adjusted: float = 1.0  # 1 without a test of equivalence
    influence: Influence | None = None  # after `find_influence`, which may find none

    @property
    def shared(self) -> SharedSegments:
        """The segments of both."""
        return self.replicates.shared

    @property
    def metric(self) -> Metric:
        """The metric that compares both."""
        return self.replicates.metric

    @property
    def settings(self) -> StatisticsSettings:
        """Settings of the comparison."""
        return self.replicates.settings

    @cached_property
    def counts(self) -> tuple[IntArray, IntArray]:
        """Counts of the baseline and the system by segment, shape (segments, columns) each."""
        counts = self.shared.counts
        return counts[self.baseline][self.metric.id].values, counts[self.system][self.metric.id].values

    @cached_property
    def unit_counts(self) -> tuple[IntArray, IntArray]:
        """Counts of both by unit (a cluster if there are any, else a segment), shape (units, columns) each."""
        shared, metric = self.shared, self.metric.id
        return shared.unit_counts(self.baseline, metric), shared.unit_counts(self.system, metric)

    @cached_property
    def difference(self) -> float:
        """Rate of the system minus that of the baseline, both of summed counts."""
        baseline, system = self.unit_counts
        return float(self.metric.rate(system.sum(axis=0)) - self.metric.rate(baseline.sum(axis=0)))

    @property
    def improvement_sign(self) -> int:
        """1 if a negative difference is an improvement, -1 if a positive one is."""
        return 1 if self.metric.direction is Direction.LOWER_IS_BETTER else -1

    @property
    def rate_differences(self) -> FloatArray:
        """Difference of the rates of each segment, shape (segments,); NaN if a rate is undefined."""
        baseline, system = self.counts
        return self.metric.rate(system) - self.metric.rate(baseline)

    @property
    def outcomes(self) -> tuple[int, int, int]:
        """Numbers of segments that the system reads better than, as well as, and worse than the baseline."""
        improvement = -self.improvement_sign * np.nan_to_num(self.rate_differences)
        return int((improvement > 0).sum()), int((improvement == 0).sum()), int((improvement < 0).sum())

    @property
    def leave_one_out(self) -> FloatArray:
        """Difference without each unit, shape (units,); empty if there is too little to draw from."""
        without = self.replicates.leave_one_out
        return without[self.system] - without[self.baseline] if without else np.empty(0)

    @cached_property
    def difference_estimate(self) -> Estimate:
        """The difference with its standard error."""
        return self.replicates.estimate(self.system, self.baseline)

    @cached_property
    def difference_interval(self) -> ConfidenceInterval | None:
        """Interval of the difference; None if there is too little to draw from."""
        return None if self.replicates.reason else self.replicates.interval(self.system, self.baseline)

    @property
    def unit_deviation(self) -> float | None:
        """Standard deviation of one unit's contribution to the difference; None if unknown."""
        if self.replicates.reason:
            return None
        return self.difference_estimate.error * math.sqrt(self.shared.units) or None

    @property
    def counted(self) -> str:
        """The number of units as text: "3 segments", "12 clusters (page)"."""
        number = self.shared.units
        plural = "" if number == 1 else "s"
        if self.shared.clusters is None:
            return f"{number} segment{plural}"
        return f"{number} cluster{plural} ({self.shared.resampling_unit})"

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
    def verdict(self) -> Verdict:
        """What can be said of the system.

        A pair is equivalent if its difference is shown to lie within the margin, even if it is significant: differences
        within the margin do not matter. Otherwise it is better or worse if the deciding test finds a difference, and
        else inconclusive.
        """
        return self.verdict_if(is_significant=self.is_significant, is_equivalent=self.is_equivalent)

    def verdict_if(self, *, is_significant: bool, is_equivalent: bool) -> Verdict:
        """The verdict with these findings."""
        if is_equivalent:
            return "equivalent"
        if not is_significant:
            return "inconclusive"
        return "better" if self.difference * self.improvement_sign < 0 else "worse"

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

    @property
    def smallest_detectable(self) -> float | None:
        """Smallest true difference that is found with 80 % probability, as a fraction; None if none could be found."""
        deviation, units = self.unit_deviation, self.shared.units
        if deviation is None or not (self.can_reach(units) and self.can_resolve):
            return None
        return detectable_difference(deviation, units, alpha=self.alpha)

    @property
    def further_units(self) -> int | None:
        """Approximate number of further clusters, or segments without clusters, that would settle an inconclusive pair.

        It assumes that the true difference is the observed one; None if the pair is settled, or no number would do.
        """
        deviation, margin = self.unit_deviation, self.settings.margin
        if self.verdict != "inconclusive" or deviation is None or not self.can_resolve:
            return None
        needed = [units_to_detect(self.difference, deviation, alpha=self.alpha)]
        if margin is not None:
            needed.append(units_to_equate(self.difference, deviation, margin=margin, alpha=self.alpha))
        fewest = FEW_UNITS if margin is not None else 2
        while not self.can_reach(fewest):
            fewest += 1
        enough = [max(number, fewest) for number in needed if number is not None]
        return max(1, min(enough) - self.shared.units) if enough else None

    def adjust_alike(self, pvalue: float) -> float:
        """Adjusted p-value if the deciding test had given this p-value for every pair of the family."""
        return _adjust_alike(pvalue, len(self.family), self.settings.correction)

    def adjust_again(self, pvalue: float) -> float:
        """Adjusted p-value if the deciding test had given this p-value for this pair."""
        others = np.delete(self.family, np.searchsorted(self.family, self.deciding.pvalue))
        rank = int(np.searchsorted(others, pvalue))
        return float(adjust_ascending(np.insert(others, rank, pvalue), method=self.settings.correction)[rank])


@lru_cache(maxsize=1024)
def _adjust_alike(pvalue: float, pairs: int, correction: Correction) -> float:
    """Cached, because every pair of a large family asks for the same few values."""
    return float(adjust([pvalue] * pairs, method=correction)[0])


def gather_pairs(replicates: Replicates, baseline: str) -> list[SystemPair]:
    """Test the pairs of systems that the settings select; they form the family of the correction.

    The baseline is first in its pairs; pairs with a system without a rate are left out.
    """
    ordered = [baseline, *(name for name in replicates.shared.counts if name != baseline)]
    pairs = [
        SystemPair(replicates, first, second)
        for first, second in combinations(ordered, 2)
        if replicates.settings.pairs == "all" or first == baseline
    ]
    tested = run_tests([pair for pair in pairs if not np.isnan(pair.difference)])
    return [replace(pair, influence=find_influence(pair)) for pair in steps(tested, "most influential units")]


def run_tests(pairs: Sequence[SystemPair]) -> list[SystemPair]:
    """The pairs of a family, compared by one metric, with all tests, adjusted; MAPSSWE only if both are aligned."""
    if not pairs:
        return []
    settings, metric = pairs[0].settings, pairs[0].metric
    # All pairs of a family share a metric, to which a test applies or not.
    letters = pairs[0].shared.operations
    aligned = all(letters.get(name, {}).get(metric.id) for name in (pairs[0].baseline, pairs[0].system))
    names = [name for name in settings.tests if aligned or name != "mapsswe"]
    equivalences = [_test_equivalence(pair) for pair in pairs]
    tests = [{name: run_test(pair, name) for name in names} for pair in steps(pairs, f"{metric.id}: tests of pairs")]
    adjusted = {
        name: adjust([results[name].pvalue for results in tests], method=settings.correction).tolist() for name in names
    }
    equivalences_adjusted = adjust(
        [equivalence.pvalue if equivalence else 1.0 for equivalence in equivalences], method=settings.correction
    ).tolist()
    family = np.sort([results[settings.deciding_test].pvalue for results in tests])
    return [
        replace(
            pair,
            tests=tests[position],
            adjusted={name: adjusted[name][position] for name in names},
            family=family,
            equivalence=equivalences[position],
            equivalence_adjusted=equivalences_adjusted[position],
        )
        for position, pair in enumerate(pairs)
    ]


def run_test(pair: SystemPair, name: PairedTest) -> TestResult:
    """One test of a pair; for tests of A and B, A is the baseline.

    Tests by resampling have p = 1 with the reason if there is too little to draw from. Randomisation only flips signs
    of differences if both systems have the same denominator in every unit, and else exchanges all their counts.
    """
    settings, metric, replicates, shared = pair.settings, pair.metric, pair.replicates, pair.shared
    unit, n, sign = shared.resampling_unit, shared.units, pair.improvement_sign
    if name == "wilcoxon":
        return wilcoxon_signed_rank(pair.rate_differences, zero_method=settings.zero_method)
    if name == "paired_t":
        return paired_t_test(pair.rate_differences, confidence=settings.confidence)
    if name == "sign":
        return sign_test(pair.rate_differences)
    if name == "mcnemar":
        baseline_exact, system_exact = (metric.is_exact(counts) for counts in pair.counts)
        return mcnemar_test(baseline_exact, system_exact, variant=settings.mcnemar, confidence=settings.confidence)
    if name == "mapsswe":
        letters = (shared.operations[system][metric.id] for system in (pair.baseline, pair.system))
        return mapsswe_test(*map(encode_letters, letters))
    if name == "randomisation":
        options: _Draws = {"resamples": settings.resamples, "seed": settings.seed, "alpha": settings.alpha}
        if metric.is_ratio:
            baseline, system = (metric.quotient(counts) for counts in pair.unit_counts)
            if np.array_equal(baseline[1], system[1]) and (length := int(baseline[1].sum())):
                return sign_flip(sign * (system[0] - baseline[0]), length=length, unit=unit, **options)
        return randomisation_test(*pair.unit_counts, lambda counts: sign * metric.rate(counts), unit=unit, **options)
    if replicates.reason:
        return TestResult(
            name="paired_bootstrap" if name == "bootstrap" else "jackknife",
            statistic=pair.difference if name == "bootstrap" else sign * pair.difference,
            pvalue=1.0,
            effect_size=0.5 if name == "bootstrap" else 0.0,
            effect_size_name="probability_of_improvement" if name == "bootstrap" else "standardised_difference",
            n=n,
            dropped=0,
            method="none",
            unit=unit,
            notes=(replicates.reason,),
        )
    if name == "jackknife":
        estimate = pair.difference_estimate
        return jackknife_test(replace(estimate, value=sign * estimate.value), unit=unit, n=n)
    first, second = (pair.baseline, pair.system) if sign > 0 else (pair.system, pair.baseline)
    return paired_bootstrap(
        sign * pair.difference,
        sign * (replicates.rates[pair.system] - replicates.rates[pair.baseline]),
        confidence=settings.confidence,
        unit=unit,
        n=n,
        # The test uses the resamples, so its interval does too, whatever the other intervals use.
        interval=None if settings.interval == "jackknife" else replicates.interval(second, first),
    )


def _test_equivalence(pair: SystemPair) -> TestResult | None:
    replicates, margin = pair.replicates, pair.settings.margin
    unit, n = pair.shared.resampling_unit, pair.shared.units
    if margin is None or replicates.reason or n < FEW_UNITS:
        return None
    if pair.settings.equivalence == "paired_t":
        baseline, system = (pair.metric.rate(counts) for counts in pair.unit_counts)
        return paired_t_equivalence(system - baseline, margin=margin, unit=unit)
    if pair.settings.equivalence == "jackknife":
        return jackknife_equivalence(pair.difference_estimate, margin=margin, unit=unit, n=n)
    rates = replicates.rates[pair.system] - replicates.rates[pair.baseline]
    return bootstrap_equivalence(pair.difference, rates, margin=margin, unit=unit, n=n)


def find_influence(pair: SystemPair) -> Influence | None:
    """Leave out each unit of a tested pair in turn, and repeat the test without the most influential one.

    None with fewer than three units, or if the difference is undefined without one of them. Cook (1977), Detection
    of influential observation in linear regression; Efron & Tibshirani (1993), An Introduction to the Bootstrap,
    chapter 11.
    """
    settings, shared, metric = pair.settings, pair.shared, pair.metric
    without = pair.leave_one_out
    if len(without) < FEWEST_UNITS or not np.isfinite(without).all():
        return None
    most = int(np.argmax(np.abs(without - pair.difference)))
    removed = shared.unit_names[most]
    rest = shared.only([pair.baseline, pair.system], metric.id).without(most)
    replicates = Replicates(rest, metric, settings)
    if settings.deciding_test in ("bootstrap", "jackknife"):
        only_intervals = settings.deciding_test == "jackknife"
        replicates = draw_replicates(rest, [metric], settings, only_intervals=only_intervals)[metric.id]
    left = SystemPair(replicates, pair.baseline, pair.system)
    pvalue = run_test(left, settings.deciding_test).pvalue
    adjusted = pair.adjust_again(pvalue)
    is_equivalent = pair.is_equivalent and abs(left.difference) < (settings.margin or 0.0)
    return Influence(
        unit=shared.resampling_unit,
        removed=removed,
        difference=left.difference,
        pvalue=pvalue,
        pvalue_adjusted=adjusted,
        verdict=left.verdict_if(is_significant=adjusted < settings.alpha, is_equivalent=is_equivalent),
    )
