"""Settings of intervals and tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from misread.errors import ConfigurationError, SettingError, setting
from misread.io.checks.choices import check_choice, check_choices
from misread.io.checks.numbers import check_whole
from misread.io.json_files import LARGEST
from misread.stats.bootstrap.intervals import IntervalMethod
from misread.stats.significance.mcnemar import McNemarVariant
from misread.stats.significance.pvalue_adjustment import Correction
from misread.stats.significance.rate_differences import ZeroMethod

PairedTest = Literal["wilcoxon", "mcnemar", "bootstrap", "randomisation", "jackknife", "paired_t", "sign", "mapsswe"]
Pairs = Literal["all", "baseline"]
EquivalenceTest = Literal["jackknife", "bootstrap", "paired_t"]

RunsRule = Literal["averaged", "crossed"]

BY_CLUSTER: frozenset[PairedTest] = frozenset({"randomisation", "bootstrap", "jackknife"})
"""Tests that treat clusters as independent units; the others treat segments so."""

_BEST_OF_RUNS = ("best", "best_of", "best_of_n", "min", "max")
# Those whose error has a part for runs.
_TESTS_WITH_RUNS = ("bootstrap", "jackknife")

MOST_RESAMPLES = 1_000_000
"""Enough for p-values down to a millionth, with all rates in memory; 9999 reach a ten-thousandth."""


@dataclass(frozen=True)
class StatisticsSettings:
    """Settings of intervals and tests; conf/statistics/default.yaml says what each of them means."""

    seed: int
    confidence: float = 0.95
    interval: IntervalMethod = "jackknife"
    resamples: int = 9999
    second_cluster: str | None = None
    runs: RunsRule = "averaged"
    tests: Sequence[PairedTest] = ("wilcoxon", "mcnemar", "bootstrap", "randomisation")
    mcnemar: McNemarVariant = "exact"
    zero_method: ZeroMethod = "wilcox"
    deciding_test: PairedTest = "randomisation"
    alpha: float = 0.05
    pairs: Pairs = "all"
    correction: Correction = "holm"
    margin: float | None = None
    equivalence: EquivalenceTest = "jackknife"
    length_classes: int = 4
    sections: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in ("seed", "resamples", "length_classes"):
            object.__setattr__(self, name, check_whole(setting(f"statistics.{name}"), getattr(self, name)))
        if self.runs in _BEST_OF_RUNS:
            raise SettingError(
                "statistics.runs",
                self.runs,
                "averaged or crossed: the best of several runs was chosen by its errors, so that a new run would "
                "have a higher rate",
            )
        check_choices(self, section="statistics")
        if self.runs == "crossed":
            self._check_crossed()
        if isinstance(self.tests, str):
            raise SettingError("statistics.tests", self.tests, f"a list, such as [{self.tests}]")
        for test in self.tests:
            check_choice("test", test, PairedTest, where=setting("statistics.tests"))
        if self.deciding_test not in self.tests:
            listed = f"{setting('statistics.tests')} ({', '.join(self.tests) or 'empty'})"
            raise SettingError("statistics.deciding_test", self.deciding_test, f"one of {listed}")
        if self.deciding_test == "mapsswe":
            reason = "not every metric has it, and it ignores clusters"
            raise SettingError(
                "statistics.deciding_test", self.deciding_test, f"a test such as randomisation: {reason}"
            )
        for name, share in (("confidence", self.confidence), ("alpha", self.alpha)):
            if not 0 < share < 1:
                raise SettingError(f"statistics.{name}", share, "a number between 0 and 1")
        if self.margin is not None and not 0 < self.margin <= LARGEST:
            raise SettingError(
                "statistics.margin",
                self.margin,
                f"a difference of rates above 0 and up to {LARGEST:g}, such as 0.005 for half a point, or null",
            )
        if self.length_classes < 0:
            raise SettingError("statistics.length_classes", self.length_classes, "0 or more")
        if not 1 <= self.resamples <= MOST_RESAMPLES:
            expected = f"1 to {MOST_RESAMPLES:,}; 9999 is usual"
            raise SettingError("statistics.resamples", self.resamples, expected)
        if not 0 <= self.seed < 2**63:
            raise SettingError("statistics.seed", self.seed, "0 to 2^63 - 1")

    def _check_crossed(self) -> None:
        crossed = setting("statistics.runs", "crossed")
        if self.second_cluster:
            raise ConfigurationError(
                f"{crossed} and {setting('statistics.second_cluster')} exclude each other: choose one of them."
            )
        if self.deciding_test not in _TESTS_WITH_RUNS:
            raise SettingError(
                "statistics.deciding_test",
                self.deciding_test,
                f"jackknife or bootstrap with {crossed}: the others ignore effects that a run has on all clusters",
            )

    @property
    def interval_used(self) -> str:
        """How intervals are found: where no single units are drawn, the jackknife borrows the bootstrap's error."""
        if self.interval != "jackknife":
            return self.interval
        if self.second_cluster is not None:
            return "standard"
        return "two-way" if self.runs == "crossed" else "jackknife"

    def family_size(self, systems: int) -> int:
        """Number of pairs over which a p-value of this number of systems is adjusted."""
        return max(0, systems - 1) if self.pairs == "baseline" else systems * (systems - 1) // 2
