"""Corpora made up from known error rates, so that what a test should find is known beforehand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.stats

from misread.arrays import BoolArray, FloatArray, IntArray
from misread.stats import bootstrap_sums, cluster_rows
from misread.stats.mapsswe import Operations

SHORTEST, LONGEST = 4, 22
"""Words of a segment, all numbers between equally likely."""

USUAL_RATE = 0.10
CLUSTER_DEVIATION = SEGMENT_DEVIATION = 0.5
"""How clusters and segments differ in hardness, for all systems alike, on the log scale."""

HIGHEST = 0.95
"""No word is wrong for sure."""

RESAMPLES = 999


@dataclass(frozen=True)
class Population:
    """Where samples are drawn from.

    Attributes
    ----------
    clusters, segments : int
        Clusters of a sample, and segments of a cluster.
    deviation : float
        Standard deviation of the difference of two systems from cluster to cluster, on the log scale: 0 makes
        segments independent as far as differences go.
    effect : float
        Share of the errors that every system but the first is spared.
    short_is_hard : float
        How much harder short segments are, on the log scale from the longest to the shortest.
    systems : int
    """

    clusters: int
    segments: int = 1
    deviation: float = 0.0
    effect: float = 0.0
    short_is_hard: float = 0.0
    systems: int = 2

    def draw(self, rng: np.random.Generator) -> Sample:
        """Draw a sample."""
        lengths = rng.integers(SHORTEST, LONGEST + 1, size=(self.clusters, self.segments))
        hardness = (
            math.log(USUAL_RATE)
            + rng.normal(0, CLUSTER_DEVIATION, (self.clusters, 1))
            + rng.normal(0, SEGMENT_DEVIATION, lengths.shape)
            + self._hardness_of_length(lengths)
        )
        own = rng.normal(0, self.deviation / math.sqrt(2), (self.systems, self.clusters, 1))
        own[1:] += math.log(1 - self.effect)
        rates = np.minimum(np.exp(hardness + own), HIGHEST).reshape(self.systems, -1)
        flat = lengths.ravel()
        wrong = rng.random((self.systems, int(flat.sum()))) < np.repeat(rates, flat, axis=1)
        codes = np.repeat(np.arange(self.clusters), self.segments)
        return Sample(flat, wrong, codes, int(rng.integers(2**62)))

    def rate(self, system: int = 0) -> float:
        """Corpus rate of a sample without end, in closed form."""
        lengths = np.arange(SHORTEST, LONGEST + 1)
        mean = math.log(USUAL_RATE) + self._hardness_of_length(lengths) + (math.log(1 - self.effect) if system else 0)
        deviation = math.sqrt(CLUSTER_DEVIATION**2 + SEGMENT_DEVIATION**2 + self.deviation**2 / 2)
        cut = (math.log(HIGHEST) - mean) / deviation
        below = np.exp(mean + deviation**2 / 2) * scipy.stats.norm.cdf(cut - deviation)
        return float(np.average(below + HIGHEST * scipy.stats.norm.sf(cut), weights=lengths))

    def _hardness_of_length(self, lengths: IntArray) -> FloatArray:
        return self.short_is_hard * (LONGEST - lengths) / (LONGEST - SHORTEST)


@dataclass(frozen=True)
class Sample:
    """What one made-up evaluation has seen.

    Attributes
    ----------
    lengths : int64 array, shape (segments,)
    wrong : bool array, shape (systems, words)
        Which words of all segments each system has wrong.
    clusters : int64 array, shape (segments,)
    seed : int
        Of the draws of its tests.
    """

    lengths: IntArray
    wrong: BoolArray
    clusters: IntArray
    seed: int

    @cached_property
    def errors(self) -> IntArray:
        """Shape (systems, segments)."""
        starts = np.cumsum(self.lengths) - self.lengths
        return np.add.reduceat(self.wrong.astype(np.int64), starts, axis=1)

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
        return [np.split(of, cuts) for of in letters]

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

    def replicates(self, *, by_cluster: bool) -> FloatArray:
        """Corpus rates of the first two systems in every bootstrap sample, shape (resamples, 2)."""
        return self._clustered if by_cluster else self._independent

    @cached_property
    def _clustered(self) -> FloatArray:
        return self._resample(self.clusters)

    @cached_property
    def _independent(self) -> FloatArray:
        return self._resample(None)

    def _resample(self, clusters: IntArray | None) -> FloatArray:
        sums = bootstrap_sums(self.counts, clusters=clusters, resamples=RESAMPLES, seed=self.seed)
        return sums[:, ::2] / sums[:, 1::2]

    def leave_one_out(self, *, by_cluster: bool) -> FloatArray:
        """Corpus rates of the first two systems without each unit, shape (units, 2)."""
        rest = self.counts.sum(axis=0) - cluster_rows(self.counts, self.clusters if by_cluster else None)
        return rest[:, ::2] / rest[:, 1::2]
