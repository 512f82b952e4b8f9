"""The Poisson bootstrap: replicates of data that lie in parts, on several machines or too large for one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from misread.errors import LengthMismatchError
from misread.stats.bootstrap.kernels import poisson_sums
from misread.stats.bootstrap.resampling import check_draws, exact_columns
from misread.types import IntArray

# No weight is larger: beyond it lies less than one in 2^64 of the Poisson distribution.
LARGEST_WEIGHT = 17
FEWEST_UNITS = 30
"""With fewer, samples without any unit at all are to be expected."""


def poisson_bootstrap_sums(counts: IntArray, unit_ids: Sequence[str], *, resamples: int, seed: int) -> IntArray:
    """Sum the counts of bootstrap samples in which each unit has a weight of its own, Poisson of mean 1.

    The weight of a unit in a replicate is a function of seed, replicate and id, so that sums of parts of the data
    (made anywhere, in any order, also where a cluster lies in two parts) add up to those of the whole::

        poisson_bootstrap_sums(all) == poisson_bootstrap_sums(one part) + poisson_bootstrap_sums(the rest)

    Parameters
    ----------
    counts : int64 array, shape (segments, columns)
        Additive counts of each segment.
    unit_ids : sequence of str, length segments
        What is drawn as a whole: the cluster of each segment, or its own id where there are none.
    resamples : int
        Number of bootstrap samples, 1 or more.
    seed : int
        Start of the random sequence, from 0 to 2^63 - 1.

    Returns
    -------
    int64 array, shape (resamples, columns)
        Summed counts of each bootstrap sample. With few units some samples are empty; 30 are enough.

    Raises
    ------
    LengthMismatchError
        If there is not one id per segment.
    ConfigurationError
        If `resamples` or `seed` is out of range.

    References
    ----------
    Hanley & MacGibbon (2006), Creating non-parametric bootstrap samples using Poisson frequencies; Chamandy,
    Muralidharan, Najmi & Naidu (2012), Estimating uncertainty for massive data streams.

    Examples
    --------
    >>> import numpy as np
    >>> counts, ids = np.array([[1, 20], [0, 10], [2, 30]]), ["p1-l1", "p1-l2", "p2-l1"]
    >>> whole = poisson_bootstrap_sums(counts, ids, resamples=9, seed=1)
    >>> parts = [poisson_bootstrap_sums(counts[s], ids[s], resamples=9, seed=1) for s in (slice(1), slice(1, 3))]
    >>> np.array_equal(whole, sum(parts))
    True
    """
    check_draws(resamples, seed)
    if len(unit_ids) != len(counts):
        raise LengthMismatchError(f"{len(counts)} segments have counts, but {len(unit_ids)} have the id of a unit.")
    if len(counts) == 0:
        return np.zeros((resamples, counts.shape[1]), dtype=np.int64)
    return poisson_sums(exact_columns(counts, LARGEST_WEIGHT * len(counts)), hash_ids(unit_ids), resamples, seed)


def hash_ids(ids: Sequence[str]) -> NDArray[np.uint64]:
    """64 bits of each id that depend on it alone: the first bytes of BLAKE2b (RFC 7693)."""
    digests = b"".join(hashlib.blake2b(of.encode(), digest_size=8).digest() for of in ids)
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)
