"""Simulated words with confidences, some rare and some disputed, and the outcomes of what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from misread.data.segment_table import SegmentKeys
from misread.features.confidence.metric import WordConfidences
from misread.metrics import Metric
from misread.sockets import METRICS
from misread.stats import StatisticsSettings, ratio_interval
from misread.stats.compare.bootstrap_replicates import draw_replicates
from misread.stats.compare.shared_segments import SharedSegments
from misread.tally.scores import Counts
from misread.types import IntArray
from tools.calibrate.outcomes import CONFIDENCE, Coverage

_UNIT = 1_000_000_000
_SHORTEST, _LONGEST = 60, 240
_LARGE = 20_000
"""Clusters of the sample whose scores stand for the true ones."""

_RESAMPLES = 199
"""For the standard error of a score that jumps; the others need none."""

_SETTINGS = StatisticsSettings(
    seed=1, confidence=CONFIDENCE, resamples=_RESAMPLES, tests=["randomisation"], deciding_test="randomisation"
)


@dataclass(frozen=True)
class Doubts:
    """Distribution of words whose recognizer is too sure of itself, in some clusters more than in others.

    A confidence is Beta(8, 1); a word is right with this probability to the power of a lognormal variable of its
    cluster, whose logarithm has mean .4 and this standard deviation.

    Attributes
    ----------
    clusters : int
    deviation : float
    """

    clusters: int
    deviation: float = 0.4

    def draw(self, rng: np.random.Generator) -> WordConfidences:
        """Draw a sample; rows are clusters."""
        lengths = rng.integers(_SHORTEST, _LONGEST + 1, self.clusters)
        rows = np.repeat(np.arange(self.clusters), lengths)
        powers = np.exp(rng.normal(0.4, self.deviation, self.clusters))
        confidences = rng.beta(8, 1, len(rows))
        correct = rng.random(len(rows)) < confidences ** powers[rows]
        return WordConfidences(rows, np.rint(confidences * _UNIT).astype(np.int64), correct)


@cache
def _true(population: Doubts, metric: str) -> float:
    """Score of a sample so large that its error does not matter."""
    large = Doubts(_LARGE, population.deviation)
    counts = METRICS[metric].count_words(large.draw(np.random.default_rng(0)), _LARGE)  # type: ignore[attr-defined]
    return float(METRICS[metric].rate(counts.sum(axis=0)))


def covers_score(population: Doubts, metric_id: str) -> Callable[[WordConfidences], Coverage | None]:
    """Whether the interval of a score of confidences contains its true value."""
    metric = METRICS[metric_id]

    def covers(sample: WordConfidences) -> Coverage | None:
        counts = metric.count_words(sample, population.clusters)  # type: ignore[attr-defined]
        return covers_true_score(metric, counts, _true(population, metric_id))

    return covers


def covers_true_score(metric: Metric, counts: IntArray, true: float) -> Coverage | None:
    """Whether the interval that the stage `compare` gives to counts by cluster contains the true score."""
    keys = SegmentKeys([f"{row:05}" for row in range(len(counts))], None, {})
    shared = SharedSegments(keys, {"first": {metric.id: Counts(metric.columns, counts)}}, None, "", 0)
    found = draw_replicates(shared, [metric], _SETTINGS, only_intervals=True)[metric.id]
    return Coverage.of(found.interval("first", _SETTINGS), true)


@dataclass(frozen=True)
class RareWords:
    """Distribution of words of a class, such as names, of which clusters have few and misread very different shares.

    Attributes
    ----------
    clusters : int
    mean : float
        Words of the class in a cluster, which are Poisson distributed.
    wrong : float
        Probability that one is misread.
    spread : float
        Sum of the parameters of the Beta distribution of that probability over clusters: the smaller, the more they
        differ.
    """

    clusters: int
    mean: float
    wrong: float = 0.3
    spread: float = 4.0

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Draw wrong words and words by cluster, shape (clusters, 2)."""
        words = rng.poisson(self.mean, self.clusters)
        chances = rng.beta(self.wrong * self.spread, (1 - self.wrong) * self.spread, self.clusters)
        return np.stack([rng.binomial(words, chances), words], axis=-1)


def covers_class(population: RareWords) -> Callable[[np.ndarray], Coverage | None]:
    """Whether the interval of the share of wrong words contains it, as in views of entities, bands and scripts."""

    def covers(counts: np.ndarray) -> Coverage | None:
        interval = ratio_interval(counts[:, 0], counts[:, 1], None, CONFIDENCE, highest=1.0)
        return Coverage.of(interval, population.wrong)

    return covers
