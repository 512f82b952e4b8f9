"""Design effect of clusters, and effective sample size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from misread.checks.numbers import check_counts
from misread.errors import LengthMismatchError, UndefinedResultError
from misread.stats.bootstrap.resampling import cluster_rows
from misread.types import IntArray


def design_effect(errors: IntArray, lengths: IntArray, clusters: IntArray) -> float:
    """Variance of a corpus rate with its clusters, over the variance if its segments were independent.

    The rate R = sum(errors) / sum(lengths) is linearised: segment i moves it in proportion to e_i - R l_i. The
    design effect is the sum of squares of these residuals added up by cluster, over their own sum of squares: 1 for
    unrelated segments, up to the size of the clusters for segments that all err alike.

    Parameters
    ----------
    errors, lengths : int64 array, shape (segments,)
        Errors and reference units of each segment.
    clusters : int64 array, shape (segments,)
        Code of each segment's cluster.

    Returns
    -------
    float
        0 or more; 1 where every segment has the same rate and there is no variance to compare.

    Raises
    ------
    InputTypeError
        If one of them is not a one-dimensional array of whole numbers.
    LengthMismatchError
        If the arrays differ in length.
    UndefinedResultError
        If the reference is empty, or there is one cluster only: its residuals add up to 0 whatever the data.

    References
    ----------
    Kish (1965), Survey Sampling, sections 5.4 and 8.2; Cochran (1977), Sampling Techniques, section 6.3.

    Examples
    --------
    >>> import numpy as np
    >>> lengths = np.array([10, 10, 10, 10])
    >>> design_effect(np.array([2, 2, 0, 0]), lengths, np.array([0, 0, 1, 1]))
    2.0
    """
    errors, lengths = check_counts("errors", errors), check_counts("lengths", lengths)
    clusters = check_counts("clusters", clusters)
    if not len(errors) == len(lengths) == len(clusters):
        raise LengthMismatchError(
            f"a design effect needs one entry per segment; got {len(errors)} errors, {len(lengths)} lengths and "
            f"{len(clusters)} cluster codes."
        )
    total_length = int(lengths.sum())
    if total_length == 0:
        raise UndefinedResultError("the design effect of a rate needs reference units; the reference is empty.")
    # The residuals times the total length: whole numbers, so that no variance is exactly none.
    residuals = errors * total_length - int(errors.sum()) * lengths
    clustered = cluster_rows(residuals[:, np.newaxis], clusters)[:, 0]
    if len(clustered) < 2:
        raise UndefinedResultError("the design effect needs at least 2 clusters to see how they vary; got 1.")
    segment_squares = float(np.sum(np.square(residuals, dtype=np.float64)))
    if segment_squares == 0:
        return 1.0
    return float(np.sum(np.square(clustered, dtype=np.float64))) / segment_squares


def effective_segments(segments: int, deff: float) -> float:
    """Effective sample size: the number of independent segments that would give the same variance.

    Parameters
    ----------
    segments : int
        Segments in the sample.
    deff : float
        Their design effect. Below 1, where clusters even each other out, it counts as 1: in few clusters that is
        mostly chance, and it makes no sample larger than it is.

    Returns
    -------
    float
        segments / deff, at most `segments`.

    References
    ----------
    Kish (1965), Survey Sampling, section 8.2.

    Examples
    --------
    >>> effective_segments(1200, 8.0)
    150.0
    """
    return segments / max(deff, 1.0)


def design_sentence(segments: int, worth: Sequence[float]) -> str:
    """One sentence, such as "Effective sample size: 143 of 1210 segments."; with the range where systems differ."""
    ends = sorted({round(min(worth)), round(max(worth))})
    return f"Effective sample size: {' to '.join(map(str, ends))} of {segments} segments."
