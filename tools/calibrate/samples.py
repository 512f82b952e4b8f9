"""A simulated sample as the stage `compare` gets one, and what it asks of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from misread.data.segment_table import SegmentKeys
from misread.metrics import Metric
from misread.sockets import METRICS
from misread.stats import StatisticsSettings
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.system_pair import SystemPair
from misread.tally.scores import Counts, RunCounts
from misread.types import BoolArray, IntArray

ALPHA, CONFIDENCE, RESAMPLES = 0.05, 0.95, 999
SYSTEMS = ("first", "second", "third", "fourth")
WER = METRICS["wer"]


@dataclass(frozen=True, eq=False)
class Sample:
    """Counts of systems on the same segments; samples are equal to none but themselves, and can be keys."""

    metric: Metric
    shared: SharedSegments
    seed: int  # of everything that is drawn from it
    wrong: BoolArray | None  # which words of all segments each system has wrong, shape (systems, words), if simulated

    @classmethod
    def of(
        cls,
        metric: Metric,
        counts: IntArray,
        clusters: IntArray | None = None,
        *,
        groups: dict[str, Any] | None = None,
        runs: IntArray | None = None,
        seed: int = 1,
        wrong: BoolArray | None = None,
    ) -> Sample:
        """A sample of counts that the rate looks at, shape (systems, segments, columns), in each run if there are any.

        `runs` has shape (systems, runs, segments, columns); `counts` are then their sums.
        """
        keys = SegmentKeys(_ids(counts.shape[1]), None, groups or {})
        by_system = {
            system: {metric.id: Counts(metric.columns, values)}
            for system, values in zip(SYSTEMS, in_columns(metric, counts), strict=False)
        }
        shared = SharedSegments(keys, by_system, clusters, "" if clusters is None else "cluster", 0)
        if runs is not None:
            names, same = [str(run) for run in range(runs.shape[1])], np.zeros(len(keys), np.bool_)
            by_run = zip(by_system, in_columns(metric, runs), strict=True)
            run_counts = {system: RunCounts(names, {metric.id: values}, same) for system, values in by_run}
            shared = replace(shared, runs=run_counts, scale=len(names))
        return cls(metric, shared, seed, wrong)

    def counts(self, system: int = 0) -> IntArray:
        """Counts of a system by segment, shape (segments, columns)."""
        return self.shared.counts[SYSTEMS[system]][self.metric.id].values

    @cached_property
    def aligned(self) -> Sample:
        """The same with alignments, of which all errors are substitutions."""
        ends = np.cumsum(self.counts()[:, 1]).tolist()
        operations = {}
        for system, words in zip(self.shared.counts, np.where(self.wrong, "S", "C"), strict=True):
            letters = "".join(words)
            operations[system] = {self.metric.id: [letters[start:end] for start, end in pairwise([0, *ends])]}
        return replace(self, shared=replace(self.shared, operations=operations))

    @cached_property
    def by_segment(self) -> Sample:
        """The same without clusters."""
        return replace(self, shared=replace(self.shared, cluster_codes=None, cluster_name=""))

    def pair(self, settings: StatisticsSettings, first: int = 0, second: int = 1, *, draws: bool = False) -> SystemPair:
        """Two of the systems, as every paired test takes them; with `draws`, with bootstrap samples in any case."""
        return SystemPair(replicates(self, settings, draws=draws), SYSTEMS[first], SYSTEMS[second])


@cache
def _ids(segments: int) -> list[str]:
    return [f"{row:05}" for row in range(segments)]


@lru_cache(maxsize=32)
def replicates(sample: Sample, settings: StatisticsSettings, *, draws: bool = False) -> Replicates:
    """What intervals rest on; bootstrap samples only where an interval needs them, or with `draws`."""
    settings = replace(settings, seed=sample.seed)
    return draw_replicates(sample.shared, [sample.metric], settings, only_intervals=not draws)[sample.metric.id]


def in_columns(metric: Metric, counts: IntArray) -> IntArray:
    """Counts that the rate looks at, at their positions among all columns of a metric."""
    placed = np.zeros((*counts.shape[:-1], len(metric.columns)), np.int64)
    placed[..., [metric.columns.index(name) for name in metric.rate_columns]] = counts
    return placed
