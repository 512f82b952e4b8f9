"""Simulated corpora with known error rates, so that the right result of a test is known."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
# Clusters of samples whose error does not matter.
_LARGE_COUNTED, _LARGE_DOUBTS = 50_000, 20_000


class F1(ErrorRate):
    """F1 of the words if every wrong one is left out."""

    bounds = (0.0, 1.0)

    is_ratio = False

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


@dataclass(frozen=True)
class Simulation:
    """Any other distribution of samples, with what is known of it."""

    draw: Callable[[np.random.Generator], Any]
    score: float = math.nan  # of the first system, or whatever intervals are to contain, in an infinite sample
    difference: float = 0.0  # of the second system from the first


def errors_and_lengths(errors: IntArray, lengths: IntArray) -> IntArray:
    """Errors, shape (systems, ...), beside the lengths that all systems share."""
    return np.stack([errors, np.broadcast_to(lengths, errors.shape)], axis=-1)


def normal_effects(rng: np.random.Generator, start: float, *effects: tuple[float, tuple[int, ...]]) -> FloatArray:
    """Sum of normal effects, each a standard deviation and the axes along which it differs."""
    return sum((rng.normal(0, deviation, shape) for deviation, shape in effects), start=np.float64(start))


def crossed_clusters(texts: int, readers: int) -> Simulation:
    """Two equally good systems, for which every reader reads every text; a sample has a segment for each reading.

    Standard deviations on the log scale: of texts, and of readers, for both systems alike; between texts, and between
    readers, in which system is better; of a reading.
    """
    hardness, own, residual = 0.4, 0.2, 0.2

    def draw(rng: np.random.Generator) -> Sample:
        lengths = rng.integers(20, 81, (texts, readers))
        log_rates = normal_effects(
            rng,
            math.log(USUAL_RATE),
            (hardness, (texts, 1)),
            (hardness, (readers,)),
            (own / math.sqrt(2), (2, texts, 1)),
            (own / math.sqrt(2), (2, 1, readers)),
            (residual, (2, texts, readers)),
        )
        counts = errors_and_lengths(rng.poisson(lengths * np.exp(log_rates)), lengths).reshape(2, -1, 2)
        names = [f"r{reader:03}" for reader in np.tile(np.arange(readers), texts).tolist()]
        return Sample.of(WER, counts, np.repeat(np.arange(texts), readers), groups={"reader": names})

    return Simulation(draw, USUAL_RATE * math.exp((2 * hardness**2 + own**2 + residual**2) / 2))


def repeated_runs(clusters: int, runs: int, *, shared: float = 0.0) -> Simulation:
    """Two equally good systems that read every cluster several times; a sample has a segment for each cluster.

    Standard deviations on the log scale: between clusters, for both systems and all runs alike; between clusters, of
    the difference of the systems; `shared` between runs of a system, for all clusters alike; of a cluster in a run.
    """
    hardness, own, residual = 0.3, 0.2, 0.2

    def draw(rng: np.random.Generator) -> Sample:
        lengths = rng.integers(60, 241, clusters)
        log_rates = normal_effects(
            rng,
            math.log(USUAL_RATE),
            (hardness, (1, 1, clusters)),
            (own / math.sqrt(2), (2, 1, clusters)),
            (shared, (2, runs, 1)),
            (residual, (2, runs, clusters)),
        )
        counts = errors_and_lengths(rng.binomial(lengths, np.minimum(np.exp(log_rates), 1.0)), lengths)
        return Sample.of(WER, counts.sum(axis=1), runs=counts, seed=int(rng.integers(2**62)))

    return Simulation(draw, USUAL_RATE * math.exp((hardness**2 + own**2 / 2 + shared**2 + residual**2) / 2))


def normal_runs(
    clusters: int, runs: int, components: tuple[float, float, float], difference: float = 0.0
) -> Simulation:
    """Values of clusters in runs of two systems, shape (2, clusters, runs).

    Variance components (clusters, runs, residual) are those of the difference of the systems, half of each system.
    """
    shapes = ((2, clusters, 1), (2, 1, runs), (2, clusters, runs))
    effects = tuple(zip(np.sqrt(np.array(components) / 2), shapes, strict=True))
    shift = np.array([0.0, difference])[:, np.newaxis, np.newaxis]
    return Simulation(lambda rng: normal_effects(rng, 0.0, *effects) + shift)


def rare_catastrophes(pages: int, share: float) -> Simulation:
    """Pages of 200 words, where the second system makes 20 % fewer errors and fails on a few pages.

    It fails on this share of the pages, for so long that both expected rates are equal.
    """
    usual, hardness, gain = 20, 0.5, 0.2

    def draw(rng: np.random.Generator) -> Sample:
        expected = usual * np.exp(rng.normal(0, hardness, pages))
        too_many = usual * math.exp(hardness**2 / 2) * gain / share
        fails = rng.random(pages) < share
        second = rng.poisson((1 - gain) * expected) + np.where(fails, rng.poisson(too_many, pages), 0)
        return Sample.of(WER, errors_and_lengths(np.stack([rng.poisson(expected), second]), np.array(200)))

    return Simulation(draw)


def _simulate_clusters(
    metric: Metric, draw: Callable[[np.random.Generator, int], IntArray], clusters: int, large: int
) -> Simulation:
    """Samples of counts that the rate looks at, shape (clusters, columns).

    The score is that of a sample so large that its error does not matter.
    """

    def sample(rng: np.random.Generator, clusters: int = clusters) -> Sample:
        return Sample.of(metric, draw(rng, clusters)[np.newaxis])

    counts = sample(np.random.default_rng(0), large).counts()
    return Simulation(sample, float(metric.rate(counts.sum(axis=0))))


def counted_clusters(metric: str, clusters: int) -> Simulation:
    """Counts of a metric by cluster."""

    def draw(rng: np.random.Generator, clusters: int) -> IntArray:
        lengths = rng.integers(200, 2001, clusters)
        errors = rng.binomial(lengths, np.minimum(0.05 * np.exp(rng.normal(0, 0.5, clusters)), 0.9))
        is_rare = rng.random(clusters) < 0.25
        if metric == "teds":
            # One to eight tables of a document, half of them without a fault, the others worse in some documents.
            tables = rng.integers(1, 9, clusters)
            rows = np.repeat(np.arange(clusters), tables)
            worse = rng.beta(8, 2, len(rows)) * rng.uniform(0.8, 1.0, clusters)[rows]
            similarity = np.where(rng.random(len(rows)) < 0.5, 1.0, worse)
            return np.stack([np.bincount(rows, np.rint(similarity * 1e9)).astype(np.int64), tables], axis=-1)
        if metric == "error_reduction":
            # Errors before, and after a correction that leaves half of them, in some documents less.
            left = np.minimum(0.5 * np.exp(rng.normal(0, 0.3, clusters)), 1.0)
            return np.stack([errors, rng.binomial(errors, left)], axis=-1)
        if metric == "order_error_rate":
            # Misplaced words of pages, of which one in four was read across its columns.
            words = lengths // 6
            across = rng.binomial(words, rng.uniform(0.2, 0.6, clusters))
            return np.stack([np.where(is_rare, across, rng.binomial(words, 0.01)), words], axis=-1)
        # Errors in pages, of which one in four has a loop of about a third of its length.
        in_loops = np.where(is_rare, rng.poisson(lengths / 3), 0)
        return np.stack([in_loops, in_loops + errors], axis=-1)

    return _simulate_clusters(METRICS[metric], draw, clusters, large=_LARGE_COUNTED)


def doubts(metric_id: str, clusters: int) -> Simulation:
    """Words whose recognizer is too sure of itself, in some clusters more than in others, counted by a metric.

    A confidence is Beta(8, 1); a word is right with this probability to the power of a lognormal variable of its
    cluster.
    """
    metric = METRICS[metric_id]

    def draw(rng: np.random.Generator, clusters: int) -> IntArray:
        lengths = rng.integers(60, 241, clusters)
        rows = np.repeat(np.arange(clusters), lengths)
        powers = np.exp(rng.normal(0.4, 0.4, clusters))
        confidences = rng.beta(8, 1, len(rows))
        correct = rng.random(len(rows)) < confidences ** powers[rows]
        words = WordConfidences(rows, np.rint(confidences * 1_000_000_000).astype(np.int64), correct)
        counts = metric.count_words(words, clusters)  # type: ignore[attr-defined]
        return counts[:, [metric.columns.index(name) for name in metric.rate_columns]]

    return _simulate_clusters(metric, draw, clusters, large=_LARGE_DOUBTS)


def shares(mean: float, clusters: int, share: float = 0.3, spread: float = 4.0) -> Simulation:
    """What is counted of things, and all, by cluster, shape (clusters, 2), with very different shares of clusters.

    Such are misread words of a class of which clusters have few, and errors of the reference that a system repeats. A
    cluster has Poisson distributed things, with this mean; its share is Beta distributed, with parameters of this sum.
    """

    def draw(rng: np.random.Generator) -> IntArray:
        things = rng.poisson(mean, clusters)
        chances = rng.beta(share * spread, (1 - share) * spread, clusters)
        return np.stack([rng.binomial(things, chances), things], axis=-1)

    return Simulation(draw, share)


def judges(number: int, clusters: int) -> Simulation:
    """Decisions of two or three judges, each right nine times of ten, shape (clusters, segments, judges).

    Clusters have ten segments and differ in how many of the hypotheses are right, half of all; so kappa is known.
    """
    cells, accuracy, spread = (clusters, 10), 0.9, 2.0

    def draw(rng: np.random.Generator) -> IntArray:
        right = rng.random(cells) < rng.beta(spread, spread, (clusters, 1))
        return (right[..., np.newaxis] == (rng.random((*cells, number)) < accuracy)).astype(np.int64)

    return Simulation(draw, 2 * (accuracy**2 + (1 - accuracy) ** 2) - 1)
