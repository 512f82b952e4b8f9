"""Relations between results that hold for any data, checked on a few samples."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from unittest.mock import patch

import numba
import numpy as np

from misread.stats import TestResult, adjust, mapsswe_test
from misread.stats.bootstrap.kernels import flipped_sums
from misread.stats.bootstrap.resampling import bootstrap_sums, two_way_bootstrap_sums
from misread.stats.compare.paired_tests import PAIRED_TESTS
from misread.stats.compare.settings import PairedTest
from misread.stats.significance.mapsswe import encode_letters
from misread.stats.significance.randomisation import sign_flip
from misread.types import IntArray
from tools.calibrate.outcomes import SETTINGS
from tools.calibrate.populations import Population
from tools.calibrate.samples import ALPHA, RESAMPLES, Sample

SEEDS = range(20)
THREADS = (1, 2, 5)
FLIPS = 9999
CLUSTERED = Population(clusters=20, segments=15, deviation=0.4)
# Those whose statistic has a sign come first.
TESTS: tuple[PairedTest, ...] = ("randomisation", "paired_t", "mapsswe", "wilcoxon", "sign", "mcnemar")


def check(holds: Callable[[Sample], bool]) -> bool:
    """Whether a relation holds on all samples."""
    return all(holds(_draw(seed)) for seed in SEEDS)


@cache
def _draw(seed: int) -> Sample:
    return CLUSTERED.draw(np.random.default_rng([0, seed]))


def _all_tests(sample: Sample, first: int, second: int) -> list[TestResult]:
    pair = sample.by_segment.aligned.pair(SETTINGS, first, second)
    return [PAIRED_TESTS[test](pair) for test in TESTS]


def swapping_keeps_p(sample: Sample) -> bool:
    forth, back = _all_tests(sample, 0, 1), _all_tests(sample, 1, 0)
    are_signed = all(test.statistic == -swapped.statistic for test, swapped in zip(forth[:3], back[:3], strict=True))
    return are_signed and np.allclose([test.pvalue for test in forth], [test.pvalue for test in back], rtol=1e-12)


def doubling_makes_z_larger(sample: Sample) -> bool:
    operations = [encode_letters(letters["wer"]) for letters in sample.aligned.shared.operations.values()]
    once, twice = mapsswe_test(*operations), mapsswe_test(*(alignments * 2 for alignments in operations))
    # Because of n - 1 the factor is slightly more than the square root of 2.
    exact = np.sqrt(2 * (2 * once.n - 1) / (2 * once.n - 2))
    return bool(np.isclose(twice.statistic, once.statistic * exact, rtol=1e-9))


def threads_change_nothing(sample: Sample) -> bool:
    """Draw, with every method, so many samples that threads are started."""
    counts, clusters = sample.counts(), sample.shared.unit_codes
    position = np.arange(len(clusters)) % CLUSTERED.segments
    differences = _differences(sample)[:, np.newaxis]
    draws: list[Callable[[], IntArray]] = [
        lambda: bootstrap_sums(counts, clusters=clusters, resamples=RESAMPLES, seed=sample.seed),
        lambda: two_way_bootstrap_sums(counts, clusters, position, resamples=RESAMPLES, seed=sample.seed),
        lambda: flipped_sums(differences, FLIPS, sample.seed),
    ]
    for draw in draws:
        sums = []
        for number in THREADS:
            with patch.object(numba.config, "NUMBA_NUM_THREADS", number):
                sums.append(draw())
        if not all(np.array_equal(sums[0], other) for other in sums):
            return False
    return True


def _differences(sample: Sample) -> IntArray:
    """Errors of the second system minus those of the first, by segment."""
    return (sample.counts(1) - sample.counts(0))[:, 0].copy()


def order_changes_no_exact_p(sample: Sample) -> bool:
    length = int(sample.counts()[:, 1].sum())
    forth, back = (
        sign_flip(differences, length=length, resamples=RESAMPLES, seed=sample.seed, alpha=ALPHA)
        for differences in (_differences(sample), _differences(sample)[::-1].copy())
    )
    return forth == back


def single_clusters_are_segments(sample: Sample) -> bool:
    counts = sample.counts()
    alone, by_cluster = (
        bootstrap_sums(counts, clusters=clusters, resamples=200, seed=sample.seed)
        for clusters in (None, np.arange(len(counts)))
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
