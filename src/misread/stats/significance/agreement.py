"""Agreement of two judges beyond chance."""

import math
from dataclasses import dataclass

import numpy as np

from misread.errors import UndefinedResultError
from misread.stats.bootstrap.jackknife import Estimate, degrees_of_freedom, jackknife_interval
from misread.stats.planning.power import jackknife_deviation
from misread.stats.results import ConfidenceInterval
from misread.types import FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Two judges on the same segments.

    Attributes
    ----------
    kappa : float
        Cohen's kappa: 1 for full agreement, 0 for that of chance, below 0 for less.
    interval : ConfidenceInterval or None
        By cluster; None where kappa is undefined without one of them.
    agreement : float
        Share of segments on which both decide alike.
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


def kappa_of(counts: IntArray) -> FloatArray:
    """Cohen's kappa of counts (both, first only, second only, neither), shape (..., 4) -> (...); NaN if undefined."""
    both, first, second, neither = np.moveaxis(counts.astype(np.float64), -1, 0)
    total = both + first + second + neither
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = (both + neither) / total
        accepted = (both + first) / total, (both + second) / total
        expected = accepted[0] * accepted[1] + (1 - accepted[0]) * (1 - accepted[1])
        # Judges that both always say the same one thing agree, but no more than chance would have it.
        return np.where(np.isclose(expected, 1.0), np.nan, (observed - expected) / (1 - expected))


def cohen_kappa(counts: IntArray, *, confidence: float = 0.95) -> Agreement:
    """Cohen's kappa of two judges, with an interval by Student's t around the jackknife error of clusters.

    Parameters
    ----------
    counts : int64 array, shape (clusters, 4)
        Segments of each cluster that both judges accept, only the first, only the second, and neither.
    confidence : float
        Nominal coverage.

    Raises
    ------
    UndefinedResultError
        If there are fewer than two clusters, or both judges always give the same one decision.

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales; Tukey (1958), Bias and confidence in not-quite large
    samples.

    Examples
    --------
    >>> import numpy as np
    >>> found = cohen_kappa(np.array([[5, 1, 0, 4], [6, 0, 1, 3], [4, 1, 1, 4], [7, 0, 0, 3]]))
    >>> round(found.kappa, 3), found.agreement
    (0.792, 0.9)
    """
    if len(counts) < 2:
        raise UndefinedResultError(
            f"kappa needs at least 2 clusters or segments to have an interval; got {len(counts)}."
        )
    total = counts.sum(axis=0)
    kappa = float(kappa_of(total))
    if not math.isfinite(kappa):
        raise UndefinedResultError(
            "kappa is undefined: both judges give the same decision on every segment, as they would by chance."
        )
    without = kappa_of(total - counts)
    interval = None
    if np.isfinite(without).all():
        error = (jackknife_deviation(without) or 0.0) / math.sqrt(len(counts))
        estimate = Estimate(kappa, error, degrees_of_freedom(counts.sum(axis=1)))
        interval = jackknife_interval(estimate, confidence, lowest=-1.0, highest=1.0)
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
