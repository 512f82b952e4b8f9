"""Permutation test of an effect that the clusters of one run share."""

from collections.abc import Callable, Iterator

import numpy as np

from misread.errors import UndefinedResultError
from misread.stats.bootstrap.resampling import check_draws
from misread.stats.results import TOLERANCE, TestResult, positive_pvalue
from misread.text.nouns import plural
from misread.types import FloatArray, IntArray

# Above this number, clusters are permuted in groups, which keeps the test exact.
_MOST_UNITS = 500
# Permuted cells in memory at a time.
_CELLS = 4_000_000


def run_effect_test(
    counts: IntArray, rate: Callable[[IntArray], FloatArray], *, resamples: int, seed: int, unit: str = "segment"
) -> TestResult:
    """Test whether runs of one system share an effect, such as a day or the version behind an endpoint.

    If they do not, the runs are exchangeable within each cluster: their labels are permuted in each cluster separately,
    and p is the share of permutations in which the scores of the runs vary at least as much as the observed ones, (r +
    1) / (resamples + 1).

    Parameters
    ----------
    counts : int64 array, shape (runs, clusters, columns)
        Additive counts.
    rate : callable
        Score of summed counts, shape (..., columns) -> (...).
    resamples : int
        Permutations.
    seed : int
        Seed of the random sequence, from 0 to 2^63 - 1.
    unit : str
        Kind of cluster: "segment", or the name of the cluster column.

    Returns
    -------
    TestResult
        Statistic: variance of the scores of the runs. Effect size: their standard deviation. If runs do not differ in
        any cluster, p is 1 and the method "none".

    Raises
    ------
    UndefinedResultError
        If there are fewer than two runs or clusters, or a score is undefined.

    References
    ----------
    Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses, section 7.3 (randomised blocks); Phipson &
    Smyth (2010), Permutation p-values should never be zero.

    Examples
    --------
    >>> import numpy as np
    >>> first = np.array([[1, 10], [2, 10], [0, 10], [1, 10], [3, 10], [1, 10], [2, 10]])
    >>> counts = np.stack([first, first + [2, 0]])
    >>> result = run_effect_test(counts, lambda sums: sums[..., 0] / sums[..., 1], resamples=999, seed=1)
    >>> result.pvalue < 0.05
    True
    """
    resamples, seed = check_draws(resamples, seed)
    runs, clusters = counts.shape[:2]
    if runs < 2 or clusters < 2:
        raise UndefinedResultError(
            f"an effect of runs needs at least 2 runs of 2 {plural(unit)}; got {runs} of {clusters}."
        )
    scores = rate(counts.sum(axis=1))
    if not np.isfinite(scores).all():
        raise UndefinedResultError("the score of a run is undefined: every reference is empty.")
    observed, differ = float(scores.var(ddof=1)), bool(np.any(counts != counts[:1]))
    pvalue = 1.0
    if differ:
        rng = np.random.default_rng(seed)
        grouped = _group(counts, rng)
        extreme = sum(
            int(np.count_nonzero(~(part < observed - TOLERANCE * max(observed, TOLERANCE))))
            for part in _permuted(grouped, rate, resamples, rng)
        )
        pvalue = positive_pvalue((1 + extreme) / (1 + resamples))
    return TestResult(
        name="run_effect",
        statistic=observed,
        pvalue=pvalue,
        effect_size=observed**0.5,
        effect_size_name="deviation_between_runs",
        n=clusters,
        dropped=0,
        method=f"{resamples} permutations within each {unit}" if differ else "none",
        unit=unit,
        notes=() if differ else (f"All runs have equal counts in every {unit}: p is 1 by definition.",),
        extra={"runs": runs},
    )


def _group(counts: IntArray, rng: np.random.Generator) -> IntArray:
    """Counts of clusters, or of random groups of them if there are very many."""
    clusters = counts.shape[1]
    if clusters <= _MOST_UNITS:
        return counts
    order = rng.permutation(clusters)
    starts = np.arange(_MOST_UNITS) * clusters // _MOST_UNITS
    sums: IntArray = np.add.reduceat(counts[:, order], starts, axis=1)
    return sums


def _permuted(
    counts: IntArray, rate: Callable[[IntArray], FloatArray], resamples: int, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Variances of the scores of the runs, in batches of permutations."""
    runs, clusters, columns = counts.shape
    by_cluster = counts.transpose(1, 0, 2)
    at_a_time = max(1, _CELLS // (runs * clusters * columns))
    for start in range(0, resamples, at_a_time):
        size = min(at_a_time, resamples - start)
        order = rng.random((size, clusters, runs)).argsort(axis=-1)
        sums = np.take_along_axis(by_cluster[np.newaxis], order[..., np.newaxis], axis=2).sum(axis=1)
        yield rate(sums).var(axis=1, ddof=1)
