"""Prediction of the rate on unchecked clusters from a random sample of checked ones."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from misread.errors import ConfigurationError, UndefinedResultError
from misread.io.checks.numbers import LARGEST
from misread.metrics import Kind, Metric
from misread.stats.bootstrap.jackknife import (
    Estimate,
    acceleration,
    degrees_of_freedom,
    jackknife_deviation,
    jackknife_interval,
)
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.design.power import MOST_UNITS
from misread.stats.results import ConfidenceInterval, in_points
from misread.tables import Cell, Column, Table
from misread.tables.number_text import RateFormat, level_title
from misread.tables.rates_layout import metric_title
from misread.text.nouns import plural
from misread.types import FloatArray, IntArray

FEWEST_CHECKED = 2
"""With one cluster, the variation of clusters is unknown."""


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """Prediction of a score on unchecked clusters from a random sample.

    Attributes
    ----------
    rate : float
        Score of the sample, which is the prediction.
    interval : ConfidenceInterval or None
        Interval of the score of the rest: of exactly these clusters if their number is known, else of very many. None
        if the checked clusters leave fewer than 3 degrees of freedom.
    whole : ConfidenceInterval or None
        Interval of the score of checked and unchecked clusters together; also None if the number of unchecked clusters
        is unknown.
    checked : int
        Clusters of the sample.
    rest : int or None
        Clusters that were not checked; None for very many.
    target_width : float or None
        Desired width of `interval`.
    further : int or None
        Fewest further clusters to check for that width, 0 if it is reached; None without a desired width, or if no
        number would do: the fewer clusters are left, the more their score may differ.
    further_whole : int or None
        As `further`, for the width of `whole`.
    """

    rate: float
    interval: ConfidenceInterval | None
    whole: ConfidenceInterval | None
    checked: int
    rest: int | None
    target_width: float | None
    further: int | None
    further_whole: int | None


def predict_rest(
    counts: IntArray,
    rate: Callable[[IntArray], FloatArray],
    *,
    rest: int | None = None,
    target_width: float | None = None,
    confidence: float = 0.95,
    bounds: tuple[float, float] = (0.0, math.inf),
    sizes: IntArray | None = None,
    step: float | None = None,
) -> Prediction:
    """Predict a score of summed counts on clusters that were not checked.

    The sample must be random: pages that were easy to transcribe say nothing about the others. The variance of the
    prediction is that of the sample plus, for a finite rest, that of the rest: s^2 (1 / n + 1 / m) for n checked and m
    unchecked clusters.

    Parameters
    ----------
    counts : int64 array, shape (clusters, columns)
        Additive counts of the checked clusters.
    rate : callable
        Score of summed counts, shape (..., columns) -> (...).
    rest : int, optional
        Number of unchecked clusters, 1 or more; very many by default.
    target_width : float, optional
        Desired width of the interval, above 0.
    confidence : float
        Nominal coverage.
    bounds : tuple of float
        Limits of the score.
    sizes : int64 array, shape (clusters,), optional
        Weights of the clusters in the score, by default the sums of their counts.
    step : float, optional
        Change of the score by one error, by default one over the sum of the weights.

    Raises
    ------
    UndefinedResultError
        If there are fewer than two clusters, or the score is undefined without one of them.
    ConfigurationError
        If a number is out of range.

    References
    ----------
    Valliant, Dorfman & Royall (2000), Finite Population Sampling and Inference, chapter 2; Cochran (1977), Sampling
    Techniques, chapter 6 (ratio estimates).

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[4, 100], [9, 120], [2, 80], [7, 110], [5, 90]])
    >>> found = predict_rest(counts, lambda sums: sums[..., 0] / sums[..., 1], rest=45, target_width=0.02)
    >>> found.rate, round(found.interval.low, 3), round(found.interval.high, 3), found.further_whole
    (0.054, 0.034, 0.087, 9)
    """
    _check(len(counts), rest, target_width)
    without = rate(counts.sum(axis=0) - counts)
    observed = float(rate(counts.sum(axis=0)))
    if not (math.isfinite(observed) and np.isfinite(without).all()):
        raise UndefinedResultError("the score is undefined, or undefined without one cluster: references are empty.")
    n = len(counts)
    weights = counts.sum(axis=1) if sizes is None else sizes
    sample = _Sample(
        observed,
        jackknife_deviation(without) or 0.0,
        n,
        degrees_of_freedom(weights),
        6 * acceleration(without),
        1 / float(weights.sum()) if step is None else step,
    )

    def of_rest(further: int) -> ConfidenceInterval | None:
        checked = n + further
        share = 1 / checked + (0.0 if rest is None else 1 / (rest - further))
        return sample.interval(share, checked, confidence, bounds)

    def of_all(further: int) -> ConfidenceInterval | None:
        checked, left = n + further, (rest or 0) - further
        return sample.interval(left / (checked + left) / checked, checked, confidence, bounds)

    # The interval of the rest narrows until so few clusters are left that their own variance dominates.
    most = MOST_UNITS if rest is None else max(0, (rest - n) // 2)
    return Prediction(
        rate=observed,
        interval=of_rest(0),
        whole=None if rest is None else of_all(0),
        checked=n,
        rest=rest,
        target_width=target_width,
        further=None if target_width is None else _further(of_rest, most, target_width),
        further_whole=None if target_width is None or rest is None else _further(of_all, rest, target_width),
    )


@dataclass(frozen=True)
class _Sample:
    """Score of a sample, with the contribution of one cluster to its variance."""

    rate: float
    deviation: float
    clusters: int
    freedom: float
    skewness: float
    step: float

    def interval(
        self, share: float, checked: int, confidence: float, bounds: tuple[float, float]
    ) -> ConfidenceInterval | None:
        """Interval with a variance of `share` times that of one cluster, estimated from `checked` clusters."""
        freedom = max(1.0, self.freedom * (checked - 1) / (self.clusters - 1))
        skewness = self.skewness * math.sqrt(self.clusters / checked)
        error = self.deviation * math.sqrt(share)
        estimate = Estimate(self.rate, error, freedom, skewness, step=self.step)
        return jackknife_interval(estimate, confidence, lowest=bounds[0], highest=bounds[1])


def _further(interval: Callable[[int], ConfidenceInterval | None], most: int, width: float) -> int | None:
    """Fewest further clusters, up to `most`, that make the interval narrow enough."""

    def is_enough(further: int) -> bool:
        narrowed = interval(further)
        return narrowed is not None and narrowed.high - narrowed.low <= width

    if not is_enough(most):
        return None
    if is_enough(0):
        return 0
    high = 1
    while high < most and not is_enough(high):
        high = min(2 * high, most)
    return bisect.bisect_left(range(high + 1), True, lo=high // 2, key=is_enough)


def _check(clusters: int, rest: int | None, target_width: float | None) -> None:
    if clusters < FEWEST_CHECKED:
        raise UndefinedResultError(
            f"a prediction needs at least 2 checked clusters to see how they vary; got {clusters}."
        )
    if rest is not None and rest < 1:
        raise ConfigurationError(f"rest is {rest}, expected 1 or more clusters that were not checked.")
    if target_width is not None and not 0 < target_width <= LARGEST:
        raise ConfigurationError(
            f"the wanted width is {target_width}, expected a number above 0 and up to {LARGEST:g}, such as 0.01."
        )


def predict_of_shared(
    shared: SharedSegments,
    metric: Metric,
    system: str,
    *,
    rest: int | None = None,
    target_width: float | None = None,
    confidence: float = 0.95,
) -> Prediction:
    """As `predict_rest`, for one metric of one system from its clusters, or from segments without clusters."""
    if shared.units < FEWEST_CHECKED:
        raise UndefinedResultError(
            f"a prediction needs at least 2 checked {plural(shared.resampling_unit)} to see how they vary; "
            "there is only 1."
        )
    counts = shared.unit_counts(system, metric.id)
    sizes = counts[:, [metric.columns.index(name) for name in metric.size_columns]]
    return predict_rest(
        counts,
        metric.rate,
        rest=rest,
        target_width=target_width,
        confidence=confidence,
        bounds=metric.bounds,
        sizes=sizes.sum(axis=1),
        step=shared.scale / max(1, int(sizes.sum(axis=0).max())),
    )


def lay_out_predictions(metric: Metric, predictions: Mapping[str, Prediction], *, unit: str) -> Table:
    """One row per system."""
    first = next(iter(predictions.values()))
    rates = RateFormat(unit="fraction" if metric.kind is Kind.OTHER else "percent")
    level = next(filter(None, (level_title(prediction.interval) for prediction in predictions.values())), "")
    title = f"{metric_title(metric.id)}{rates.sign}"

    def show_rest(prediction: Prediction) -> Cell:
        return Cell(rates.rate(prediction.rate), rates.interval_of(prediction.rate, prediction.interval))

    def show_all(prediction: Prediction) -> Cell:
        return Cell(rates.rate(prediction.rate), rates.interval_of(prediction.rate, prediction.whole))

    def show_further(prediction: Prediction) -> Cell:
        further_whole = "" if prediction.further_whole is None else f"/{prediction.further_whole:,}"
        return Cell("never" if prediction.further is None else f"{prediction.further:,}", further_whole)

    columns = [
        Column("system", lambda row: row[0], kind="name"),
        Column(f"{title} of the rest", lambda row: row[1], show_rest, detail=level, keep=6),
    ]
    if first.rest is not None:
        columns.append(Column(f"{title} of all", lambda row: row[1], show_all, detail=level, keep=4))
    if first.target_width is not None:
        detail = "/for all" if first.rest is not None else ""
        columns.append(Column(f"more {plural(unit)}", lambda row: row[1], show_further, detail=detail, keep=5))
    rest = f"very many {plural(unit)}" if first.rest is None else f"{first.rest:,} {plural(unit)}"
    return Table(
        caption=f"{metric_title(metric.id)} to expect on {rest} that were not checked; {first.checked:,} were.",
        columns=columns,
        rows=list(predictions.items()),
        notes=[
            f"It holds only if the checked {plural(unit)} are a random sample; if they were chosen because they "
            "are easy to "
            "check, it does not.",
            *_of_width(list(predictions.values()), unit),
        ],
    )


def _of_width(predictions: Sequence[Prediction], unit: str) -> list[str]:
    first = predictions[0]
    if first.target_width is None:
        return []
    width = in_points(first.target_width)
    if first.rest is None:
        return [f"More {plural(unit)}: how many more to check until the interval is {width} wide."]
    notes = [
        f"More {plural(unit)}/for all: how many more to check until the interval of the rest, or of all, is "
        f"{width} wide."
    ]
    if any(prediction.further is None for prediction in predictions):
        notes.append(f"Never: too few {plural(unit)} would be left for an interval so narrow.")
    return notes
