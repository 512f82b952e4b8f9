"""Simulated corpora with known error rates, so that the right result of a test is known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.stats

from misread.stats import bootstrap_sums, cluster_rows
from misread.stats.significance.mapsswe import Operations
from misread.types import BoolArray, FloatArray, IntArray

# Words of a segment, all numbers between equally likely.
SHORTEST, LONGEST = 4, 22
USUAL_RATE = 0.10
# Standard deviations of the difficulty of clusters and segments, for all systems alike, on the log scale.
CLUSTER_DEVIATION = SEGMENT_DEVIATION = 0.5
# That of unequal cluster sizes in segments.
UNEQUAL_DEVIATION = 1.0
# Excess words of a runaway output per reference word: their median, and deviation on the log scale.
RUNAWAY_LENGTH, RUNAWAY_DEVIATION = 3.0, 1.0
# Largest error probability of a word.
HIGHEST = 0.95
RESAMPLES = 999
# Values of a normal variable for numerical integration.
GRID = np.linspace(-8, 8, 4001)


@dataclass(frozen=True)
class Population:
    """Distribution of corpora; deviations are standard ones, on the log scale."""

    clusters: int
    segments: int = 1  # of a cluster, or about their mean
    deviation: float = 0.0  # between clusters, of the difference of two systems; with 0 segments are independent
    effect: float = 0.0  # share of the errors that every system but the first does not make
    short_is_hard: float = 0.0  # how much harder the shortest segments are than the longest, on the log scale
    systems: int = 2
    hardness: float = CLUSTER_DEVIATION  # of clusters
    unequal: bool = False  # whether clusters differ in their number of segments
    large_is_hard: float = 0.0  # correlation of the logarithms of the size of a cluster and of its hardness
    runaways: float = 0.0  # share of segments whose output runs on, drawn separately for each system
    usual_rate: float = USUAL_RATE  # error probability of a word that is neither hard nor easy

    def draw(self, rng: np.random.Generator) -> Sample:
        """Draw a sample."""
        largeness = rng.normal(0, 1, self.clusters) if self.unequal else np.zeros(self.clusters)
        codes = np.repeat(np.arange(self.clusters), self._sizes(largeness))
        lengths = rng.integers(SHORTEST, LONGEST + 1, size=len(codes))
        hardness = (
            math.log(self.usual_rate)
            + (rng.normal(0, self._own_hardness, self.clusters) + self._hardness_of_size(largeness))[codes]
            + rng.normal(0, SEGMENT_DEVIATION, len(codes))
            + self._hardness_of_length(lengths)
        )
        own = rng.normal(0, self.deviation / math.sqrt(2), (self.systems, self.clusters))[:, codes]
        own[1:] += math.log(1 - self.effect)
        rates = np.minimum(np.exp(hardness + own), HIGHEST)
        wrong = rng.random((self.systems, int(lengths.sum()))) < np.repeat(rates, lengths, axis=1)
        return Sample(lengths, wrong, self._too_many(lengths, rng), codes, int(rng.integers(2**62)))

    def _sizes(self, largeness: FloatArray) -> IntArray:
        """Segments of each cluster."""
        spread = np.exp(UNEQUAL_DEVIATION * largeness - UNEQUAL_DEVIATION**2 / 2) if self.unequal else 1.0
        return np.maximum(1, np.rint(self.segments * spread * np.ones_like(largeness))).astype(np.int64)

    def _too_many(self, lengths: IntArray, rng: np.random.Generator) -> IntArray:
        """Excess words of runaway outputs, shape (systems, segments)."""
        none = np.zeros((self.systems, len(lengths)), dtype=np.int64)
        if not self.runaways:
            return none
        runs_on = rng.random(none.shape) < self.runaways
        expected = lengths * RUNAWAY_LENGTH * np.exp(rng.normal(0, RUNAWAY_DEVIATION, none.shape))
        return np.where(runs_on, rng.poisson(expected), none)

    def rate(self, system: int = 0) -> float:
        """Corpus rate of an infinite sample: in closed form, integrated over cluster sizes on a grid."""
        lengths = np.arange(SHORTEST, LONGEST + 1)
        largeness = GRID if self.large_is_hard else np.zeros(1)
        effect = math.log(1 - self.effect) if system else 0.0
        mean = math.log(self.usual_rate) + self._hardness_of_length(lengths) + effect
        mean = mean[:, np.newaxis] + self._hardness_of_size(largeness)
        deviation = math.sqrt(self._own_hardness**2 + SEGMENT_DEVIATION**2 + self.deviation**2 / 2)
        cut = (math.log(HIGHEST) - mean) / deviation
        below = np.exp(mean + deviation**2 / 2) * scipy.stats.norm.cdf(cut - deviation)
        words = np.outer(lengths, self._sizes(largeness) * scipy.stats.norm.pdf(largeness))
        too_many = self.runaways * RUNAWAY_LENGTH * math.exp(RUNAWAY_DEVIATION**2 / 2)
        return float(np.average(below + HIGHEST * scipy.stats.norm.sf(cut), weights=words)) + too_many

    @property
    def _own_hardness(self) -> float:
        """Standard deviation of the hardness of a cluster given its size."""
        return self.hardness * math.sqrt(1 - self.large_is_hard**2)

    def _hardness_of_size(self, largeness: FloatArray) -> FloatArray:
        return self.hardness * self.large_is_hard * largeness

    def _hardness_of_length(self, lengths: IntArray) -> FloatArray:
        return self.short_is_hard * (LONGEST - lengths) / (LONGEST - SHORTEST)


@dataclass(frozen=True)
class Sample:
    """One simulated evaluation. Arrays of systems have these on their first axis."""

    lengths: IntArray  # words of each segment
    wrong: BoolArray  # which words of all segments each system has wrong
    too_many: IntArray  # words of each segment beyond those of the reference, in no alignment
    clusters: IntArray  # of each segment
    seed: int  # of its tests

    @cached_property
    def errors(self) -> IntArray:
        """Shape (systems, segments)."""
        starts = np.cumsum(self.lengths) - self.lengths
        return np.add.reduceat(self.wrong.astype(np.int64), starts, axis=1) + self.too_many

    @cached_property
    def rates(self) -> FloatArray:
        """Shape (systems, segments)."""
        return self.errors / self.lengths

    @cached_property
    def differences(self) -> FloatArray:
        """Rate of the second system minus rate of the first, by segment."""
        return self.rates[1] - self.rates[0]

    @cached_property
    def operations(self) -> list[list[Operations]]:
        """Alignments of every system, of which all errors are substitutions."""
        letters = np.where(self.wrong, ord("S"), ord("C")).astype(np.uint8)
        cuts = np.cumsum(self.lengths)[:-1]
        return [np.split(of_system, cuts) for of_system in letters]

    def cluster_errors(self, system: int) -> IntArray:
        """Errors of a system by cluster."""
        return cluster_rows(self.errors[system][:, np.newaxis], self.clusters)[:, 0]

    @cached_property
    def counts(self) -> IntArray:
        """Errors and lengths of the first two systems side by side, shape (segments, 4)."""
        return np.stack([self.errors[0], self.lengths, self.errors[1], self.lengths], axis=-1)

    @cached_property
    def observed(self) -> FloatArray:
        """Corpus rates of the first two systems."""
        sums = self.counts.sum(axis=0)
        return sums[::2] / sums[1::2]

    def units(self, *, by_cluster: bool) -> IntArray:
        """Counts of each cluster or segment, shape (units, 4)."""
        return cluster_rows(self.counts, self.clusters if by_cluster else None)

    def sums(self, *, by_cluster: bool) -> IntArray:
        """Counts of every bootstrap sample, shape (resamples, 4)."""
        return self._clustered if by_cluster else self._independent

    @cached_property
    def _clustered(self) -> IntArray:
        return bootstrap_sums(self.counts, clusters=self.clusters, resamples=RESAMPLES, seed=self.seed)

    @cached_property
    def _independent(self) -> IntArray:
        return bootstrap_sums(self.counts, resamples=RESAMPLES, seed=self.seed)

    def drawn_differences(self, *, by_cluster: bool) -> FloatArray:
        """Differences of the first two corpus rates in every bootstrap sample."""
        return rate_differences(self.sums(by_cluster=by_cluster))

    def differences_without(self, *, by_cluster: bool) -> FloatArray:
        """Differences of the first two corpus rates without each unit."""
        return rate_differences(self.counts.sum(axis=0) - self.units(by_cluster=by_cluster))


def rate_differences(sums: IntArray) -> FloatArray:
    """Second rate minus the first, of sums as in `Sample.counts`."""
    return sums[..., 2] / sums[..., 3] - sums[..., 0] / sums[..., 1]
