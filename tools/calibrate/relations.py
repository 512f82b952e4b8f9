"""Relations between results that hold for any data, checked on a few samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import numba
import numpy as np

from misread.stats import (
    TestResult,
    adjust,
    bootstrap_sums,
    mapsswe_test,
    mcnemar_test,
    paired_t_test,
    sign_flip,
    sign_test,
    two_way_bootstrap_sums,
    wilcoxon_signed_rank,
)
from misread.stats.bootstrap.kernels import flipped_sums
from misread.types import IntArray
from tools.calibrate.outcomes import ALPHA
from tools.calibrate.populations import RESAMPLES, Population, Sample

SEEDS = range(20)
THREADS = (1, 2, 5)
FLIPS = 9999
CLUSTERED = Population(clusters=20, segments=15, deviation=0.4)


def check(holds: Callable[[Sample], bool]) -> bool:
    """Whether a relation holds on all samples."""
    return all(holds(_draw(seed)) for seed in SEEDS)


@cache
def _draw(seed: int) -> Sample:
    return CLUSTERED.draw(np.random.default_rng([0, seed]))


def _flip(differences: np.ndarray, sample: Sample) -> TestResult:
    length = int(sample.lengths.sum())
    return sign_flip(differences, length=length, resamples=RESAMPLES, seed=sample.seed, alpha=ALPHA)


def _all_tests(sample: Sample, first: int, second: int) -> list[TestResult]:
    differences = sample.rates[second] - sample.rates[first]
    return [
        _flip(sample.errors[second] - sample.errors[first], sample),
        wilcoxon_signed_rank(differences),
        paired_t_test(differences),
        sign_test(differences),
        mcnemar_test(sample.errors[first] == 0, sample.errors[second] == 0),
        mapsswe_test(sample.operations[first], sample.operations[second]),
    ]


def swapping_keeps_p(sample: Sample) -> bool:
    forth, back = _all_tests(sample, 0, 1), _all_tests(sample, 1, 0)
    signed = all(
        one.statistic == -other.statistic
        for one, other in zip(forth, back, strict=True)
        if one.name in ("randomisation", "paired_t", "mapsswe")
    )
    return signed and np.allclose([one.pvalue for one in forth], [one.pvalue for one in back], rtol=1e-12)


def doubling_makes_z_larger(sample: Sample) -> bool:
    once = mapsswe_test(*sample.operations)
    twice = mapsswe_test(*(operations * 2 for operations in sample.operations))
    # Because of n - 1 the factor is slightly more than the square root of 2.
    exact = np.sqrt(2 * (2 * once.n - 1) / (2 * once.n - 2))
    return bool(np.isclose(twice.statistic, once.statistic * exact, rtol=1e-9))


@contextmanager
def threads(number: int) -> Iterator[None]:
    """Limit the threads of the kernels, which use more than one only for enough work."""
    before = numba.config.NUMBA_NUM_THREADS
    numba.config.NUMBA_NUM_THREADS = number
    try:
        yield
    finally:
        numba.config.NUMBA_NUM_THREADS = before


def threads_change_nothing(sample: Sample) -> bool:
    """Draw, with every method, so many samples that threads are started."""
    place = np.arange(len(sample.clusters)) % CLUSTERED.segments
    differences = (sample.errors[1] - sample.errors[0])[:, np.newaxis]
    draws: list[Callable[[], IntArray]] = [
        lambda: bootstrap_sums(sample.counts, clusters=sample.clusters, resamples=RESAMPLES, seed=sample.seed),
        lambda: two_way_bootstrap_sums(sample.counts, sample.clusters, place, resamples=RESAMPLES, seed=sample.seed),
        lambda: flipped_sums(differences, FLIPS, sample.seed),
    ]
    for draw in draws:
        sums = []
        for number in THREADS:
            with threads(number):
                sums.append(draw())
        if not all(np.array_equal(sums[0], of) for of in sums):
            return False
    return True


def order_changes_no_exact_p(sample: Sample) -> bool:
    differences = sample.errors[1] - sample.errors[0]
    return _flip(differences, sample) == _flip(differences[::-1].copy(), sample)


def single_clusters_are_segments(sample: Sample) -> bool:
    own = np.arange(len(sample.lengths))
    alone, by_cluster = (
        bootstrap_sums(sample.counts, clusters=clusters, resamples=200, seed=sample.seed) for clusters in (None, own)
    )
    return bool(np.array_equal(alone, by_cluster))


def corrections_are_ordered(sample: Sample) -> bool:
    raw = [test.pvalue for test in _all_tests(sample, 0, 1)]
    holm, false_discoveries = adjust(raw, method="holm"), adjust(raw, method="benjamini_hochberg")
    return bool(np.all(holm >= false_discoveries) and np.all(false_discoveries >= raw))


def p_is_positive(sample: Sample) -> bool:
    return all(0 < test.pvalue <= 1 for test in _all_tests(sample, 0, 1))


RELATIONS = {
    "swapping the systems flips the sign of the statistic and keeps p": swapping_keeps_p,
    "every segment twice multiplies Z by the square root of 2 (adjusted for n - 1)": doubling_makes_z_larger,
    "the number of threads changes no draw": threads_change_nothing,
    "the order of segments changes no exact p": order_changes_no_exact_p,
    "with one segment per cluster, clusters and segments give the same draws": single_clusters_are_segments,
    "Holm >= Benjamini-Hochberg >= raw p": corrections_are_ordered,
    "every p lies in (0, 1]": p_is_positive,
}
"""Each in words, and as a function of a sample."""
