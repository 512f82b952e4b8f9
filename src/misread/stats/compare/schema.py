"""A comparison as a tree of frozen records: its results, written as JSON and read again."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Self

from misread.io import read_record
from misread.metrics import Direction, Fairness, Kind, Spread
from misread.provenance.signature import Signature
from misread.stats.compare.settings import Pairs
from misread.stats.results import ConfidenceInterval, TestResult
from misread.tally.missing_texts import MissingOutputs

Verdict = Literal["better", "worse", "equivalent", "inconclusive"]

# The same pair with the other system as the baseline.
_REVERSED: Mapping[Verdict, Verdict] = {"better": "worse", "worse": "better"}


@dataclass(frozen=True, kw_only=True)
class MetricResult:
    """One metric of one system; rates are None where no reference has a unit."""

    micro: float | None  # rate of the summed counts: the headline
    macro: float | None  # mean of the rates of segments
    median: float | None
    segments: int
    empty_references: int  # segments whose rate is undefined
    exact_segments: int  # segments without fault, by the metric's own rule
    counts: Mapping[str, int]  # sums of the metric's own counts by their names, such as "errors" and "length"
    design_effect: float | None  # variance with the clusters over that of independent segments; None without
    effective_segments: float | None  # number of independent segments that would give the same variance
    confidence_interval: ConfidenceInterval | None
    direction: Direction
    kind: Kind
    signature: Signature
    interval_reason: str = ""  # why there is no interval; names the units that decide
    spread: Spread | None = None  # of the rates of segments; None where none has one
    counted: str = ""  # plural noun of what the metric counts; empty where a lower rate need not be fewer

    @property
    def rate(self) -> float | None:
        """The headline, `micro`."""
        return self.micro

    @property
    def interval(self) -> ConfidenceInterval | None:
        """Interval of the rate, `confidence_interval`."""
        return self.confidence_interval

    @property
    def has_operations(self) -> bool:
        """Whether it counts the errors of an alignment, with the length of the reference."""
        return {"errors", "length"} <= self.counts.keys()


@dataclass(frozen=True, kw_only=True)
class GroupResult:
    """One metric of one system on the segments of one group."""

    micro: float | None
    segments: int
    confidence_interval: ConfidenceInterval | None
    interval_reason: str = ""  # why there is no interval; names the units that decide


@dataclass(frozen=True, kw_only=True)
class Influence:
    """A pair without the one unit that changes its difference most; all values are those without it."""

    unit: str  # what was left out: "segment", or what a cluster is called
    removed: str  # which one
    difference: float
    pvalue: float  # of the deciding test
    pvalue_adjusted: float  # the rest of the family stays as it is
    verdict: Verdict  # an equivalent pair stays so as long as its difference lies within the margin

    def reversed(self) -> Self:
        """The same unit with the other system as the baseline."""
        return replace(self, difference=-self.difference, verdict=_REVERSED.get(self.verdict, self.verdict))


ReasonCode = Literal[
    "difference",
    "equivalent",
    "no_difference",
    "few_units",
    "few_differing",
    "few_resamples",
    "no_test",
    "no_variation",
    "equal",
]


@dataclass(frozen=True, kw_only=True)
class VerdictReason:
    """Why a verdict is what it is; `misread.tables.explain_verdict` says it in a sentence."""

    code: ReasonCode
    alpha: float
    margin: float | None
    correction: str
    pairs: int  # in the family that p-values are adjusted over
    number: int | None = None  # of units, differing units or resamples, where they are too few
    unit: str = ""  # what they are
    detail: str = ""  # why no test could be made

    @property
    def can_tell(self) -> bool:
        """Whether any outcome could have been significant."""
        return self.code in ("difference", "equivalent", "no_difference", "equal")


@dataclass(frozen=True, kw_only=True)
class PairComparison:
    """One metric of a system against a baseline.

    Attributes
    ----------
    baseline, system : str
        What was compared with what.
    metric : str
    difference : float
        Rate of `system` minus that of `baseline`: negative is an improvement for an error rate.
    confidence_interval : ConfidenceInterval or None
        Of the difference: `low`, `high`, `confidence`, `method`.
    verdict : {"better", "worse", "equivalent", "inconclusive"}
        What can be said of `system`.
    verdict_reason : VerdictReason
        What the verdict follows from, as data.
    tests : mapping of str to TestResult
        With p-values adjusted over the family of pairs.
    decided_by : str
        The test that the verdict follows; `pvalue_adjusted` and `significant` are its.
    """

    baseline: str
    system: str
    metric: str
    difference: float
    confidence_interval: ConfidenceInterval | None
    verdict: Verdict
    verdict_reason: VerdictReason
    tests: Mapping[str, TestResult] = field(repr=False)
    decided_by: str
    pvalue_adjusted: float
    significant: bool
    equivalence: TestResult | None  # None without a margin or below 10 units
    minimum_detectable_difference: float | None  # found with 80 % probability; None if none could be
    further_segments: int | None  # that would settle it if the observed difference is the true one
    further_clusters: int | None  # None where it is settled, or no number would do
    influence: Influence | None  # None with fewer than three units
    notes: tuple[str, ...]  # why tests disagree, or which unit a significant difference depends on
    better: int  # segments that the system reads better
    same: int
    worse: int

    @property
    def interval(self) -> ConfidenceInterval | None:
        """Interval of the difference, `confidence_interval`."""
        return self.confidence_interval

    @property
    def pvalue(self) -> float:
        """What the verdict follows, `pvalue_adjusted`: of the deciding test, adjusted over all pairs."""
        return self.pvalue_adjusted

    @property
    def pvalue_raw(self) -> float:
        """The p-value of the deciding test before adjustment."""
        return self.tests[self.decided_by].pvalue

    def reversed(self) -> Self:
        """The same pair with the other system as the baseline.

        Tests stay as they were made: their p-values do not depend on the order, the signs of their statistics and
        effect sizes do.
        """
        interval = self.confidence_interval
        return replace(
            self,
            baseline=self.system,
            system=self.baseline,
            difference=-self.difference,
            confidence_interval=interval and interval.negated(),
            verdict=_REVERSED.get(self.verdict, self.verdict),
            influence=self.influence and self.influence.reversed(),
            better=self.worse,
            worse=self.better,
        )


@dataclass(frozen=True, kw_only=True)
class Rank:
    """Place of one system among all, by one metric."""

    rank: int  # 1 for the best; equal rates share a rank
    # share of the bootstrap samples in which it is first, ties shared; None where none could be drawn
    first: float | None
    # compact letter display: systems that share a letter are not significantly different; None where not every pair was
    # tested
    letters: str | None
    # ranks that the tests leave open: behind those significantly better, ahead of those significantly worse; None alike
    highest: int | None
    lowest: int | None


@dataclass(frozen=True, kw_only=True)
class StatisticsFacts:
    """Everything that intervals and tests were made with: a result can be understood without its configuration."""

    seed: int
    confidence: float
    interval: str
    resamples: int
    second_cluster: str | None
    tests: tuple[str, ...]
    decided_by: str
    alpha: float
    correction: str
    pairs: Pairs
    family: str  # the pairs that a p-value is adjusted over, in words
    family_size: int
    margin: float | None  # largest difference that does not matter; None where none was declared
    equivalence: str
    power: float  # probability that minimum detectable differences refer to
    unit: str  # name of independent units
    units: int  # how many there are
    smallest_pvalue: float  # that exchanging the systems in all units can reach, before adjustment
    runs: str = "averaged"  # how repeated runs are taken; what was made before there were any has one run


@dataclass(frozen=True, kw_only=True)
class Caution:
    """In few words, what changes how a number may be read: of one metric, or of all."""

    text: str
    metric: str = ""  # id; empty for all metrics


@dataclass(frozen=True, kw_only=True)
class DatasetResult:
    """All systems on one data set.

    Attributes
    ----------
    segments, excluded : int
        Segments that all systems have; segments left out because at least one system lacks them.
    clusters : int or None
        None where segments are taken as independent.
    systems : mapping of system to mapping of metric to MetricResult
    groups : mapping of group column to mapping of group to mapping of system to mapping of metric to GroupResult
    fairness : mapping of group column to mapping of metric to mapping of system to Fairness
        Spread over the groups, each weighted equally; without systems that have a rate on fewer than two groups. A band
        of the range is given for character error rates alone.
    comparisons : tuple of PairComparison
        Metric by metric.
    ranking : mapping of metric to mapping of system to Rank
        Best first; systems without a rate are left out.
    not_applicable : mapping of system to str
        Reasons why systems could not read the data set.
    warnings : tuple of str
        Sentences on doubts, small numbers and assumptions.
    cautions : tuple of Caution
        Those of them that change how a number may be read, shortened for the notes below every table.
    sections : mapping of str to record
        Records of features, by the names of their sections; a feature without results has none.
    missing_outputs : mapping of system to MissingOutputs
        Numbers of `missing` and `failed` outputs by run, of systems that lack some.
    pairing : mapping of system to sequence of mapping
        Faults in the pairing of outputs and references, of systems that have some: the `fault`, how many
        `segments` of how many, their ids, the proposed `pairs`, and errors as paired and as proposed.
    """

    dataset: str
    data_digest: str
    segments: int
    excluded: int
    missing: str
    clusters: int | None
    cluster_name: str
    baseline: str
    engines: Mapping[str, Mapping[str, str]]
    systems: Mapping[str, Mapping[str, MetricResult]]
    groups: Mapping[str, Mapping[str, Mapping[str, Mapping[str, GroupResult]]]]
    fairness: Mapping[str, Mapping[str, Mapping[str, Fairness]]]
    comparisons: tuple[PairComparison, ...]
    ranking: Mapping[str, Mapping[str, Rank]]
    statistics: StatisticsFacts
    not_applicable: Mapping[str, str]
    warnings: tuple[str, ...]
    signature: Signature
    sections: Mapping[str, Any] = field(default_factory=dict)
    missing_outputs: Mapping[str, MissingOutputs] = field(default_factory=dict)
    cautions: tuple[Caution, ...] = ()
    pairing: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)

    @property
    def first_system(self) -> Mapping[str, MetricResult]:
        """Results of the first system by metric, for what all systems share: direction, kind, rules."""
        return next(iter(self.systems.values()))

    def pairs(self, metric: str) -> list[PairComparison]:
        """Comparisons by one metric."""
        return [pair for pair in self.comparisons if pair.metric == metric]


def find_pair(pairs: Iterable[PairComparison], baseline: str, system: str) -> PairComparison | None:
    """The comparison of a system with a baseline, in whichever order it was made; None where there is none."""
    for pair in pairs:
        if (pair.baseline, pair.system) == (baseline, system):
            return pair
        if (pair.baseline, pair.system) == (system, baseline):
            return pair.reversed()
    return None


def read_comparison(path: str | os.PathLike[str], *, command: str = "dvc repro") -> DatasetResult:
    """Read a comparison from a JSON file, its sections as plain values; errors name `command`, which writes it.

    `misread.sockets.read_comparison` reads the sections, too.
    """
    return read_record(Path(path), DatasetResult, kind="comparison", command=command)
