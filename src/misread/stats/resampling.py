"""The bootstrap of additive counts, by segment or by whole cluster."""

from __future__ import annotations

import numpy as np

from misread.arrays import IntArray
from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.stats.kernels import resampled_sums


def cluster_rows(counts: IntArray, clusters: IntArray | None) -> IntArray:
    """Add up the counts of each resampling unit: a cluster, or a segment alone.

    Parameters
    ----------
    counts : int64 array, shape (segments, columns)
        Additive counts of each segment.
    clusters : int64 array, shape (segments,), optional
        Code of each segment's cluster (page, speaker, writer, book). Any integers; without them every segment is
        a unit.

    Returns
    -------
    int64 array, shape (units, columns)
        One row a cluster, in ascending order of the codes.

    Raises
    ------
    LengthMismatchError
        If the codes are not one a segment.

    Examples
    --------
    >>> import numpy as np
    >>> cluster_rows(np.array([[1, 20], [0, 10], [2, 30]]), np.array([7, 3, 7])).tolist()
    [[0, 10], [3, 50]]
    """
    if clusters is None:
        return counts
    if len(clusters) != len(counts):
        raise LengthMismatchError(f"{len(counts)} segments have counts, but {len(clusters)} have a cluster code.")
    if len(counts) == 0:
        return counts
    order = np.argsort(clusters, kind="stable")
    _, first = np.unique(clusters[order], return_index=True)
    sums: IntArray = np.add.reduceat(counts[order], first, axis=0)
    return sums


def bootstrap_sums(counts: IntArray, *, clusters: IntArray | None = None, resamples: int, seed: int) -> IntArray:
    """Sum the counts of `resamples` bootstrap samples: `rate` of the result is the replicates of a score.

    With clusters a whole cluster is one unit that is drawn or not (cluster bootstrap): segments of one page or one
    speaker resemble each other, and drawing them singly makes intervals too narrow. Counts of all systems and
    metrics belong side by side in the columns: they share the draws, which is what makes a comparison paired.

    The result is a function of the order of the rows. Sort segments by their id first, and number clusters by
    their sorted names, and it is a function of the data alone, whatever order it arrived in.

    Parameters
    ----------
    counts : int64 array, shape (segments, columns)
        Additive counts of each segment.
    clusters : int64 array, shape (segments,), optional
        Code of each segment's cluster; without them segments are drawn.
    resamples : int
        Number of bootstrap samples, 1 or more.
    seed : int
        Start of the random sequence, from 0 to 2^63 - 1. The same on any number of threads.

    Returns
    -------
    int64 array, shape (resamples, columns)
        Summed counts of each bootstrap sample.

    Raises
    ------
    UndefinedResultError
        If there are fewer than two units: one unit says nothing about how units vary.
    LengthMismatchError
        If the cluster codes are not one a segment.
    ConfigurationError
        If `resamples` or `seed` is out of range.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 6; Bisani & Ney (2004), Bootstrap estimates
    for confidence intervals in ASR performance evaluation; Field & Welsh (2007), Bootstrapping clustered data.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[1, 20], [0, 10], [2, 30], [1, 15]])
    >>> bootstrap_sums(counts, clusters=np.array([0, 0, 1, 1]), resamples=1000, seed=1).shape
    (1000, 2)
    """
    if resamples < 1:
        raise ConfigurationError(f"resamples is {resamples}; a bootstrap needs at least 1, and 10000 is usual.")
    if not 0 <= seed < 2**63:
        raise ConfigurationError(f"seed is {seed}; it has to lie between 0 and 2**63 - 1.")
    units = cluster_rows(counts, clusters)
    if len(units) < 2:
        kind = "segment" if clusters is None else "cluster"
        raise UndefinedResultError(f"the bootstrap needs at least 2 {kind}s to see how they vary; got {len(units)}.")
    return resampled_sums(np.ascontiguousarray(units, dtype=np.int64), resamples, seed)
