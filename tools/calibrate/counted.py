"""Simulated counts of single metrics, and whether the interval of their score contains the true one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np

from misread.features.suspects.references import share_interval
from misread.sockets import METRICS
from misread.stats import compare_judges
from misread.types import IntArray
from tools.calibrate.confidences import covers_true_score
from tools.calibrate.outcomes import CONFIDENCE, Coverage

_LARGE = 50_000
"""Clusters of the sample whose scores stand for the true ones."""
_LEAST, _MOST = 200, 2000
"""Characters of a page, all numbers equally likely."""

Kind = Literal["pages", "tables", "corrections", "order", "loops"]


@dataclass(frozen=True)
class CountedClusters:
    """Distribution of the counts of one metric by cluster.

    Pages: characters with an error rate of .05 in the median, whose logarithm has a standard deviation of .5. Tables:
    one to eight of a document, half of them read without a fault, the others with a similarity of Beta(8, 2) that
    differs between documents. Corrections: errors before, and after a correction that leaves half of them, in some
    documents less (.3 on the log scale). Order: pages with misplaced words, of which one in four was read across its
    columns. Loops: errors in pages, of which one in four has a loop of about a third of its length.

    Attributes
    ----------
    kind : {"pages", "tables", "corrections", "order", "loops"}
    metric : str
        Id of the metric.
    clusters : int
    """

    kind: Kind
    metric: str
    clusters: int

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Draw counts that the rate looks at, shape (clusters, columns)."""
        lengths = rng.integers(_LEAST, _MOST + 1, self.clusters)
        errors = rng.binomial(lengths, np.minimum(0.05 * np.exp(rng.normal(0, 0.5, self.clusters)), 0.9))
        is_rare = rng.random(self.clusters) < 0.25
        if self.kind == "pages":
            return np.stack([errors, lengths], axis=-1)
        if self.kind == "tables":
            return self._draw_tables(rng)
        if self.kind == "corrections":
            left = np.minimum(0.5 * np.exp(rng.normal(0, 0.3, self.clusters)), 1.0)
            return np.stack([errors, rng.binomial(errors, left)], axis=-1)
        if self.kind == "order":
            words = lengths // 6
            across = rng.binomial(words, rng.uniform(0.2, 0.6, self.clusters))
            return np.stack([np.where(is_rare, across, rng.binomial(words, 0.01)), words], axis=-1)
        in_loops = np.where(is_rare, rng.poisson(lengths / 3), 0)
        return np.stack([in_loops, in_loops + errors], axis=-1)

    def _draw_tables(self, rng: np.random.Generator) -> IntArray:
        tables = rng.integers(1, 9, self.clusters)
        rows = np.repeat(np.arange(self.clusters), tables)
        worse = rng.beta(8, 2, len(rows)) * rng.uniform(0.8, 1.0, self.clusters)[rows]
        similarity = np.where(rng.random(len(rows)) < 0.5, 1.0, worse)
        return np.stack([np.bincount(rows, np.rint(similarity * 1e9)).astype(np.int64), tables], axis=-1)


@cache
def _true(population: CountedClusters) -> float:
    """Score of a sample so large that its error does not matter."""
    large = replace(population, clusters=_LARGE).draw(np.random.default_rng(0))
    return float(METRICS[population.metric].rate(_in_columns(population.metric, large).sum(axis=0)))


def _in_columns(metric_id: str, counts: IntArray) -> IntArray:
    """Counts at their places among all columns of a metric."""
    metric = METRICS[metric_id]
    placed = np.zeros((len(counts), len(metric.columns)), np.int64)
    placed[:, [metric.columns.index(name) for name in metric.rate_columns]] = counts
    return placed


def covers_counted(population: CountedClusters) -> Callable[[IntArray], Coverage | None]:
    """Whether the interval of the score contains its true value."""
    metric, true = METRICS[population.metric], _true(population)

    def covers(counts: IntArray) -> Coverage | None:
        return covers_true_score(metric, _in_columns(metric.id, counts), true)

    return covers


@dataclass(frozen=True)
class RepeatedErrors:
    """Distribution of places where the reference is wrong, which a system repeats in some clusters more than in others.

    Attributes
    ----------
    clusters : int
    share : float
        Of the places, how many are repeated.
    spread : float
        Sum of the parameters of its Beta distribution over clusters.
    """

    clusters: int
    share: float = 0.2
    spread: float = 10.0

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Draw repeated errors and places by cluster."""
        places = rng.poisson(3, self.clusters)
        chances = rng.beta(self.share * self.spread, (1 - self.share) * self.spread, self.clusters)
        return np.stack([rng.binomial(places, chances), places], axis=-1)


def covers_repeats(population: RepeatedErrors) -> Callable[[IntArray], Coverage | None]:
    """Whether the interval of the share contains it."""
    return lambda counts: Coverage.of(share_interval(counts, CONFIDENCE), population.share)


@dataclass(frozen=True)
class ThreeJudges:
    """Distribution of the decisions of three judges, each of whom is right with the same probability; see TwoJudges."""

    clusters: int
    segments: int = 10
    accuracy: float = 0.9
    spread: float = 2.0

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Draw decisions, shape (clusters, segments, 3)."""
        chances = rng.beta(self.spread, self.spread, (self.clusters, 1))
        right = rng.random((self.clusters, self.segments)) < chances
        return (right[..., None] == (rng.random((*right.shape, 3)) < self.accuracy)).astype(np.int64)

    @property
    def kappa(self) -> float:
        """Kappa of an infinite sample: half of all hypotheses are right."""
        return 2 * (self.accuracy**2 + (1 - self.accuracy) ** 2) - 1


def covers_group_kappa(population: ThreeJudges) -> Callable[[IntArray], Coverage]:
    """Whether the interval of Fleiss' kappa contains its true value."""
    names = ["first", "second", "third"]

    def covers(decisions: IntArray) -> Coverage:
        clusters = np.repeat(np.arange(population.clusters), population.segments)
        together = compare_judges(decisions.reshape(-1, 3), clusters, names, confidence=CONFIDENCE).together
        interval = together.interval if together else None
        return Coverage.of(interval, population.kappa) or Coverage(below=True, above=False, width=0.0)

    return covers
