"""Confidences of the words of one system: bins of reliability, and what checking by hand would leave."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from misread.alignment import AlignmentPolicy
from misread.features.confidence.metric import Calibration, ReviewShare, WordConfidences, words_of
from misread.metrics import Metric
from misread.tally import ScoredSystem
from misread.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Words of every bin of confidence, by segment: int64 arrays of shape (segments, bins)."""

    words: IntArray
    correct: IntArray
    confidence: FloatArray  # sums
    clusters: Sequence[str] | None


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """Wrong words left after checking the least sure ones, for every number of words that can be checked."""

    checked: FloatArray  # share of all words, ascending from 0
    left: FloatArray  # wrong words as a share of all words

    def share_for(self, target: float) -> float:
        """Share of the words to check until no more than a target is left."""
        return float(self.checked[int(np.argmax(self.left <= target))])


def sort_into_bins(system: ScoredSystem) -> Reliability:
    """Words by confidence, in as many bins as the first calibration error has, else 10."""
    errors = (
        metric for metric in system.metrics if isinstance(metric, Calibration) and metric.score.endswith("_error")
    )
    by_bin = next(errors, None) or Calibration("reliability", "expected_error", alignment=_alignment(system.metrics))
    texts = system.normalized
    counts = by_bin.count(texts).reshape(len(texts.references), by_bin.bins, 3)
    return Reliability(counts[..., 0], counts[..., 1], counts[..., 2] / 1e9, system.clusters)


def review(system: ScoredSystem) -> Review:
    """Count the wrong words left after checking the least sure ones; words of equal confidence are checked together."""
    words: WordConfidences = words_of(system.normalized, "the view review", _alignment(system.metrics))
    total = max(1, len(words.rows))
    values, places = np.unique(words.confidences, return_inverse=True)
    number = np.bincount(places, minlength=len(values))
    wrong = np.bincount(places, weights=~words.correct, minlength=len(values))
    checked = np.concatenate([[0], np.cumsum(number)]) / total
    left = (wrong.sum() - np.concatenate([[0], np.cumsum(wrong)])) / total
    return Review(checked, left)


def _alignment(metrics: Sequence[Metric]) -> AlignmentPolicy:
    return next((metric.alignment for metric in metrics if isinstance(metric, Calibration | ReviewShare)), "unit")
