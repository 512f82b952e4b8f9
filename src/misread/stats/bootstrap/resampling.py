"""The bootstrap of additive counts, by segment, by cluster, or by clusters of two kinds."""

from types import ModuleType

import numpy as np

from misread.compiled.budget import DRAWING
from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.io.checks.numbers import check_whole
from misread.stats.bootstrap import kernels, plain
from misread.stats.bootstrap.kernels import Columns
from misread.types import IntArray


def resampled_sums(columns: Columns, resamples: int, seed: int) -> IntArray:
    """Sums of units drawn with replacement, as many as there are; shape (resamples, columns)."""
    return _draw("resampled_sums", (columns,), columns.shape, resamples, seed)


def two_way_sums(columns: Columns, first: IntArray, second: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of rows weighted by how often both of their units were drawn; shape (resamples, columns)."""
    return _draw("two_way_sums", (columns, first, second), columns.shape, resamples, seed)


def flipped_sums(rows: IntArray, resamples: int, seed: int) -> IntArray:
    """Sums of random subsets that include each row with probability 1/2; shape (resamples, columns)."""
    return _draw("flipped_sums", (rows,), rows.shape[::-1], resamples, seed)


def _draw(name: str, arrays: tuple[Columns, ...], shape: tuple[int, int], resamples: int, seed: int) -> IntArray:
    columns, units = shape
    module: ModuleType = plain if DRAWING.covers(plain.estimate_seconds(columns, units, resamples)) else kernels
    sums: IntArray = getattr(module, name)(*arrays, resamples, seed)
    return sums


def cluster_rows(counts: IntArray, clusters: IntArray | None) -> IntArray:
    """Sum the counts of each resampling unit: a cluster, in ascending order of the codes, or a single segment."""
    if clusters is None:
        return counts
    if len(counts) != len(clusters):
        raise LengthMismatchError(f"{len(counts)} segments have counts, but {len(clusters)} have a cluster code.")
    if len(counts) == 0:
        return counts
    order = np.argsort(clusters, kind="stable")
    first = np.concatenate([[0], 1 + np.flatnonzero(np.diff(clusters[order]))])
    # Column by column, so that not all counts are copied.
    return np.stack([np.add.reduceat(column[order], first) for column in counts.T], axis=-1)


def bootstrap_sums(units: IntArray, *, resamples: int, seed: int) -> IntArray:
    """Summed counts of bootstrap samples, shape (resamples, columns); `rate` turns them into replicates of a score.

    Units are segments, or whole clusters (`cluster_rows`, the cluster bootstrap): segments of one page or speaker
    resemble each other, and drawing them singly makes intervals too narrow. Put the counts of all systems and metrics
    side by side in the columns: they share the draws, which makes a comparison paired.

    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 6; Bisani & Ney (2004), Bootstrap estimates
    for confidence intervals in ASR performance evaluation; Field & Welsh (2007), Bootstrapping clustered data.
    """
    resamples, seed = check_draws(resamples, seed)
    if len(units) < 2:
        raise UndefinedResultError(f"the bootstrap needs at least 2 units to see how they vary; got {len(units)}.")
    return resampled_sums(exact_columns(units, len(units)), resamples, seed)


def normal_sums(counts: IntArray, *, resamples: int, seed: int) -> IntArray:
    """As `bootstrap_sums` for very many units, drawn from the normal distribution that the sums approach.

    It has the mean and covariance of sums of units drawn with replacement. Sums are whole and not negative; linear
    relations of columns hold up to rounding. Efron & Tibshirani (1993), section 22.2.
    """
    resamples, seed = check_draws(resamples, seed)
    total = counts.sum(axis=0, dtype=np.float64)
    # A product of matrices would need a copy of the counts, and 32 MB for BLAS.
    products = np.einsum("ij,ik->jk", counts, counts, dtype=np.float64, casting="same_kind")
    covariance = products - np.outer(total, total) / len(counts)
    deviations = np.sqrt(covariance.diagonal())
    scales = np.where(deviations > 0, deviations, 1.0)
    # Errors are the sum of other columns: the covariance needs a trace of variance to have a Cholesky factor.
    correlations = covariance / np.outer(scales, scales) + 1e-9 * np.eye(len(total))
    draws = np.random.default_rng(seed).standard_normal((resamples, len(total)))
    sums = total + draws @ np.linalg.cholesky(correlations).T * deviations
    whole: IntArray = np.maximum(np.rint(sums), 0).astype(np.int64)
    return whole


def check_draws(resamples: int, seed: int) -> tuple[int, int]:
    """Both as Python integers; raises unless `resamples` is 1 or more and the seed is between 0 and 2^63 - 1."""
    resamples, seed = check_whole("resamples", resamples), check_whole("seed", seed)
    if resamples < 1:
        raise ConfigurationError(f"resamples is {resamples}, expected 1 or more; 9999 is usual.")
    if seed < 0:
        raise ConfigurationError(f"seed is {seed}, expected 0 to 2^63 - 1.")
    return resamples, seed


def exact_columns(rows: IntArray, weight: int) -> Columns:
    """Rows (units, columns) as columns (columns, units) of the narrowest type in which every weighted sum is exact.

    `weight` is the largest sum of the weights of all units. Floats are used whenever they are exact, because processors
    multiply more of them at once.
    """
    largest = weight * max((abs(int(end)) for end in (rows.min(), rows.max())), default=0) if rows.size else 0
    if largest < 2**24:
        return np.ascontiguousarray(rows.T, dtype=np.float32)
    if largest < 2**53:
        return np.ascontiguousarray(rows.T, dtype=np.float64)
    return np.ascontiguousarray(rows.T, dtype=np.int64)


def derived_seed(seed: int, number: int) -> int:
    """Seed, from 0 to 2^63 - 1, of one of several draws that must be independent."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> np.uint64(1))


def two_way_bootstrap_sums(
    counts: IntArray, first: IntArray, second: IntArray, *, resamples: int, seed: int
) -> IntArray:
    """Summed counts of bootstrap samples in which clusters of both kinds are drawn independently.

    The weight of a segment is the number of draws of its first cluster times that of its second cluster. Intervals from
    it tend to be slightly too wide. Owen (2007), The pigeonhole bootstrap; Cameron, Gelbach & Miller (2011), Robust
    inference with multiway clustering.
    """
    resamples, seed = check_draws(resamples, seed)
    if not len(first) == len(second) == len(counts):
        raise LengthMismatchError(
            f"{len(counts)} segments have counts, but {len(first)} and {len(second)} have a cluster code."
        )
    numbered = [np.unique(codes, return_inverse=True) for codes in (first, second)]
    for kind, (names, _) in zip(("first", "second"), numbered, strict=True):
        if len(names) < 2:
            raise UndefinedResultError(
                f"the bootstrap needs at least 2 clusters of the {kind} kind to see how they vary; got {len(names)}."
            )
    (firsts, by_first), (seconds, by_second) = numbered
    cell = by_first * len(seconds) + by_second
    cells = np.unique(cell)
    columns = exact_columns(cluster_rows(counts, cell), len(firsts) * len(seconds))
    return two_way_sums(columns, cells // len(seconds), cells % len(seconds), resamples, seed)
