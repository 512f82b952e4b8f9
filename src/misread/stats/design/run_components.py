"""Variance components of a score of repeated runs: clusters, runs and residual."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from misread.errors import UndefinedResultError
from misread.stats.bootstrap.jackknife import tail_of
from misread.stats.results import ConfidenceInterval
from misread.types import FloatArray, IntArray

NEGLIGIBLE_SHARE = 0.10
"""Share of the variance below which more runs are not worthwhile."""

MOST_RUNS = 10_000
"""Nobody will make more runs than this."""


@dataclass(frozen=True, kw_only=True)
class Component:
    """Variance of one component, 0 if the estimate is negative, with its interval."""

    variance: float
    interval: ConfidenceInterval


@dataclass(frozen=True, kw_only=True)
class VarianceComponents:
    """Variance components of a score of clusters that are read in several runs.

    A value is the contribution of one cluster in one run; the score is their mean. Clusters and runs are crossed: every
    run reads every cluster.
    """

    clusters: Component  # between clusters, equal in all runs
    runs: Component  # between runs, equal in all clusters
    residual: Component  # residual: a run that reads one cluster better and another worse
    cluster_count: int
    run_count: int

    @property
    def variances(self) -> tuple[float, float, float]:
        """Variances of clusters, runs and residual."""
        return self.clusters.variance, self.runs.variance, self.residual.variance

    def variance(self, runs: int) -> float:
        """Variance of the score of the same number of clusters, read in `runs` runs."""
        clusters, run_variance = self._parts
        return clusters + run_variance / runs

    def share_of_runs(self, runs: int) -> float:
        """Share of that variance that further runs would remove; 0 if nothing varies."""
        total = self.variance(runs)
        return self._parts[1] / runs / total if total > 0 else 0.0

    def runs_until(self, share: float = NEGLIGIBLE_SHARE) -> int | None:
        """Fewest runs at which their share of the variance is below `share`; None if no number would do."""
        clusters, run_variance = self._parts
        if run_variance == 0:
            return 1
        if clusters == 0 or run_variance * (1 - share) / (share * clusters) >= MOST_RUNS:
            return None
        return math.floor(run_variance * (1 - share) / (share * clusters)) + 1

    @property
    def _parts(self) -> tuple[float, float]:
        """Variance that further runs cannot remove, and the removable variance of a single run."""
        clusters, runs, residual = self.variances
        return clusters / self.cluster_count, runs + residual / self.cluster_count


@dataclass(frozen=True, kw_only=True)
class MeanSquares:
    """Analysis of variance of values of clusters (rows) in runs (columns), without replication."""

    clusters: float
    runs: float
    residual: float
    cluster_count: int
    run_count: int
    excess_kurtosis: float  # of the means of clusters; 0 if negative

    @property
    def freedom_of_clusters(self) -> float:
        """Degrees of freedom of the mean square of clusters, fewer if a few clusters are outliers."""
        count = self.cluster_count
        return 2 / (self.excess_kurtosis / count + 2 / (count - 1))

    @property
    def freedom_of_runs(self) -> int:
        return self.run_count - 1

    @property
    def freedom_of_residual(self) -> int:
        return (self.cluster_count - 1) * (self.run_count - 1)


def values_of_runs(counts: IntArray, rate: Callable[[IntArray], FloatArray]) -> FloatArray:
    """Contribution of each cluster to the score in each run, (runs, clusters, columns) -> (clusters, runs).

    Jackknife pseudo-values, shifted so that their mean in a run is the score of that run. Tukey (1958), Bias and
    confidence in not-quite large samples.
    """
    totals = counts.sum(axis=1)
    without = rate(totals[:, np.newaxis] - counts)
    spread = (counts.shape[1] - 1) * (without.mean(axis=1, keepdims=True) - without)
    values: FloatArray = (rate(totals)[:, np.newaxis] + spread).T
    return values


def mean_squares(values: FloatArray) -> MeanSquares:
    """Mean squares of values of clusters in runs, shape (clusters, runs); at least two of each."""
    clusters, runs = values.shape
    if clusters < 2 or runs < 2:
        raise UndefinedResultError(
            f"variance components need at least 2 clusters in 2 runs; got {clusters} in {runs}: read the data again."
        )
    if not np.isfinite(values).all():
        raise UndefinedResultError("the score is undefined without one cluster: too many references are empty.")
    cluster_means, run_means = values.mean(axis=1), values.mean(axis=0)
    residuals = values - cluster_means[:, np.newaxis] - run_means + values.mean()
    return MeanSquares(
        clusters=runs * float(cluster_means.var(ddof=1)),
        runs=clusters * float(run_means.var(ddof=1)),
        residual=float(np.sum(residuals**2)) / ((clusters - 1) * (runs - 1)),
        cluster_count=clusters,
        run_count=runs,
        excess_kurtosis=_excess_kurtosis(cluster_means),
    )


def variance_components(values: FloatArray, *, confidence: float) -> VarianceComponents:
    """Variance components of values of clusters in runs, shape (clusters, runs).

    Estimates come from the analysis of variance; a negative one counts as 0. Intervals of differences of mean squares
    use the modified large-sample method, with fewer degrees of freedom for clusters with heavy tails; the interval of
    the residual uses chi-square.

    Searle, Casella & McCulloch (1992), Variance Components, chapter 4; Ting, Burdick, Graybill, Jeyaratnam & Lu (1990),
    Confidence intervals on linear combinations of variance components that are unrestricted in sign; Shoemaker (2003),
    Fixing the F test for equal variances (degrees of freedom by kurtosis).
    """
    squares = mean_squares(values)
    freedom = squares.freedom_of_residual
    tail = tail_of(confidence)

    def component(mean_square: float, own: float, divisor: int) -> Component:
        ends = _difference_ends(mean_square, own, squares.residual, freedom, tail)
        low, high = (max(end, 0.0) / divisor for end in ends)
        variance = max(mean_square - squares.residual, 0.0) / divisor
        return Component(variance=variance, interval=_interval(low, high, confidence, "modified large-sample"))

    ends = (squares.residual * freedom / scipy.special.chdtri(freedom, probability) for probability in (tail, 1 - tail))
    low, high = map(float, ends)
    return VarianceComponents(
        clusters=component(squares.clusters, squares.freedom_of_clusters, squares.run_count),
        runs=component(squares.runs, squares.freedom_of_runs, squares.cluster_count),
        residual=Component(variance=squares.residual, interval=_interval(low, high, confidence, "chi-square")),
        cluster_count=squares.cluster_count,
        run_count=squares.run_count,
    )


def _interval(low: float, high: float, confidence: float, method: str) -> ConfidenceInterval:
    return ConfidenceInterval(low=low, high=max(low, high), confidence=confidence, method=method)


def _excess_kurtosis(values: FloatArray) -> float:
    deviations = values - values.mean()
    variance = float(np.mean(deviations**2))
    return max(float(np.mean(deviations**4)) / variance**2 - 3, 0.0) if variance > 0 else 0.0


def _difference_ends(
    first: float, first_freedom: float, second: float, second_freedom: float, tail: float
) -> tuple[float, float]:
    """Ends of the interval of a difference of two independent mean squares; exact if either is 0."""
    chi = scipy.special.chdtri
    g1, g2 = (1 - freedom / float(chi(freedom, tail)) for freedom in (first_freedom, second_freedom))
    h1, h2 = (freedom / float(chi(freedom, 1 - tail)) - 1 for freedom in (first_freedom, second_freedom))
    upper, lower = (float(scipy.special.fdtri(first_freedom, second_freedom, share)) for share in (1 - tail, tail))
    g12 = ((upper - 1) ** 2 - (g1 * upper) ** 2 - h2**2) / upper
    h12 = ((1 - lower) ** 2 - (h1 * lower) ** 2 - g2**2) / lower
    down = (g1 * first) ** 2 + (h2 * second) ** 2 + g12 * first * second
    up = (h1 * first) ** 2 + (g2 * second) ** 2 + h12 * first * second
    difference = first - second
    return difference - math.sqrt(max(down, 0.0)), difference + math.sqrt(max(up, 0.0))
