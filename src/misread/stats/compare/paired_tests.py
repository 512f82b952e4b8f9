"""The paired tests by name, and all of them on one pair of systems, with p-values adjusted over the family of pairs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from misread.stats.compare.settings import PairedTest, StatisticsSettings
from misread.stats.compare.system_pair import SystemPair
from misread.stats.results import TestResult
from misread.stats.significance.corpus_scores import FEW_UNITS, jackknife_test, paired_bootstrap
from misread.stats.significance.equivalence import bootstrap_equivalence, jackknife_equivalence, paired_t_equivalence
from misread.stats.significance.mapsswe import encode_letters, mapsswe_test
from misread.stats.significance.mcnemar import mcnemar_test
from misread.stats.significance.pvalue_adjustment import Correction, adjust
from misread.stats.significance.randomisation import MONTE_CARLO, randomisation_test, sign_flip, smallest_pvalue
from misread.stats.significance.rate_differences import paired_t_test, sign_test, wilcoxon_signed_rank


def tests_of(pair: SystemPair) -> list[PairedTest]:
    """Tests that are asked for and that the metric has, in the order of the settings; MAPSSWE needs alignments."""
    aligned = bool(pair.baseline_operations and pair.system_operations)
    return [name for name in pair.settings.tests if aligned or name != "mapsswe"]


def run_wilcoxon(pair: SystemPair) -> TestResult:
    """Wilcoxon's signed-rank test on the rates of segments."""
    return wilcoxon_signed_rank(pair.rate_differences, zero_method=pair.settings.zero_method)


def run_mcnemar(pair: SystemPair) -> TestResult:
    """McNemar's test on the segments without error; A is the baseline."""
    is_exact = pair.metric.is_exact
    return mcnemar_test(
        is_exact(pair.baseline_counts),
        is_exact(pair.system_counts),
        variant=pair.settings.mcnemar,
        confidence=pair.settings.confidence,
    )


def run_mapsswe(pair: SystemPair) -> TestResult:
    """MAPSSWE on the alignments of the metric; A is the baseline."""
    return mapsswe_test(encode_letters(pair.baseline_operations), encode_letters(pair.system_operations))


def run_bootstrap(pair: SystemPair) -> TestResult:
    """The paired bootstrap on the corpus rate; p = 1 with the reason where there is too little to draw from."""
    replicates = pair.replicates
    if replicates.reason:
        return TestResult(
            name="paired_bootstrap",
            statistic=pair.difference,
            pvalue=1.0,
            effect_size=0.5,
            effect_size_name="probability_of_improvement",
            n=replicates.n,
            dropped=0,
            method="none",
            unit=replicates.unit,
            notes=(replicates.reason,),
        )
    sign = pair.improvement_sign
    first, second = (pair.baseline, pair.system) if sign > 0 else (pair.system, pair.baseline)
    return paired_bootstrap(
        sign * pair.difference,
        sign * pair.difference_replicates,
        confidence=pair.settings.confidence,
        unit=replicates.unit,
        n=replicates.n,
        # The test rests on the resamples, and so does its interval, whatever the other intervals rest on.
        interval=None
        if pair.settings.interval == "jackknife"
        else replicates.difference_interval(first, second, pair.settings),
    )


def run_randomisation(pair: SystemPair) -> TestResult:
    """Approximate randomisation of the corpus rate, whole clusters changing sides where there are any."""
    settings, sign, unit = pair.settings, pair.improvement_sign, pair.replicates.unit
    shared = pair.numerator_differences
    if shared is not None:
        differences, denominator = shared
        return sign_flip(
            sign * differences,
            length=denominator,
            resamples=settings.resamples,
            seed=settings.seed,
            alpha=settings.alpha,
            unit=unit,
        )
    return randomisation_test(
        pair.baseline_units,
        pair.system_units,
        lambda counts: sign * pair.metric.rate(counts),
        resamples=settings.resamples,
        seed=settings.seed,
        alpha=settings.alpha,
        unit=unit,
    )


def run_jackknife(pair: SystemPair) -> TestResult:
    """Student's t test by the error of the interval; p = 1 with the reason where there is too little to find one."""
    replicates, sign = pair.replicates, pair.improvement_sign
    if replicates.reason:
        return TestResult(
            name="jackknife",
            statistic=sign * pair.difference,
            pvalue=1.0,
            effect_size=0.0,
            effect_size_name="standardised_difference",
            n=replicates.n,
            dropped=0,
            method="none",
            unit=replicates.unit,
            notes=(replicates.reason,),
        )
    estimate = pair.difference_estimate
    return jackknife_test(replace(estimate, value=sign * estimate.value), unit=replicates.unit, n=replicates.n)


def run_paired_t(pair: SystemPair) -> TestResult:
    """Student's t test on the mean of the rates of segments."""
    return paired_t_test(pair.rate_differences, confidence=pair.settings.confidence)


def run_sign(pair: SystemPair) -> TestResult:
    """The sign test on the rates of segments."""
    return sign_test(pair.rate_differences)


PAIRED_TESTS: Mapping[PairedTest, Callable[[SystemPair], TestResult]] = {
    "wilcoxon": run_wilcoxon,
    "mcnemar": run_mcnemar,
    "bootstrap": run_bootstrap,
    "randomisation": run_randomisation,
    "jackknife": run_jackknife,
    "paired_t": run_paired_t,
    "sign": run_sign,
    "mapsswe": run_mapsswe,
}


@dataclass(frozen=True, kw_only=True)
class TestedPair:
    """What a verdict rests on."""

    pair: SystemPair
    tests: Mapping[PairedTest, TestResult]
    adjusted: Mapping[PairedTest, float]  # p-values, adjusted over the family
    family: tuple[float, ...]  # p-values of the deciding test for all pairs of the family, before adjustment
    place: int  # of this pair in the family
    equivalence: TestResult | None  # None without a margin, or with too little to draw from
    equivalence_adjusted: float  # 1 where there is no test of equivalence

    @property
    def settings(self) -> StatisticsSettings:
        """Settings of the comparison."""
        return self.pair.settings

    @property
    def deciding(self) -> TestResult:
        """The test that decides."""
        return self.tests[self.settings.deciding_test]

    @property
    def pvalue_adjusted(self) -> float:
        """Adjusted p-value of the test that decides."""
        return self.adjusted[self.settings.deciding_test]

    @property
    def is_significant(self) -> bool:
        """Whether the deciding test finds a difference, after adjustment."""
        return self.pvalue_adjusted < self.settings.alpha

    @property
    def is_equivalent(self) -> bool:
        """Whether the difference is surely smaller than the margin."""
        return self.equivalence is not None and self.equivalence_adjusted < self.settings.alpha

    @property
    def alpha(self) -> float:
        """Level below which this pair's own p-value is sure to count, whatever the others are."""
        return self.settings.alpha if self.settings.correction == "none" else self.settings.alpha / len(self.family)

    def can_reach(self, units: int) -> bool:
        """Whether signs of so many differences, all alike in all pairs of the family, would be significant."""
        return self.adjust_alike(smallest_pvalue(units)) < self.settings.alpha

    @property
    def can_resolve(self) -> bool:
        """Whether there are resamples enough for a significant p-value, where the deciding test counts them."""
        counts_resamples = self.settings.deciding_test == "bootstrap" or self.deciding.method.startswith(MONTE_CARLO)
        return not counts_resamples or self.adjust_alike(1 / (1 + self.settings.resamples)) < self.settings.alpha

    def adjust_alike(self, pvalue: float) -> float:
        """Adjusted p-value of this pair if the deciding test had given this one for every pair of the family."""
        return _adjust_alike(pvalue, len(self.family), self.settings.correction)

    def adjust_again(self, pvalue: float) -> float:
        """Adjusted p-value of this pair if the deciding test had given another one."""
        family = [*self.family[: self.place], pvalue, *self.family[self.place + 1 :]]
        return float(adjust(family, method=self.settings.correction)[self.place])


@lru_cache(maxsize=1024)
def _adjust_alike(pvalue: float, pairs: int, correction: Correction) -> float:
    """Every pair of a large family asks for the same few."""
    return float(adjust([pvalue] * pairs, method=correction)[0])


def run_tests(pairs: Sequence[SystemPair], settings: StatisticsSettings) -> list[TestedPair]:
    """All tests of a family (the pairs of systems that are compared by one metric), adjusted; one per pair."""
    # The pairs of a family are of one metric, which either has a test or not.
    names = tests_of(pairs[0]) if pairs else []
    tests = [{name: PAIRED_TESTS[name](pair) for name in names} for pair in pairs]
    adjusted = {name: adjust([of[name].pvalue for of in tests], method=settings.correction).tolist() for name in names}
    equivalences = [_test_equivalence(pair) for pair in pairs]
    equivalences_adjusted = adjust(
        [equivalence.pvalue if equivalence else 1.0 for equivalence in equivalences], method=settings.correction
    ).tolist()
    family = tuple(of[settings.deciding_test].pvalue for of in tests)
    return [
        TestedPair(
            pair=pair,
            tests=tests[place],
            adjusted={name: adjusted[name][place] for name in names},
            family=family,
            place=place,
            equivalence=equivalences[place],
            equivalence_adjusted=equivalences_adjusted[place],
        )
        for place, pair in enumerate(pairs)
    ]


def _test_equivalence(pair: SystemPair) -> TestResult | None:
    replicates, margin = pair.replicates, pair.settings.margin
    if margin is None or replicates.reason or replicates.n < FEW_UNITS:
        return None
    if pair.settings.equivalence == "paired_t":
        return paired_t_equivalence(pair.unit_rate_differences, margin=margin, unit=replicates.unit)
    if pair.settings.equivalence == "jackknife":
        return jackknife_equivalence(pair.difference_estimate, margin=margin, unit=replicates.unit, n=replicates.n)
    return bootstrap_equivalence(
        pair.difference, pair.difference_replicates, margin=margin, unit=replicates.unit, n=replicates.n
    )
