"""Simulated corpora with known error rates, so that the right result of a test is known."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.stats

from misread.features.confidence.metric import WordConfidences
from misread.metrics import Metric
from misread.metrics.error_rate import ErrorRate
from misread.sockets import METRICS
from misread.types import FloatArray, IntArray
from tools.calibrate.samples import WER, Sample

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
# Values of a normal variable for numerical integration.
GRID = np.linspace(-8, 8, 4001)


class F1(ErrorRate):
    """F1 of the words if every wrong one is left out."""

    bounds = (0.0, 1.0)

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, of which the first are errors and length."""
        right, length = counts[..., 1] - counts[..., 0], counts[..., 1]
        return 2 * right / (right + length)


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
    metric: Metric = WER

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
        errors = np.add.reduceat(wrong.astype(np.int64), np.cumsum(lengths) - lengths, axis=1)
        counts = errors_and_lengths(errors + self._too_many(lengths, rng), lengths)
        # Segments that are their own clusters have none.
        clusters = codes if len(codes) > self.clusters else None
        return Sample.of(self.metric, counts, clusters, seed=int(rng.integers(2**62)), wrong=wrong)

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
    def score(self) -> float:
        """Score of the first system in an infinite sample."""
        return float(self.metric.rate(np.array([self.rate(0), 1.0])))

    @property
    def difference(self) -> float:
        """Score of the second system in an infinite sample, minus that of the first."""
        return float(self.metric.rate(np.array([self.rate(1), 1.0]))) - self.score

    @property
    def _own_hardness(self) -> float:
        """Standard deviation of the hardness of a cluster given its size."""
        return self.hardness * math.sqrt(1 - self.large_is_hard**2)

    def _hardness_of_size(self, largeness: FloatArray) -> FloatArray:
        return self.hardness * self.large_is_hard * largeness

    def _hardness_of_length(self, lengths: IntArray) -> FloatArray:
        return self.short_is_hard * (LONGEST - lengths) / (LONGEST - SHORTEST)


def errors_and_lengths(errors: IntArray, lengths: IntArray) -> IntArray:
    """Errors, shape (systems, ...), beside the lengths that all systems share."""
    return np.stack([errors, np.broadcast_to(lengths, errors.shape)], axis=-1)


def normal_effects(rng: np.random.Generator, start: float, *effects: tuple[float, tuple[int, ...]]) -> FloatArray:
    """Sum of normal effects, each a standard deviation and the axes along which it differs."""
    return sum((rng.normal(0, deviation, shape) for deviation, shape in effects), start=np.float64(start))


@dataclass(frozen=True)
class CrossedClusters:
    """Two equally good systems, for which every reader reads every text; deviations are on the log scale."""

    texts: int
    readers: int
    hardness: float = 0.4  # of texts, and of readers, for both systems alike
    own: float = 0.2  # between texts, and between readers, in which system is better
    residual: float = 0.2  # of a reading
    difference = 0.0

    def draw(self, rng: np.random.Generator) -> Sample:
        """Draw a sample: a segment for each reading, whose cluster is the text."""
        cells = (self.texts, self.readers)
        lengths = rng.integers(20, 81, cells)
        own = self.own / math.sqrt(2)
        log_rates = normal_effects(
            rng,
            math.log(USUAL_RATE),
            (self.hardness, (self.texts, 1)),
            (self.hardness, (self.readers,)),
            (own, (2, self.texts, 1)),
            (own, (2, 1, self.readers)),
            (self.residual, (2, *cells)),
        )
        counts = errors_and_lengths(rng.poisson(lengths * np.exp(log_rates)), lengths).reshape(2, -1, 2)
        texts = np.repeat(np.arange(self.texts), self.readers)
        readers = [f"r{reader:03}" for reader in np.tile(np.arange(self.readers), self.texts).tolist()]
        return Sample.of(WER, counts, texts, groups={"reader": readers})

    @property
    def score(self) -> float:
        """Rate of either system in an infinite sample."""
        return USUAL_RATE * math.exp((2 * self.hardness**2 + self.own**2 + self.residual**2) / 2)


@dataclass(frozen=True)
class RepeatedRuns:
    """Two equally good systems that read every cluster several times; deviations are on the log scale."""

    clusters: int
    runs: int
    hardness: float = 0.3  # between clusters, the same for both systems and all runs
    own: float = 0.2  # between clusters, of the difference of the systems
    shared: float = 0.0  # between runs of a system, the same for all clusters
    residual: float = 0.2  # of a cluster in a run
    difference = 0.0

    def draw(self, rng: np.random.Generator) -> Sample:
        """Draw a sample: a segment for each cluster."""
        lengths = rng.integers(60, 241, self.clusters)
        log_rates = normal_effects(
            rng,
            math.log(USUAL_RATE),
            (self.hardness, (1, 1, self.clusters)),
            (self.own / math.sqrt(2), (2, 1, self.clusters)),
            (self.shared, (2, self.runs, 1)),
            (self.residual, (2, self.runs, self.clusters)),
        )
        runs = errors_and_lengths(rng.binomial(lengths, np.minimum(np.exp(log_rates), 1.0)), lengths)
        return Sample.of(WER, runs.sum(axis=1), runs=runs, seed=int(rng.integers(2**62)))

    @property
    def score(self) -> float:
        """Rate of either system in an infinite sample."""
        return USUAL_RATE * math.exp((self.hardness**2 + self.own**2 / 2 + self.shared**2 + self.residual**2) / 2)


@dataclass(frozen=True)
class NormalRuns:
    """Distribution of values of clusters in runs of two systems, whose variance components are these exactly."""

    clusters: int
    runs: int
    components: tuple[float, float, float] = (1.0, 0.09, 0.25)  # clusters, runs, residual
    difference: float = 0.0

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Draw values, shape (2, clusters, runs); components are those of the difference, half of each system."""
        shapes = ((2, self.clusters, 1), (2, 1, self.runs), (2, self.clusters, self.runs))
        values = normal_effects(rng, 0.0, *zip(np.sqrt(np.array(self.components) / 2), shapes, strict=True))
        return values + np.array([0.0, self.difference])[:, np.newaxis, np.newaxis]


@dataclass(frozen=True)
class RareCatastrophes:
    """Distribution of errors on pages of 200 words, where the second system makes 20 % fewer and fails on a few pages.

    It fails on this share of the pages, for so long that both expected rates are equal.
    """

    pages: int
    share: float

    def draw(self, rng: np.random.Generator) -> Sample:
        """Draw a sample: a segment for each page."""
        usual, hardness, gain = 20, 0.5, 0.2
        expected = usual * np.exp(rng.normal(0, hardness, self.pages))
        too_many = usual * math.exp(hardness**2 / 2) * gain / self.share
        fails = rng.random(self.pages) < self.share
        second = rng.poisson((1 - gain) * expected) + np.where(fails, rng.poisson(too_many, self.pages), 0)
        return Sample.of(WER, errors_and_lengths(np.stack([rng.poisson(expected), second]), np.array(200)))


class LargeSampleScore:
    """A population whose score is that of a sample so large that its error does not matter."""

    @cached_property
    def score(self) -> float:
        """Score of that sample."""
        sample = replace(self, clusters=self.large).draw(np.random.default_rng(0))
        return float(sample.metric.rate(sample.counts().sum(axis=0)))


@dataclass(frozen=True)
class CountedClusters(LargeSampleScore):
    """Distribution of the counts of one metric by cluster."""

    metric: str
    clusters: int
    large = 50_000

    def draw(self, rng: np.random.Generator) -> Sample:
        """Draw a sample: a segment for each cluster."""
        return Sample.of(METRICS[self.metric], self._draw_counts(rng)[np.newaxis])

    def _draw_counts(self, rng: np.random.Generator) -> IntArray:
        """Counts that the rate looks at, shape (clusters, columns)."""
        lengths = rng.integers(200, 2001, self.clusters)
        errors = rng.binomial(lengths, np.minimum(0.05 * np.exp(rng.normal(0, 0.5, self.clusters)), 0.9))
        is_rare = rng.random(self.clusters) < 0.25
        if self.metric == "flexible_character_accuracy":
            # Characters, with an error rate of .05 in the median.
            return np.stack([errors, lengths], axis=-1)
        if self.metric == "teds":
            # One to eight of a document, half of them without a fault, the others worse in some documents.
            tables = rng.integers(1, 9, self.clusters)
            rows = np.repeat(np.arange(self.clusters), tables)
            worse = rng.beta(8, 2, len(rows)) * rng.uniform(0.8, 1.0, self.clusters)[rows]
            similarity = np.where(rng.random(len(rows)) < 0.5, 1.0, worse)
            return np.stack([np.bincount(rows, np.rint(similarity * 1e9)).astype(np.int64), tables], axis=-1)
        if self.metric == "error_reduction":
            # Errors before, and after a correction that leaves half of them, in some documents less.
            left = np.minimum(0.5 * np.exp(rng.normal(0, 0.3, self.clusters)), 1.0)
            return np.stack([errors, rng.binomial(errors, left)], axis=-1)
        if self.metric == "order_error_rate":
            # Misplaced words of pages, of which one in four was read across its columns.
            words = lengths // 6
            across = rng.binomial(words, rng.uniform(0.2, 0.6, self.clusters))
            return np.stack([np.where(is_rare, across, rng.binomial(words, 0.01)), words], axis=-1)
        # Errors in pages, of which one in four has a loop of about a third of its length.
        in_loops = np.where(is_rare, rng.poisson(lengths / 3), 0)
        return np.stack([in_loops, in_loops + errors], axis=-1)


@dataclass(frozen=True)
class Doubts(LargeSampleScore):
    """Distribution of words whose recognizer is too sure of itself, in some clusters more than in others.

    A confidence is Beta(8, 1); a word is right with this probability to the power of a lognormal variable of its
    cluster.
    """

    metric: str
    clusters: int
    large = 20_000

    def draw(self, rng: np.random.Generator) -> Sample:
        """Draw a sample: a segment for each cluster."""
        lengths = rng.integers(60, 241, self.clusters)
        rows = np.repeat(np.arange(self.clusters), lengths)
        powers = np.exp(rng.normal(0.4, 0.4, self.clusters))
        confidences = rng.beta(8, 1, len(rows))
        correct = rng.random(len(rows)) < confidences ** powers[rows]
        words = WordConfidences(rows, np.rint(confidences * 1_000_000_000).astype(np.int64), correct)
        metric = METRICS[self.metric]
        counts = metric.count_words(words, self.clusters)  # type: ignore[attr-defined]
        return Sample.of(metric, counts[np.newaxis, :, [metric.columns.index(name) for name in metric.rate_columns]])


@dataclass(frozen=True)
class Shares:
    """Distribution of things of which a share is counted, very different shares in different clusters.

    Such are misread words of a class of which clusters have few, and errors of the reference that a system repeats.
    """

    clusters: int
    mean: float  # things in a cluster, which are Poisson distributed
    share: float = 0.3
    spread: float = 4.0  # sum of the parameters of the share's Beta distribution over clusters

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Draw what is counted, and all, by cluster."""
        things = rng.poisson(self.mean, self.clusters)
        chances = rng.beta(self.share * self.spread, (1 - self.share) * self.spread, self.clusters)
        return np.stack([rng.binomial(things, chances), things], axis=-1)


@dataclass(frozen=True)
class TwoJudges:
    """Distribution of the decisions of judges, each of whom is right with the same probability."""

    clusters: int
    segments: int = 10  # of a cluster
    accuracy: float = 0.9
    spread: float = 2.0  # both parameters of the Beta distribution of the share of right hypotheses in a cluster

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Draw decisions, shape (clusters, segments, judges)."""
        right = rng.random((self.clusters, self.segments)) < rng.beta(self.spread, self.spread, (self.clusters, 1))
        return np.moveaxis(right == (rng.random((2, *right.shape)) < self.accuracy), 0, -1).astype(np.int64)

    @property
    def kappa(self) -> float:
        """Kappa of an infinite sample: half of all hypotheses are right."""
        return 2 * (self.accuracy**2 + (1 - self.accuracy) ** 2) - 1


class ThreeJudges(TwoJudges):
    """The same of three judges, whose decisions are drawn one by one."""

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Draw decisions, shape (clusters, segments, judges)."""
        chances = rng.beta(self.spread, self.spread, (self.clusters, 1))
        right = rng.random((self.clusters, self.segments)) < chances
        return (right[..., None] == (rng.random((*right.shape, 3)) < self.accuracy)).astype(np.int64)
