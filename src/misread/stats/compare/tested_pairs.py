"""All tests of one pair of systems, with their p-values adjusted over the family of pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from misread.stats.compare.paired_tests import PAIRED_TESTS, tests_of
from misread.stats.compare.settings import PairedTest, StatisticsSettings
from misread.stats.compare.system_pair import SystemPair
from misread.stats.results import TestResult
from misread.stats.significance.bootstrap import FEW_UNITS
from misread.stats.significance.corrections import Correction, adjust
from misread.stats.significance.equivalence import bootstrap_equivalence, jackknife_equivalence, paired_t_equivalence
from misread.stats.significance.randomisation import MONTE_CARLO, smallest_pvalue


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
