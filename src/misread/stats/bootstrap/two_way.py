"""The bootstrap of segments in clusters of two kinds that cross each other, such as writers and pages."""

from __future__ import annotations

import numpy as np

from misread.errors import LengthMismatchError, UndefinedResultError
from misread.stats.bootstrap.kernels import two_way_sums
from misread.stats.bootstrap.resampling import check_draws, cluster_rows, exact_columns
from misread.types import IntArray


def two_way_bootstrap_sums(
    counts: IntArray, first: IntArray, second: IntArray, *, resamples: int, seed: int
) -> IntArray:
    """Sum the counts of bootstrap samples in which clusters of both kinds are drawn independently.

    A segment counts as often as its first cluster was drawn, times as often as its second one was. Intervals from it
    are a little too wide rather than too narrow.

    Parameters
    ----------
    counts : int64 array, shape (segments, columns)
        Additive counts of each segment.
    first, second : int64 array, shape (segments,)
        Codes of each segment's cluster of either kind. Any integers.
    resamples : int
        Number of bootstrap samples, 1 or more.
    seed : int
        Start of the random sequence, from 0 to 2^63 - 1.

    Returns
    -------
    int64 array, shape (resamples, columns)
        Summed counts of each bootstrap sample; a function of the data, whatever order it arrives in.

    Raises
    ------
    UndefinedResultError
        If there are fewer than two clusters of either kind.
    LengthMismatchError
        If there is not one code per segment.
    ConfigurationError
        If `resamples` or `seed` is out of range.

    References
    ----------
    Owen (2007), The pigeonhole bootstrap; Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[1, 20], [0, 10], [2, 30], [1, 15]])
    >>> writer, page = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> two_way_bootstrap_sums(counts, writer, page, resamples=1000, seed=1).shape
    (1000, 2)
    """
    check_draws(resamples, seed)
    if not len(first) == len(second) == len(counts):
        raise LengthMismatchError(
            f"{len(counts)} segments have counts, but {len(first)} and {len(second)} have a cluster code."
        )
    numbered = [np.unique(codes, return_inverse=True) for codes in (first, second)]
    for place, (names, _) in zip(("first", "second"), numbered, strict=True):
        if len(names) < 2:
            raise UndefinedResultError(
                f"the bootstrap needs at least 2 clusters of the {place} kind to see how they vary; got {len(names)}."
            )
    (firsts, by_first), (seconds, by_second) = numbered
    cell = by_first * len(seconds) + by_second
    cells = np.unique(cell)
    columns = exact_columns(cluster_rows(counts, cell), len(firsts) * len(seconds))
    return two_way_sums(columns, cells // len(seconds), cells % len(seconds), resamples, seed)
