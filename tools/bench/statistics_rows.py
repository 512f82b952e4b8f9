"""Rows for statistics: resampling, sign flips and a whole comparison, compared with SciPy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import combinations

import numpy as np
from scipy.stats import bootstrap, permutation_test

from misread.data.segment_table import Origin, SegmentKeys
from misread.sockets import METRICS
from misread.stats import StatisticsSettings, bootstrap_sums, compare_systems
from misread.stats.bootstrap.kernels import flipped_sums
from misread.tally.scores import Counts, Scores
from misread.types import IntArray
from tools.bench.measure import Peer, Row, speed_up

SYSTEMS, SEGMENTS, RESAMPLES = 8, 10_000, 10_000
# Share of the work given to SciPy where it takes long.
SHARE = 0.01
# Usual length of a segment by metric.
LENGTHS = {"cer": 50, "wer": 9, "ger": 48}


def bootstrap_rows(_scale: float) -> Iterator[Row]:
    """Bootstrap of systems that share their segments."""
    lengths, errors = _draw_counts("cer")
    counts = np.column_stack([*errors, lengths])
    peer = Peer("scipy.stats.bootstrap", partial(_bootstrap_each, errors, lengths), SHARE)
    measure = speed_up(partial(bootstrap_sums, counts, resamples=RESAMPLES, seed=1), peer)
    yield Row("bootstrap", f"{SYSTEMS} systems, {SEGMENTS:,} segments, B = {RESAMPLES:,}", measure, "30", "50")


def flip_rows(_scale: float) -> Iterator[Row]:
    """Sign flips of paired differences."""
    _, errors = _draw_counts("cer")
    differences = (errors[1] - errors[0])[:1000]
    peer = Peer("scipy.stats.permutation_test", partial(_permute, differences, RESAMPLES))
    flips = partial(flipped_sums, differences[:, np.newaxis], RESAMPLES, 1)
    yield Row("sign flip", f"n = 1,000, {RESAMPLES:,} draws", speed_up(flips, peer), "100", "200")


def comparison_rows(_scale: float) -> Iterator[Row]:
    """The whole compare stage."""
    counts = {metric: _draw_counts(metric) for metric in LENGTHS}
    systems = {f"system{number}": _make_scores(counts, number) for number in range(SYSTEMS)}
    settings, metrics = StatisticsSettings(seed=1, resamples=RESAMPLES), [METRICS[metric] for metric in LENGTHS]
    run = partial(compare_systems, systems, metrics, settings, dataset="drawn", baseline="system0")
    work = f"{SYSTEMS} systems, {SEGMENTS:,} segments, {len(LENGTHS)} metrics, B = {RESAMPLES:,}, all pairs"
    peer = Peer("scipy: the same intervals and sign flips", partial(_compare_with_scipy, counts), SHARE)
    yield Row("compare stage", work, speed_up(run, peer))


def _draw_counts(metric: str) -> tuple[IntArray, IntArray]:
    """Lengths, shape (segments,), and errors of every system, each a little worse, shape (systems, segments)."""
    rng, length = np.random.default_rng(1), LENGTHS[metric]
    lengths = rng.integers(length // 2, length * 3 // 2, size=SEGMENTS)
    return lengths, np.stack([rng.binomial(lengths, 0.05 + 0.002 * number) for number in range(SYSTEMS)])


def _make_scores(counts: Mapping[str, tuple[IntArray, IntArray]], number: int) -> Scores:
    by_metric = {}
    for metric, (lengths, errors) in counts.items():
        wrong, none = errors[number], np.zeros_like(lengths)
        values = np.stack([wrong, lengths, lengths - wrong, wrong, none, none], axis=-1)
        by_metric[metric] = Counts(METRICS[metric].columns, values)
    return Scores(
        Origin("drawn", f"system{number}"),
        SegmentKeys([f"s{row:05}" for row in range(SEGMENTS)], None, {}),
        counts=by_metric,
        signatures={metric: METRICS[metric].signature("none") for metric in counts},
        normalizer="none",
        reference_digest=["same"] * SEGMENTS,
        missing="error",
    )


def _compare_with_scipy(counts: Mapping[str, tuple[IntArray, IntArray]]) -> None:
    for lengths, errors in counts.values():
        _bootstrap_each(errors, lengths)
        for first, second in combinations(errors, 2):
            _permute(second - first, int(RESAMPLES * SHARE))


def _bootstrap_each(errors: IntArray, lengths: IntArray) -> None:
    for system in errors:
        bootstrap(
            (system, lengths),
            lambda numerator, denominator, axis: numerator.sum(axis) / denominator.sum(axis),
            paired=True,
            vectorized=True,
            n_resamples=int(RESAMPLES * SHARE),
            method="percentile",
            rng=1,
        )


def _permute(differences: IntArray, resamples: int) -> None:
    permutation_test(
        (differences,),
        lambda values, axis: values.sum(axis),
        permutation_type="samples",
        n_resamples=resamples,
        vectorized=True,
        rng=1,
    )
