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
    """One metric of one system; the sums of the metric's own counts stand beside the other keys.

    design_effect
        Variance of the rate with its clusters over that of independent segments; null without clusters.
    effective_segments
        How many independent segments would tell as much.
    """

    micro: float | None
    macro: float | None
    median: float | None
    segments: int
    empty_references: int
    design_effect: float | None
    effective_segments: float | None
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
    """A pair without the one unit that changes its difference most.

    unit, removed
        What was left out ("segment", or what a cluster is called), and which one.
    difference, pvalue, pvalue_adjusted
        Without it, the p-values by the deciding test.
    verdict, changes_verdict
        Without it, and whether that is another one.
    """

    unit: str
    removed: str
    difference: float
    pvalue: float
    pvalue_adjusted: float
    verdict: Verdict
    changes_verdict: bool


class PairResult(TypedDict):
    """One metric of a system against a baseline; a negative difference of a rate is an improvement.

    verdict, verdict_reason
        Of the system against the baseline, in one word and one plain sentence.
    equivalence
        The test of equivalence; null without a margin (statistics.margin) or below 10 units.
    minimum_detectable_difference
        Smallest true difference that would have been found with a probability of 80 %, a fraction like the rate; null
        where no difference could be found, or nothing tells how units vary.
    further_segments, further_clusters
        About how many more would settle it if the true difference is the observed one; null where it is settled, where
        no number would do, and for clusters where there are none.
    influence
        The pair without the unit that changes the difference most; null with fewer than three units.

    Notes
    -----
        Why tests disagree, or what a significant difference hangs on; empty where there is nothing to say.
    better, same, worse
        Segments by who reads them better.
    """

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
    equivalence: dict[str, object] | None
    minimum_detectable_difference: float | None
    further_segments: int | None
    further_clusters: int | None
    influence: InfluenceResult | None
    notes: list[str]
    better: int
    same: int
    worse: int


class RankResult(TypedDict):
    """Place of one system among all, by one metric.

    rank
        1 for the best; equal rates share a rank.
    first
        Share of the bootstrap samples in which it is first, ties shared; null where none could be drawn.
    letters
        Compact letter display: systems that share a letter are not separated, all others are; null where not every
        pair was tested.
    """

    rank: int
    first: float | None
    letters: str | None


class StatisticsFacts(TypedDict):
    """What intervals and tests were made of.

    random_groups
        How many random groups of units bootstrap samples draw; null where they draw the units themselves.
    pairs, family, family_size
        Which pairs are compared: those that a p-value is adjusted over, in words and in number.
    margin
        Largest difference that does not matter; null where none was declared.
    power
        Probability that minimum detectable differences refer to.
    unit, units
        What is taken as independent, and how many there are.
    smallest_pvalue
        That exchanging the systems in so many units can reach, before adjustment.
    """

    seed: int
    confidence: float
    interval: str
    resamples: int
    bootstrap: str
    random_groups: int | None
    second_cluster: str | None
    strata: str | None
    tests: list[str]
    decided_by: str
    alpha: float
    correction: str
    pairs: Literal["all", "baseline"]
    family: str
    family_size: int
    margin: float | None
    equivalence: str
    power: float
    unit: str
    units: int
    smallest_pvalue: float


class NemenyiPair(TypedDict):
    """Two systems, and the p-value of the difference of their average ranks, adjusted for all pairs."""

    better: str
    worse: str
    pvalue: float


class RanksResult(TypedDict):
    """Average ranks over clusters by one metric, for a critical-difference figure.

    friedman
        The test that all systems have the same ranks.
    average_ranks
        By system, best first; two differ at level `alpha` if theirs lie further apart than `critical_difference`.
    blocks, dropped
        Clusters that ranks were averaged over, and those left out because a system has no rate on them.
    block
        What a cluster is called.
    """

    friedman: dict[str, object]
    average_ranks: dict[str, float]
    critical_difference: float
    alpha: float
    blocks: int
    dropped: int
    block: str
    pairs: list[NemenyiPair]


class DatasetResult(TypedDict):
    """All systems on one data set.

    ranking
        By metric and system, best first; systems without a rate are left out.
    average_ranks
        By metric: Friedman's test and Nemenyi's over clusters; empty unless statistics.nemenyi asks for them and there
        are three systems or more on two clusters or more.
    design_effect
        By metric a sentence such as "1210 segments act like 143 independent ones."; without clusters there is none.
    """

    dataset: str
    data_digest: str
    segments: int
    excluded: int
    missing: str
    clusters: int | None
    cluster_name: str
    baseline: str
    engines: dict[str, dict[str, str]]
    systems: dict[str, dict[str, MetricResult]]
    groups: dict[str, dict[str, dict[str, dict[str, GroupResult]]]]
    parity: dict[str, dict[str, dict[str, ParityResult]]]
    comparisons: list[PairResult]
    ranking: dict[str, dict[str, RankResult]]
    average_ranks: dict[str, RanksResult]
    design_effect: dict[str, str]
    statistics: StatisticsFacts
    not_applicable: dict[str, str]
    warnings: list[str]
    signature: str
