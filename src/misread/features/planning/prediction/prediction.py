"""Prediction of the rate on unchecked clusters from a random sample of checked ones."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from misread.errors import ConfigurationError, UndefinedResultError, UnknownNameError, setting
from misread.features.planning.prediction.sample import sample_of, stratified_sample
from misread.io.checks.numbers import LARGEST
from misread.metrics import Metric
from misread.stats.compare.shared_segments import SharedSegments, number_labels
from misread.stats.design.power import MOST_UNITS
from misread.stats.results import ConfidenceInterval
from misread.text.nouns import list_in_words, plural
from misread.types import FloatArray, IntArray

FEWEST_CHECKED = 2
"""With one cluster, the variation of clusters is unknown."""


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """Prediction of a score on unchecked clusters from a random sample.

    Attributes
    ----------
    rate : float
        Score of the sample, which is the prediction; in strata, that of the rest.
    interval : ConfidenceInterval or None
        Interval of the score of the rest: of exactly these clusters if their number is known, else of very many. None
        if the checked clusters leave fewer than 3 degrees of freedom.
    whole : ConfidenceInterval or None
        Interval of the score of checked and unchecked clusters together; also None if the number of unchecked clusters
        is unknown.
    whole_rate : float
        Score of all clusters, which differs from that of the rest in strata.
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
    whole_rate: float
    checked: int
    rest: int | None
    target_width: float | None
    further: int | None
    further_whole: int | None


def predict_rest(
    counts: IntArray,
    rate: Callable[[IntArray], FloatArray],
    *,
    rest: int | Sequence[int] | None = None,
    strata: IntArray | None = None,
    target_width: float | None = None,
    confidence: float = 0.95,
    bounds: tuple[float, float] = (0.0, math.inf),
    sizes: IntArray | None = None,
    step: float | None = None,
) -> Prediction:
    """Predict a score of summed counts on clusters that were not checked.

    The sample must be random: pages that were easy to transcribe say nothing about the others. The variance of the
    prediction is that of the sample plus, for a finite rest, that of the rest: s^2 (1 / n + 1 / m) for n checked and m
    unchecked clusters. A sample may be drawn stratum by stratum (print and script), with any number of each: the score
    is then the combined ratio estimate, and the variances of the strata add.

    Parameters
    ----------
    counts : int64 array, shape (clusters, columns)
        Additive counts of the checked clusters.
    rate : callable
        Score of summed counts, shape (..., columns) -> (...).
    rest : int or sequence of int, optional
        Number of unchecked clusters, 1 or more; very many by default. With strata, the number of each stratum.
    strata : int64 array, shape (clusters,), optional
        Stratum of each checked cluster, by its index in `rest`.
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
    Techniques, chapter 6 (ratio estimates; 6.11: combined, in strata).

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[4, 100], [9, 120], [2, 80], [7, 110], [5, 90]])
    >>> found = predict_rest(counts, lambda sums: sums[..., 0] / sums[..., 1], rest=45, target_width=0.02)
    >>> found.rate, round(found.interval.low, 3), round(found.interval.high, 3), found.further_whole
    (0.054, 0.034, 0.087, 9)
    """
    _check_width(target_width)
    weights = counts.sum(axis=1) if sizes is None else sizes
    step = 1 / float(weights.sum()) if step is None else step
    if strata is None:
        number = _check_rest(len(counts), rest)
        sample = of_all = sample_of(counts, rate, rest=number, sizes=weights, step=step)
    else:
        rests = _check_strata(strata, rest)
        number = int(rests.sum())
        sample, of_all = (
            stratified_sample(counts, rate, strata=strata, rest=rests, sizes=weights, step=step, whole=whole)
            for whole in (False, True)
        )

    def rest_after(further: int) -> ConfidenceInterval | None:
        return sample.interval_of_rest(further, confidence, bounds)

    def all_after(further: int) -> ConfidenceInterval | None:
        return of_all.interval_of_all(further, confidence, bounds)

    # The interval of the rest narrows until so few clusters are left that their own variance dominates.
    most = MOST_UNITS if number is None else max(0, (number - len(counts)) // 2)
    return Prediction(
        rate=sample.rate,
        interval=rest_after(0),
        whole=None if number is None else all_after(0),
        whole_rate=of_all.rate,
        checked=len(counts),
        rest=number,
        target_width=target_width,
        further=None if target_width is None else _further(rest_after, most, target_width),
        further_whole=None if target_width is None or number is None else _further(all_after, number, target_width),
    )


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


def _check_width(target_width: float | None) -> None:
    if target_width is not None and not 0 < target_width <= LARGEST:
        raise ConfigurationError(
            f"the wanted width is {target_width}, expected a number above 0 and up to {LARGEST:g}, such as 0.01."
        )


def _check_rest(clusters: int, rest: int | Sequence[int] | None) -> int | None:
    if clusters < FEWEST_CHECKED:
        raise UndefinedResultError(
            f"a prediction needs at least 2 checked clusters to see how they vary; got {clusters}."
        )
    if rest is None:
        return None
    if not isinstance(rest, Integral) or rest < 1:
        raise ConfigurationError(f"rest is {rest}, expected 1 or more clusters that were not checked.")
    return int(rest)


def _check_strata(strata: IntArray, rest: int | Sequence[int] | None) -> IntArray:
    """Numbers of unchecked clusters of each stratum."""
    if rest is None or isinstance(rest, Integral):
        raise ConfigurationError(f"{setting('rest')} is {rest}, expected the number of unchecked clusters per stratum.")
    numbers = np.asarray(rest, np.int64)
    checked = np.bincount(strata, minlength=len(numbers))
    if len(checked) != len(numbers) or (checked < FEWEST_CHECKED).any():
        raise UndefinedResultError(
            f"a prediction needs at least 2 checked clusters in each of {len(numbers)} strata; there are "
            f"{list_in_words([str(number) for number in checked])}."
        )
    if (numbers < 0).any() or numbers.sum() < 1:
        raise ConfigurationError(
            f"{setting('rest')} is {numbers.tolist()}, expected numbers of 0 or more, and one above 0."
        )
    return numbers


def predict_of_shared(
    shared: SharedSegments,
    metric: Metric,
    system: str,
    *,
    rest: int | Mapping[str, int] | None = None,
    strata: str | None = None,
    target_width: float | None = None,
    confidence: float = 0.95,
) -> Prediction:
    """As `predict_rest`, for one metric of one system from its clusters, or from segments without clusters.

    `strata` is the group that has the stratum of each segment; `rest` then has the number of each by its name.
    """
    if shared.units < FEWEST_CHECKED:
        raise UndefinedResultError(
            f"a prediction needs at least 2 checked {plural(shared.resampling_unit)} to see how they vary; "
            "there is only 1."
        )
    counts = shared.unit_counts(system, metric.id)
    sizes = counts[:, [metric.columns.index(name) for name in metric.size_columns]]
    if strata is None and isinstance(rest, Mapping):
        raise ConfigurationError(f"{setting('rest')} names strata; say with {setting('strata')} what they are.")
    codes, numbers = (None, rest) if strata is None else _strata_of_units(shared, strata, rest)
    return predict_rest(
        counts,
        metric.rate,
        rest=numbers,  # type: ignore[arg-type]
        strata=codes,
        target_width=target_width,
        confidence=confidence,
        bounds=metric.bounds,
        sizes=sizes.sum(axis=1),
        step=shared.scale / max(1, int(sizes.sum(axis=0).max())),
    )


def _strata_of_units(
    shared: SharedSegments, strata: str, rest: int | Mapping[str, int] | None
) -> tuple[IntArray, list[int]]:
    """Stratum of each cluster, and the number of unchecked clusters of each stratum."""
    if not isinstance(rest, Mapping):
        raise ConfigurationError(
            f"{setting('strata')} needs {setting('rest')} with the number of unchecked "
            f"{plural(shared.resampling_unit)} of each stratum, as print=300,script=180."
        )
    names, labels = number_labels(shared.keys.groups[strata])
    for name in rest:
        if name not in names:
            raise UnknownNameError("stratum", name, names, where=setting("rest"))
    missing = [name for name in names if name not in rest]
    if missing:
        raise ConfigurationError(f"{setting('rest')} lacks the stratum {missing[0]!r}; 0 if all of it was checked.")
    codes = np.full(shared.units, -1)
    codes[shared.unit_codes] = labels
    if (codes[shared.unit_codes] != labels).any():
        unit = shared.resampling_unit
        raise UndefinedResultError(f"one {unit} lies in two strata of {strata!r}: draw whole {plural(unit)}.")
    for code, name in enumerate(names):
        number = int((codes == code).sum())
        if number < FEWEST_CHECKED:
            raise UndefinedResultError(
                f"a prediction needs at least 2 checked {plural(shared.resampling_unit)} in each stratum; {name!r} has "
                f"{number}."
            )
    return codes, [rest[name] for name in names]
