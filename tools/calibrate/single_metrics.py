"""Simulated counts of single metrics, words with confidences and judges, and whether intervals cover the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from misread.data.segment_table import SegmentKeys
from misread.features.confidence.metric import WordConfidences
from misread.features.suspects.references import share_interval
from misread.metrics import Metric
from misread.sockets import METRICS
from misread.stats import StatisticsSettings, cohen_kappa, compare_judges, ratio_interval, sign_flip
from misread.stats.compare.bootstrap_replicates import draw_replicates
from misread.stats.compare.shared_segments import SharedSegments
from misread.tally.scores import Counts
from misread.types import IntArray
from tools.calibrate.outcomes import ALPHA, CONFIDENCE, Coverage, Outcome


def in_columns(metric: Metric, counts: IntArray) -> IntArray:
    """Counts that the rate looks at, at their places among all columns of a metric."""
    placed = np.zeros((*counts.shape[:-1], len(metric.columns)), np.int64)
    placed[..., [metric.columns.index(name) for name in metric.rate_columns]] = counts
    return placed


def covers_score(metric: Metric, counts: IntArray, true: float) -> Coverage | None:
    """Whether the interval that the stage `compare` gives to counts by cluster contains the true score."""
    # Replicates are for the standard error of a score that jumps; the others need none.
    settings = StatisticsSettings(
        seed=1, confidence=CONFIDENCE, resamples=199, tests=["randomisation"], deciding_test="randomisation"
    )
    keys = SegmentKeys([f"{row:05}" for row in range(len(counts))], None, {})
    shared = SharedSegments(keys, {"first": {metric.id: Counts(metric.columns, counts)}}, None, "", 0)
    replicates = draw_replicates(shared, [metric], settings, only_intervals=True)[metric.id]
    return Coverage.of(replicates.intervals["first"], true)


@dataclass(frozen=True)
class CountedClusters:
    """Distribution of the counts of one metric by cluster."""

    kind: str
    metric: str
    clusters: int

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Draw counts that the rate looks at, shape (clusters, columns)."""
        lengths = rng.integers(200, 2001, self.clusters)
        errors = rng.binomial(lengths, np.minimum(0.05 * np.exp(rng.normal(0, 0.5, self.clusters)), 0.9))
        is_rare = rng.random(self.clusters) < 0.25
        if self.kind == "pages":
            # Characters, with an error rate of .05 in the median.
            return np.stack([errors, lengths], axis=-1)
        if self.kind == "tables":
            # One to eight of a document, half of them without a fault, the others worse in some documents.
            tables = rng.integers(1, 9, self.clusters)
            rows = np.repeat(np.arange(self.clusters), tables)
            worse = rng.beta(8, 2, len(rows)) * rng.uniform(0.8, 1.0, self.clusters)[rows]
            similarity = np.where(rng.random(len(rows)) < 0.5, 1.0, worse)
            return np.stack([np.bincount(rows, np.rint(similarity * 1e9)).astype(np.int64), tables], axis=-1)
        if self.kind == "corrections":
            # Errors before, and after a correction that leaves half of them, in some documents less.
            left = np.minimum(0.5 * np.exp(rng.normal(0, 0.3, self.clusters)), 1.0)
            return np.stack([errors, rng.binomial(errors, left)], axis=-1)
        if self.kind == "order":
            # Misplaced words of pages, of which one in four was read across its columns.
            words = lengths // 6
            across = rng.binomial(words, rng.uniform(0.2, 0.6, self.clusters))
            return np.stack([np.where(is_rare, across, rng.binomial(words, 0.01)), words], axis=-1)
        # Errors in pages, of which one in four has a loop of about a third of its length.
        in_loops = np.where(is_rare, rng.poisson(lengths / 3), 0)
        return np.stack([in_loops, in_loops + errors], axis=-1)


def covers_counted(population: CountedClusters) -> Outcome:
    """Whether the interval of the score contains its true value, that of a sample so large that its error is small."""
    metric = METRICS[population.metric]
    large = replace(population, clusters=50_000).draw(np.random.default_rng(0))
    true = float(metric.rate(in_columns(metric, large).sum(axis=0)))
    return lambda counts: covers_score(metric, in_columns(metric, counts), true)


@dataclass(frozen=True)
class Doubts:
    """Distribution of words whose recognizer is too sure of itself, in some clusters more than in others.

    A confidence is Beta(8, 1); a word is right with this probability to the power of a lognormal variable of its
    cluster.
    """

    clusters: int

    def draw(self, rng: np.random.Generator) -> WordConfidences:
        """Draw a sample; rows are clusters."""
        lengths = rng.integers(60, 241, self.clusters)
        rows = np.repeat(np.arange(self.clusters), lengths)
        powers = np.exp(rng.normal(0.4, 0.4, self.clusters))
        confidences = rng.beta(8, 1, len(rows))
        correct = rng.random(len(rows)) < confidences ** powers[rows]
        return WordConfidences(rows, np.rint(confidences * 1_000_000_000).astype(np.int64), correct)

    def count(self, metric: Metric, words: WordConfidences) -> IntArray:
        """Counts of a metric of confidences, shape (clusters, columns)."""
        return metric.count_words(words, self.clusters)  # type: ignore[attr-defined]


@cache
def _true_of_doubts(metric_id: str) -> float:
    """Score of a sample so large that its error does not matter."""
    large, metric = Doubts(20_000), METRICS[metric_id]
    return float(metric.rate(large.count(metric, large.draw(np.random.default_rng(0))).sum(axis=0)))


def covers_doubts(population: Doubts, metric_id: str) -> Outcome:
    """Whether the interval of a score of confidences contains its true value."""
    metric, true = METRICS[metric_id], _true_of_doubts(metric_id)
    return lambda words: covers_score(metric, population.count(metric, words), true)


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


def covers_class(population: Shares) -> Outcome:
    """Whether the interval of the share of wrong words contains it, as in views of entities, bands and scripts."""
    return lambda counts: Coverage.of(
        ratio_interval(counts[:, 0], counts[:, 1], None, CONFIDENCE, highest=1.0), population.share
    )


def covers_repeats(population: Shares) -> Outcome:
    """Whether the interval of the share of errors that a system repeats contains it."""
    return lambda counts: Coverage.of(share_interval(counts, CONFIDENCE), population.share)


@dataclass(frozen=True)
class TwoJudges:
    """Distribution of the decisions of judges, each of whom is right with the same probability."""

    clusters: int
    segments: int = 10  # of a cluster
    accuracy: float = 0.9
    spread: float = 2.0  # both parameters of the Beta distribution of the share of right hypotheses in a cluster

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Counts of both, first only, second only and neither by cluster."""
        right = rng.random((self.clusters, self.segments)) < rng.beta(self.spread, self.spread, (self.clusters, 1))
        accepted = right == (rng.random((2, *right.shape)) < self.accuracy)
        place = 2 * ~accepted[0] + ~accepted[1]
        return np.stack([(place == kind).sum(axis=1) for kind in range(4)], axis=-1)

    @property
    def kappa(self) -> float:
        """Kappa of an infinite sample: half of all hypotheses are right."""
        return 2 * (self.accuracy**2 + (1 - self.accuracy) ** 2) - 1

    def covers(self, counts: IntArray) -> Coverage:
        """Whether the interval of Cohen's kappa contains its true value; one without an interval does not."""
        return Coverage.of(cohen_kappa(counts, confidence=CONFIDENCE).interval, self.kappa) or _MISSED


class ThreeJudges(TwoJudges):
    """The same of three judges, whose decisions are drawn one by one."""

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Draw decisions, shape (clusters, segments, 3)."""
        chances = rng.beta(self.spread, self.spread, (self.clusters, 1))
        right = rng.random((self.clusters, self.segments)) < chances
        return (right[..., None] == (rng.random((*right.shape, 3)) < self.accuracy)).astype(np.int64)

    def covers(self, decisions: IntArray) -> Coverage:
        """Whether the interval of Fleiss' kappa contains its true value."""
        clusters, names = np.repeat(np.arange(self.clusters), self.segments), ["first", "second", "third"]
        together = compare_judges(decisions.reshape(-1, 3), clusters, names, confidence=CONFIDENCE).together
        return Coverage.of(together.interval if together else None, self.kappa) or _MISSED


_MISSED = Coverage(below=True, above=False, width=0.0)


@dataclass(frozen=True)
class RareCatastrophes:
    """Distribution of errors on pages of 200 words, where the second system makes 20 % fewer and fails on a few pages.

    It fails on this share of the pages, for so long that both expected rates are equal.
    """

    pages: int
    share: float

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Draw the errors of both systems, shape (2, pages)."""
        usual, hardness, gain = 20, 0.5, 0.2
        expected = usual * np.exp(rng.normal(0, hardness, self.pages))
        too_many = usual * math.exp(hardness**2 / 2) * gain / self.share
        fails = rng.random(self.pages) < self.share
        second = rng.poisson((1 - gain) * expected) + np.where(fails, rng.poisson(too_many, self.pages), 0)
        return np.stack([rng.poisson(expected), second])

    def is_called_better(self, errors: IntArray) -> bool:
        """Whether the deciding test calls the second system significantly better."""
        differences = errors[1] - errors[0]
        test = sign_flip(differences, length=200 * self.pages, resamples=999, seed=1, alpha=ALPHA)
        return test.pvalue < ALPHA and int(differences.sum()) < 0
