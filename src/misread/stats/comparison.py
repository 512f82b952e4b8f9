"""The shape of a comparison as it stands in JSON: what `misread score` prints and the compare stage writes."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


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
    effective_segments: float | None
    confidence_interval: Interval | None
    direction: Literal["lower", "higher"]
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


class PairResult(TypedDict):
    """One metric of a system against a baseline; a negative difference of a rate is an improvement."""

    baseline: str
    system: str
    metric: str
    difference: float
    confidence_interval: Interval | None
    tests: dict[str, dict[str, object]]
    decided_by: str
    pvalue_adjusted: float
    significant: bool
    better: int
    same: int
    worse: int


class DatasetResult(TypedDict):
    """All systems on one data set."""

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
    not_applicable: dict[str, str]
    warnings: list[str]
    signature: str
