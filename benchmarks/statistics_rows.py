"""Resampling."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.stats import bootstrap, permutation_test

from benchmarks.measure import Peer, Ratio, Row
from misread.stats.kernels import flipped_sums
from misread.stats.resampling import bootstrap_sums


def bootstrap_rows(_scale: float) -> Iterator[Row]:
    """Bootstrap of eight systems that share their segments."""
    rng = np.random.default_rng(1)
    systems, segments, resamples = 8, 10_000, 10_000
    lengths = rng.integers(20, 80, size=segments)
    errors = rng.binomial(lengths, 0.07, size=(systems, segments))
    counts = np.column_stack([*errors, lengths])
    share = 0.01

    def resample() -> None:
        for system in errors:
            bootstrap(
                (system, lengths),
                lambda numerator, denominator, axis: numerator.sum(axis) / denominator.sum(axis),
                paired=True,
                vectorized=True,
                n_resamples=int(resamples * share),
                method="percentile",
                rng=1,
            )

    run = partial(bootstrap_sums, counts, resamples=resamples, seed=1)
    peer = Peer("scipy.stats.bootstrap", resample, share)
    yield Ratio("bootstrap", f"8 systems, {segments:,} segments, B = {resamples:,}", run, (peer,), "30", "50")


def flip_rows(_scale: float) -> Iterator[Row]:
    """Sign flips of paired differences."""
    differences = np.random.default_rng(1).integers(-5, 6, size=1000)
    draws = 10_000

    def permute() -> None:
        permutation_test(
            (differences.astype(np.float64),),
            lambda sample, axis: sample.sum(axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=draws,
            batch=1000,
            rng=1,
        )

    run = partial(flipped_sums, differences[:, np.newaxis].astype(np.int64), draws, 1)
    peer = Peer("scipy.stats.permutation_test", permute)
    yield Ratio("sign flip", f"n = 1,000, {draws:,} draws", run, (peer,), "100", "200")
