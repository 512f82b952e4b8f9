"""Design effect of clusters, and effective sample size."""

from collections.abc import Sequence

import numpy as np

from misread.errors import LengthMismatchError, UndefinedResultError
from misread.io.checks.numbers import check_counts
from misread.stats.bootstrap.resampling import cluster_rows
from misread.types import IntArray


def design_effect(errors: IntArray, lengths: IntArray, clusters: IntArray) -> float:
    """Variance of a corpus rate with its clusters, over the variance if its segments were independent; by segment.

    The rate R = sum(errors) / sum(lengths) is linearised: segment i moves it in proportion to e_i - R l_i. The
    design effect is the sum of squares of these residuals added up by cluster, over their own sum of squares: 1 for
    unrelated segments (or where every segment has the same rate), up to the size of the clusters for segments that all
    err alike. Kish (1965), Survey Sampling, sections 5.4 and 8.2; Cochran (1977), Sampling Techniques, section 6.3.
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

    Kish (1965), section 8.2. A design effect below 1, where clusters even each other out, counts as 1: in few
    clusters that is mostly chance.
    """
    return segments / max(deff, 1.0)


def design_sentence(segments: int, worth: Sequence[float]) -> str:
    """One sentence, such as "Effective sample size: 143 of 1210 segments."; with the range where systems differ."""
    ends = sorted({round(min(worth)), round(max(worth))})
    return f"Effective sample size: {' to '.join(map(str, ends))} of {segments} segments."
