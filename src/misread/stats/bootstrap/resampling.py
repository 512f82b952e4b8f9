"""The bootstrap of additive counts: by segment, by cluster, by clusters of two kinds, and of data that lie in parts.

Clusters of two kinds cross each other, such as writers and pages. Data lie in parts where they are on several machines
or too large for one; each unit then has a Poisson weight of its own.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from misread.checks.numbers import check_whole
from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.stats.bootstrap.draws import poisson_sums, resampled_sums, two_way_sums
from misread.stats.bootstrap.kernels import Columns
from misread.types import IntArray


def cluster_rows(counts: IntArray, clusters: IntArray | None) -> IntArray:
    """Add up the counts of each resampling unit: a cluster, in ascending order of the codes, or a segment alone."""
    if clusters is None:
        return counts
    _check_length(len(counts), len(clusters), "a cluster code")
    if len(counts) == 0:
        return counts
    is_new = np.diff(clusters) != 0
    if np.any(np.diff(clusters) < 0):
        order = np.argsort(clusters, kind="stable")
        counts, is_new = counts[order], np.diff(clusters[order]) != 0
    first = np.concatenate([[0], 1 + np.flatnonzero(is_new)])
    sums: IntArray = np.add.reduceat(counts, first, axis=0)
    return sums


def bootstrap_sums(
    counts: IntArray,
    *,
    clusters: IntArray | None = None,
    strata: IntArray | None = None,
    segment_ids: Sequence[str] | None = None,
    resamples: int,
    seed: int,
) -> IntArray:
    """Summed counts of bootstrap samples, shape (resamples, columns): `rate` of them is the replicates of a score.

    With clusters a whole cluster is one unit that is drawn or not (cluster bootstrap): segments of one page or one
    speaker resemble each other, and drawing them singly makes intervals too narrow. From each of the `strata` as many
    units are drawn as it has. Counts of all systems and metrics belong side by side in the columns: they share the
    draws, which is what makes a comparison paired. Segments are put into the order of `segment_ids` first, where
    there are any.

    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 6; Bisani & Ney (2004), Bootstrap estimates
    for confidence intervals in ASR performance evaluation; Field & Welsh (2007), Bootstrapping clustered data; Davison
    & Hinkley (1997), Bootstrap Methods and their Application, section 3.2 (strata).
    """
    resamples, seed = check_draws(resamples, seed)
    if segment_ids is not None and clusters is None:
        _check_length(len(counts), len(segment_ids), "an id")
        order = sorted(range(len(segment_ids)), key=segment_ids.__getitem__)
        counts, strata = counts[order], None if strata is None else strata[order]
    units = cluster_rows(counts, clusters)
    if len(units) < 2:
        kind = "segment" if clusters is None else "cluster"
        raise UndefinedResultError(f"the bootstrap needs at least 2 {kind}s to see how they vary; got {len(units)}.")
    if strata is None:
        return resampled_sums(exact_columns(units, len(units)), resamples, seed)
    sums = np.zeros((resamples, units.shape[1]), dtype=np.int64)
    of_unit = _strata_of_units(strata, clusters)
    for number, code in enumerate(np.unique(of_unit).tolist()):
        part = units[of_unit == code]
        sums += resampled_sums(exact_columns(part, len(part)), resamples, derived_seed(seed, number))
    return sums


def check_draws(resamples: int, seed: int) -> tuple[int, int]:
    """Both as integers of Python; raises unless `resamples` is 1 or more and the seed lies between 0 and 2^63 - 1."""
    resamples, seed = check_whole("resamples", resamples), check_whole("seed", seed)
    if resamples < 1:
        raise ConfigurationError(f"resamples is {resamples}; a bootstrap needs at least 1, and 10000 is usual.")
    if not 0 <= seed < 2**63:
        raise ConfigurationError(f"seed is {seed}; it has to lie between 0 and 2**63 - 1.")
    return resamples, seed


def exact_columns(rows: IntArray, weight: int) -> Columns:
    """Rows (units, columns) as columns (columns, units) of the narrowest type in which every weighted sum is exact.

    `weight` is the largest sum of the weights of all units. Floats wherever they are exact, because processors multiply
    more of them at once.
    """
    largest = weight * max((abs(int(end)) for end in (rows.min(), rows.max())), default=0) if rows.size else 0
    if largest < 2**24:
        return np.ascontiguousarray(rows.T, dtype=np.float32)
    if largest < 2**53:
        return np.ascontiguousarray(rows.T, dtype=np.float64)
    return np.ascontiguousarray(rows.T, dtype=np.int64)


def derived_seed(seed: int, number: int) -> int:
    """Seed of one of several draws that must not resemble each other, from 0 to 2^63 - 1."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> np.uint64(1))


def _strata_of_units(strata: IntArray, clusters: IntArray | None) -> IntArray:
    """Stratum of each unit, in the order of `cluster_rows`."""
    if clusters is None:
        return strata
    _check_length(len(clusters), len(strata), "a stratum code")
    _, first, unit = np.unique(clusters, return_index=True, return_inverse=True)
    of_unit: IntArray = strata[first]
    if np.any(of_unit[unit] != strata):
        torn = int(np.flatnonzero(of_unit[unit] != strata)[0])
        raise UndefinedResultError(
            f"cluster {int(clusters[torn])} has segments in two strata ({int(of_unit[unit][torn])}, "
            f"{int(strata[torn])}); a cluster has to lie within one stratum."
        )
    return of_unit


def _check_length(segments: int, given: int, what: str) -> None:
    if segments != given:
        raise LengthMismatchError(f"{segments} segments have counts, but {given} have {what}.")


def two_way_bootstrap_sums(
    counts: IntArray, first: IntArray, second: IntArray, *, resamples: int, seed: int
) -> IntArray:
    """Summed counts of bootstrap samples in which clusters of both kinds are drawn independently.

    A segment counts as often as its first cluster was drawn, times as often as its second one was. Intervals from it
    are a little too wide rather than too narrow. Owen (2007), The pigeonhole bootstrap; Cameron, Gelbach & Miller
    (2011), Robust inference with multiway clustering.
    """
    resamples, seed = check_draws(resamples, seed)
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


# No weight is larger: beyond it lies less than one in 2^64 of the Poisson distribution.
LARGEST_WEIGHT = 17
FEWEST_POISSON_UNITS = 30
"""With fewer, samples without any unit at all are to be expected."""


def poisson_bootstrap_sums(counts: IntArray, unit_ids: Sequence[str], *, resamples: int, seed: int) -> IntArray:
    """Summed counts of bootstrap samples in which each unit has a weight of its own, Poisson of mean 1.

    The weight of a unit in a replicate is a function of seed, replicate and id, so that sums of parts of the data
    (made anywhere, in any order, also where a cluster lies in two parts) add up to those of the whole. With few units
    some samples are empty; 30 are enough. Hanley & MacGibbon (2006), Creating non-parametric bootstrap samples using
    Poisson frequencies; Chamandy et al. (2012), Estimating uncertainty for massive data streams.
    """
    resamples, seed = check_draws(resamples, seed)
    if len(unit_ids) != len(counts):
        raise LengthMismatchError(f"{len(counts)} segments have counts, but {len(unit_ids)} have the id of a unit.")
    if len(counts) == 0:
        return np.zeros((resamples, counts.shape[1]), dtype=np.int64)
    return poisson_sums(exact_columns(counts, LARGEST_WEIGHT * len(counts)), hash_ids(unit_ids), resamples, seed)


def hash_ids(ids: Sequence[str]) -> NDArray[np.uint64]:
    """64 bits of each id that depend on it alone: the first bytes of BLAKE2b (RFC 7693)."""
    digests = b"".join(hashlib.blake2b(of.encode(), digest_size=8).digest() for of in ids)
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)
