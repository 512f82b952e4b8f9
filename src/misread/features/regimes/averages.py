"""Averages other than sums over all segments, as counts, so that intervals and tests go the same way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from misread.data.segment_table import Capture, SegmentKeys, TextPairs
from misread.errors import ConfigurationError
from misread.metrics import Direction, Kind, Metric
from misread.metrics.base import ScoredText, divide
from misread.tally.scores import Counts, Scores
from misread.types import BoolArray, FloatArray, IntArray

MICRO: Final = "micro"
SEGMENTS: Final = "segments"
CLUSTERS: Final = "clusters"
WHOLE: Final = "whole"

_SCALE: Final = 1_000_000_000


@dataclass(frozen=True)
class MeanRate(Metric):
    """Mean of the rates that a metric has on segments or clusters; those of undefined rate are left out.

    Its counts are made of those of the metric and not of texts.
    """

    metric: Metric

    columns = ("billionths", "averaged")
    size_columns = ("averaged",)

    @property
    def direction(self) -> Direction:
        return self.metric.direction

    @property
    def kind(self) -> Kind:
        """Kind of the metric; a mean of error rates has no errors and no length."""
        return Kind.OTHER if self.metric.kind is Kind.ERROR_RATE else self.metric.kind

    @property
    def bounds(self) -> tuple[float, float]:
        return self.metric.bounds

    is_ratio = False

    def rate(self, counts: IntArray) -> FloatArray:
        """Mean of summed counts, shape (..., 2) -> (...)."""
        return divide(counts[..., 0], counts[..., 1] * _SCALE, undefined=self.undefined)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether the rate is the best one there is."""
        best = 0 if self.direction is Direction.LOWER_IS_BETTER else _SCALE * counts[:, 1]
        exact: BoolArray = counts[:, 0] == best
        return exact

    def count(self, pairs: ScoredText) -> IntArray:
        """Rates of segments in billionths, shape (segments, 2)."""
        return self.count_rates(self.metric.count(pairs))

    def count_rates(self, counts: IntArray) -> IntArray:
        """Rates of rows of counts of the metric in billionths, shape (rows, 2)."""
        rates = self.metric.rate(counts)
        defined = ~np.isnan(rates)
        scaled = np.rint(np.where(defined, rates, 0.0) * _SCALE).astype(np.int64)
        return np.stack([scaled, defined.astype(np.int64)], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Facts of the metric."""
        return self.metric.facts(norm)


def average(scores: Scores, metric: Metric, name: str) -> tuple[Scores, Metric]:
    """Scores of one metric as an average needs them, with the metric that sums them up."""
    if name in (MICRO, WHOLE):
        return replace(scores, counts={metric.id: scores.counts[metric.id]}), metric
    counts = scores.counts[metric.id].values
    mean = MeanRate(metric.id, metric=metric)
    segments = scores.segments
    if name != SEGMENTS:
        labels = _labels(scores, name)
        known, codes = np.unique(np.array(labels, dtype=object).astype(str), return_inverse=True)
        summed = np.zeros((len(known), counts.shape[1]), np.int64)
        np.add.at(summed, codes, counts)
        counts, segments = summed, SegmentKeys(known.tolist(), None, {})
    values = Counts(mean.columns, mean.count_rates(counts))
    return (
        replace(
            scores,
            segments=segments,
            counts={metric.id: values},
            # Of the labels: segments were compared before.
            reference_digest=scores.reference_digest if name == SEGMENTS else segments.segment_id,
        ),
        mean,
    )


def join_texts(capture: Capture) -> Capture:
    """Join the texts of each cluster, or of the whole data set where there are none, by line breaks."""
    labels = capture.segments.cluster or [capture.origin.dataset or "all"] * len(capture.texts)
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        rows.setdefault(label, []).append(row)
    texts = capture.texts
    return Capture(
        capture.origin,
        SegmentKeys(list(rows), None, {}),
        TextPairs(
            [_join(texts.references, run) for run in rows.values()],
            [_join(texts.hypotheses, run) for run in rows.values()],
        ),
        [None] * len(rows),
        capture.run,
        tuple(map(join_texts, capture.further_runs)),
    )


def _join(texts: Sequence[str | None], rows: Sequence[int]) -> str:
    return "\n".join(texts[row] or "" for row in rows)


def _labels(scores: Scores, name: str) -> Sequence[str]:
    segments = scores.segments
    if name in (CLUSTERS, scores.origin.cluster_name) and segments.cluster is not None:
        return segments.cluster
    if name in segments.groups:
        return segments.groups[name]
    called = f" ({scores.origin.cluster_name})" if segments.cluster is not None else ""
    has = f"clusters{called}" if segments.cluster is not None else "no clusters"
    groups = f", and the group columns {', '.join(segments.groups)}" if segments.groups else ""
    raise ConfigurationError(f"averaging {name!r}: data set {scores.origin.dataset!r} has {has}{groups}.")
