"""The shape of a comparison as it stands in JSON: what `misread score` prints and the compare stage writes."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Verdict = Literal["better", "worse", "equivalent", "inconclusive"]


class Interval(TypedDict):
    """A confidence interval."""

    low: float
    high: float
    confidence: float
    method: str


class MetricResult(TypedDict):
    """One metric of one system; the sums of the metric's own counts stand beside the other keys."""

    micro: float | None
    macro: float | None
    median: float | None
    segments: int
    empty_references: int
    # variance of the rate with its clusters over that of independent segments; null without clusters
    design_effect: float | None
    effective_segments: float | None  # number of independent segments that would give the same variance
    confidence_interval: Interval | None
    direction: Literal["lower", "higher"]
    is_share: NotRequired[bool]
    signature: str
    errors: NotRequired[int]
    length: NotRequired[int]
    hits: NotRequired[int]
    substitutions: NotRequired[int]
    deletions: NotRequired[int]
    insertions: NotRequired[int]
    transpositions: NotRequired[int]


class GroupResult(TypedDict):
    """One metric of one system on the segments of one group."""

    micro: float | None
    segments: int
    confidence_interval: Interval | None


class ParityResult(TypedDict):
    """Spread of one metric of one system over the groups of a column, each weighing the same."""

    groups: int
    range: float
    standard_deviation: float
    mean: float
    worst_group: str
    best_group: str
    band: str | None


class InfluenceResult(TypedDict):
    """A pair without the one unit that changes its difference most; all values are those without it."""

    unit: str  # what was left out: "segment", or what a cluster is called
    removed: str  # which one
    difference: float
    pvalue: float  # of the deciding test
    pvalue_adjusted: float
    verdict: Verdict
    changes_verdict: bool  # whether the verdict is another one than with all units


class PairResult(TypedDict):
    """One metric of a system against a baseline; a negative difference of a rate is an improvement."""

    baseline: str
    system: str
    metric: str
    difference: float
    confidence_interval: Interval | None
    verdict: Verdict
    verdict_reason: str
    tests: dict[str, dict[str, object]]
    decided_by: str
    pvalue_adjusted: float
    significant: bool
    equivalence: dict[str, object] | None  # null without a margin (statistics.margin) or below 10 units
    # smallest true difference found with 80 % probability, a fraction like the rate; null where no difference could be
    # found, or the variation between units is unknown
    minimum_detectable_difference: float | None
    # about how many more would settle it if the true difference is the observed one; null where it is settled, or no
    # number would do
    further_segments: int | None
    further_clusters: int | None  # the same in clusters; null where there are none
    influence: InfluenceResult | None  # null with fewer than three units
    notes: list[str]  # why tests disagree, or which unit a significant difference depends on; may be empty
    better: int  # segments that the system reads better
    same: int
    worse: int


class RankResult(TypedDict):
    """Place of one system among all, by one metric."""

    rank: int  # 1 for the best; equal rates share a rank
    # share of the bootstrap samples in which it is first, ties shared; null where none could be drawn
    first: float | None
    # compact letter display: systems that share a letter are not significantly different; null where not every pair was
    # tested
    letters: str | None


class StatisticsFacts(TypedDict):
    """What intervals and tests were made with."""

    seed: int
    confidence: float
    interval: str
    resamples: int
    bootstrap: str
    random_groups: int | None  # number of random groups of units that are drawn; null where the units themselves are
    second_cluster: str | None
    strata: str | None
    tests: list[str]
    decided_by: str
    alpha: float
    correction: str
    pairs: Literal["all", "baseline"]
    family: str  # the pairs that a p-value is adjusted over, in words
    family_size: int
    margin: float | None  # largest difference that does not matter; null where none was declared
    equivalence: str
    power: float  # probability that minimum detectable differences refer to
    unit: str  # what is treated as independent
    units: int  # how many there are
    smallest_pvalue: float  # that exchanging the systems in so many units can reach, before adjustment


class NemenyiPair(TypedDict):
    """Two systems, and the p-value of the difference of their average ranks, adjusted for all pairs."""

    better: str
    worse: str
    pvalue: float


class RanksResult(TypedDict):
    """Average ranks over clusters by one metric, for a critical-difference figure."""

    friedman: dict[str, object]  # the test that all systems have the same ranks
    average_ranks: dict[str, float]  # by system, best first
    critical_difference: float  # systems whose average ranks lie further apart differ at level `alpha`
    alpha: float
    blocks: int  # clusters that ranks were averaged over
    dropped: int  # clusters left out because a system has no rate on them
    block: str  # what a cluster is called
    pairs: list[NemenyiPair]


class DatasetResult(TypedDict):
    """All systems on one data set."""

    dataset: str
    data_digest: str
    segments: int
    excluded: int  # segments left out because at least one system lacks them
    missing: str
    clusters: int | None
    cluster_name: str
    baseline: str
    engines: dict[str, dict[str, str]]
    systems: dict[str, dict[str, MetricResult]]
    groups: dict[str, dict[str, dict[str, dict[str, GroupResult]]]]  # by group column, group, system and metric
    parity: dict[str, dict[str, dict[str, ParityResult]]]  # by group column, metric and system
    comparisons: list[PairResult]
    ranking: dict[str, dict[str, RankResult]]  # by metric and system, best first; systems without a rate are left out
    # by metric; empty unless statistics.nemenyi is set and there are three systems on two clusters or more
    average_ranks: dict[str, RanksResult]
    # by metric a sentence such as "Effective sample size: 143 of 1210 segments."; empty without clusters
    design_effect: dict[str, str]
    statistics: StatisticsFacts
    not_applicable: dict[str, str]
    warnings: list[str]
    signature: str
