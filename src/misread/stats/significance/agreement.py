"""Agreement of raters beyond chance."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from misread.errors import UndefinedResultError
from misread.stats.bootstrap.jackknife import Estimate, degrees_of_freedom, jackknife_deviation, symmetric_interval
from misread.stats.results import ConfidenceInterval
from misread.stats.significance.binomial import clopper_pearson
from misread.types import FloatArray, IntArray

_Alike = Callable[[IntArray], tuple[FloatArray, FloatArray]]
"""Share alike, and expected by chance, of counts by cell in the last axis."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Two raters on the same segments.

    Attributes
    ----------
    kappa : float
        Cohen's kappa: 1 for full agreement, 0 for agreement by chance, below 0 for less.
    interval : ConfidenceInterval or None
        By cluster; None with fewer than three degrees of freedom, or where kappa is undefined without a cluster.
    agreement : float
        Share of segments on which both raters agree.
    counts : mapping of str to int
        Segments that both accept, only the first, only the second, and neither.
    """

    kappa: float
    interval: ConfidenceInterval | None
    agreement: float
    both: int
    first_only: int
    second_only: int
    neither: int


@dataclass(frozen=True, kw_only=True)
class GroupAgreement:
    """Three raters or more on the same segments.

    Attributes
    ----------
    kappa : float
        Fleiss' kappa: 1 for full agreement, 0 for agreement by chance, below 0 for less.
    interval : ConfidenceInterval or None
        By cluster; None with fewer than three degrees of freedom, or where kappa is undefined without a cluster.
    agreement : float
        Share of pairs of raters that agree, over all segments.
    accepted_by : tuple of int
        Numbers of segments accepted by 0, 1, ... and all raters.
    """

    kappa: float
    interval: ConfidenceInterval | None
    agreement: float
    accepted_by: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class RaterPair:
    """Agreement of two named raters."""

    first: str
    second: str
    agreement: Agreement


@dataclass(frozen=True, kw_only=True)
class RatersResult:
    """Agreement of all pairs of raters, and of three or more together (None if they have no kappa)."""

    pairs: tuple[RaterPair, ...]
    together: GroupAgreement | None


OPEN: Final = -1
"""A segment that a rater has not decided."""


def compare_raters(
    decisions: IntArray, clusters: IntArray, names: Sequence[str], *, confidence: float = 0.95
) -> RatersResult:
    """Agreement of every pair of raters on the segments that both decided, and of all raters together.

    Parameters
    ----------
    decisions : int64 array, shape (segments, raters)
        1 if a rater accepts a segment, 0 if not, -1 if undecided.
    clusters : int64 array, shape (segments,)
        Number of the cluster of each segment.
    names : sequence of str
        Raters, in the order of the columns.
    confidence : float
        Nominal coverage.

    Raises
    ------
    UndefinedResultError
        If two raters have no kappa; names them and the reason.

    Examples
    --------
    >>> import numpy as np
    >>> decisions = np.array([[1, 1], [1, 1], [0, 0], [0, 1], [1, 1], [0, 0]])
    >>> result = compare_raters(decisions, np.arange(6), ["qwen", "anna"])
    >>> round(result.pairs[0].agreement.kappa, 3), result.together
    (0.667, None)
    """
    pairs = []
    for first, second in combinations(range(len(names)), 2):
        rows, among = _decided_by_all(decisions[:, [first, second]], clusters)
        if not len(rows):
            raise UndefinedResultError(f"{names[first]} and {names[second]} have no decision on the same segment.")
        cells = 2 * (1 - rows[:, 0]) + (1 - rows[:, 1])
        try:
            agreement = cohen_kappa(_count_by_cluster(cells, among, 4), confidence=confidence)
        except UndefinedResultError as error:
            raise UndefinedResultError(f"{names[first]} and {names[second]}: {error}") from None
        pairs.append(RaterPair(first=names[first], second=names[second], agreement=agreement))
    together = None
    if len(names) > 2:
        rows, among = _decided_by_all(decisions, clusters)
        together = fleiss_kappa(_count_by_cluster(rows.sum(axis=1), among, len(names) + 1), confidence=confidence)
    return RatersResult(pairs=tuple(pairs), together=together)


def _decided_by_all(decisions: IntArray, clusters: IntArray) -> tuple[IntArray, IntArray]:
    decided = (decisions != OPEN).all(axis=1)
    return decisions[decided], clusters[decided]


def _count_by_cluster(cells: IntArray, clusters: IntArray, number: int) -> IntArray:
    """Segments of each cluster in each cell, shape (clusters, number)."""
    names, codes = np.unique(clusters, return_inverse=True)
    return np.bincount(codes * number + cells, minlength=len(names) * number).reshape(len(names), number)


def alike_by_chance(counts: IntArray) -> tuple[FloatArray, FloatArray]:
    """Share alike and expected by chance of counts (both, first only, second only, neither), shape (..., 4)."""
    both, first, second, neither = np.moveaxis(counts.astype(np.float64), -1, 0)
    total = both + first + second + neither
    accepted = (both + first) / total, (both + second) / total
    return (both + neither) / total, accepted[0] * accepted[1] + (1 - accepted[0]) * (1 - accepted[1])


def _pairs_alike_by_chance(counts: IntArray) -> tuple[FloatArray, FloatArray]:
    """Share of pairs alike and expected by chance of segments that 0 to n raters accept, shape (..., n + 1)."""
    raters = counts.shape[-1] - 1
    total = counts.sum(axis=-1)
    accepted = counts @ np.arange(raters + 1) / (total * raters)
    return counts @ _alike(raters) / total, accepted**2 + (1 - accepted) ** 2


def kappa_of(counts: IntArray, alike: _Alike = alike_by_chance) -> FloatArray:
    """Kappa of counts, by default Cohen's, shape (..., cells) -> (...); NaN if undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        observed, expected = alike(counts)
        # Raters that always give the same single decision agree no more than by chance.
        return np.where(np.isclose(expected, 1.0), np.nan, (observed - expected) / (1 - expected))


def _alike(raters: int) -> FloatArray:
    """Share of pairs of raters that agree if 0, 1, ... or all of them accept."""
    accepting = np.arange(raters + 1)
    others = raters - accepting
    shares: FloatArray = (accepting * (accepting - 1) + others * (others - 1)) / (raters * (raters - 1))
    return shares


def cohen_kappa(counts: IntArray, *, confidence: float = 0.95) -> Agreement:
    """Cohen's kappa of two raters, with an interval by Student's t around the jackknife error of clusters.

    The interval is no narrower than that of independent segments. Where all segments agree, it is that of
    Clopper & Pearson for the share of agreement.

    Parameters
    ----------
    counts : int64 array, shape (clusters, 4)
        Segments of each cluster that both raters accept, only the first, only the second, and neither.
    confidence : float
        Nominal coverage.

    Raises
    ------
    UndefinedResultError
        If there are fewer than two clusters, or both raters always give the same single decision.

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales; Tukey (1958), Bias and confidence in not-quite large
    samples.

    Examples
    --------
    >>> import numpy as np
    >>> result = cohen_kappa(np.array([[5, 1, 0, 4], [6, 0, 1, 3], [4, 1, 1, 4], [7, 0, 0, 3]]))
    >>> round(result.kappa, 3), result.agreement
    (0.792, 0.9)
    """
    kappa, interval = _kappa_by_cluster(counts, alike_by_chance, confidence)
    total = counts.sum(axis=0)
    both, first, second, neither = total.tolist()
    return Agreement(
        kappa=kappa,
        interval=interval,
        agreement=(both + neither) / int(total.sum()),
        both=both,
        first_only=first,
        second_only=second,
        neither=neither,
    )


def fleiss_kappa(counts: IntArray, *, confidence: float = 0.95) -> GroupAgreement:
    """Fleiss' kappa of several raters, with an interval by Student's t around the jackknife error of clusters.

    The interval is no narrower than that of independent segments. Where all segments agree, it is that of
    Clopper & Pearson for the share of agreement.

    Parameters
    ----------
    counts : int64 array, shape (clusters, raters + 1)
        Numbers of segments of each cluster accepted by 0, 1, ... and all raters.
    confidence : float
        Nominal coverage.

    Raises
    ------
    UndefinedResultError
        If there are fewer than two clusters, or all raters always give the same single decision.

    References
    ----------
    Fleiss (1971), Measuring nominal scale agreement among many raters; Tukey (1958), Bias and confidence in not-quite
    large samples.

    Examples
    --------
    >>> import numpy as np
    >>> result = fleiss_kappa(np.array([[4, 0, 1, 5], [3, 1, 0, 6], [4, 1, 1, 4], [3, 0, 0, 7]]))
    >>> round(result.kappa, 3), result.accepted_by
    (0.861, (14, 2, 2, 22))
    """
    kappa, interval = _kappa_by_cluster(counts, _pairs_alike_by_chance, confidence)
    total = counts.sum(axis=0)
    return GroupAgreement(
        kappa=kappa,
        interval=interval,
        agreement=float(total @ _alike(len(total) - 1) / total.sum()),
        accepted_by=tuple(total.tolist()),
    )


def _kappa_by_cluster(counts: IntArray, alike: _Alike, confidence: float) -> tuple[float, ConfidenceInterval | None]:
    """Kappa of all clusters, with its interval; raises UndefinedResultError if there is none."""
    if len(counts) < 2:
        raise UndefinedResultError(
            f"kappa needs at least 2 clusters or segments to have an interval; got {len(counts)}."
        )
    total = counts.sum(axis=0)
    kappa = float(kappa_of(total, alike))
    if not math.isfinite(kappa):
        raise UndefinedResultError(
            "kappa is undefined: all judges give the same decision on every segment, as they would by chance."
        )
    without = kappa_of(total - counts, alike)
    if not np.isfinite(without).all():
        return kappa, None
    error = (jackknife_deviation(without) or 0.0) / math.sqrt(len(counts))
    cells = np.flatnonzero(total)
    without_one = np.repeat(kappa_of(total - np.eye(len(total), dtype=np.int64)[cells], alike), total[cells])
    independent = (jackknife_deviation(without_one) or 0.0) / math.sqrt(total.sum())
    estimate = Estimate(kappa, error, degrees_of_freedom(counts.sum(axis=1)), independent=independent)
    if not estimate.has_interval:
        return kappa, None
    interval = symmetric_interval(estimate, confidence, lowest=-1.0, highest=1.0)
    if independent:
        return kappa, interval
    # All segments are alike, or none is.
    observed, expected = map(float, alike(total))
    segments = int(total.sum())
    shares = clopper_pearson(observed * segments, segments, confidence)
    low, high = ((share - expected) / (1 - expected) for share in shares)
    return kappa, replace(interval, low=max(min(interval.low, low), -1.0), high=min(max(interval.high, high), 1.0))
