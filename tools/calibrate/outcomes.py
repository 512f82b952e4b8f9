"""Outcomes of a sample: whether a test rejects, an interval covers, or systems are called equivalent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import scipy.stats

from misread.metrics import Direction
from misread.stats import (
    ConfidenceInterval,
    Correction,
    StatisticsSettings,
    adjust,
    bootstrap_equivalence,
    cluster_rows,
    detectable_difference,
    friedman_test,
    jackknife_equivalence,
    mapsswe_test,
    mcnemar_test,
    nemenyi_test,
    paired_bootstrap,
    paired_t_equivalence,
    paired_t_test,
    randomisation_test,
    sign_flip,
    sign_test,
    wilcoxon_signed_rank,
)
from misread.stats.bootstrap.intervals import IntervalMethod
from misread.stats.bootstrap.jackknife import Estimate, degrees_of_freedom, jackknife_interval
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.warnings import HIGH_SKEWNESS
from misread.stats.design.power import jackknife_deviation
from tools.calibrate.populations import RESAMPLES, Population, Sample

ALPHA, CONFIDENCE = 0.05, 0.95
FEW_RESAMPLES = 21
"""So few that counting the observed pattern matters: 1 / 21 is below .05, 2 / 22 is not."""

Outcome = Callable[[Sample], "bool | Coverage"]


def wilcoxon(sample: Sample) -> bool:
    return wilcoxon_signed_rank(sample.differences).pvalue < ALPHA


def student(sample: Sample) -> bool:
    return paired_t_test(sample.differences).pvalue < ALPHA


def student_of_four(sample: Sample) -> bool:
    """Four normal differences, for which the theory is exact and each degree of freedom matters."""
    return paired_t_test(np.random.default_rng(sample.seed).normal(size=4)).pvalue < ALPHA


def sign(sample: Sample) -> bool:
    return sign_test(sample.differences).pvalue < ALPHA


def right_segments(sample: Sample) -> bool:
    return mcnemar_test(*(sample.errors[:2] == 0)).pvalue < ALPHA


def matched_pairs(sample: Sample) -> bool:
    return mapsswe_test(*sample.operations[:2]).pvalue < ALPHA


def flip(sample: Sample, *, by_cluster: bool) -> bool:
    return _flip(sample, 0, 1, by_cluster=by_cluster) < ALPHA


def _flip(sample: Sample, first: int, second: int, *, by_cluster: bool) -> float:
    if by_cluster:
        differences = sample.cluster_errors(second) - sample.cluster_errors(first)
    else:
        differences = sample.errors[second] - sample.errors[first]
    test = sign_flip(differences, length=int(sample.lengths.sum()), resamples=RESAMPLES, seed=sample.seed, alpha=ALPHA)
    return test.pvalue


def exchange(sample: Sample) -> bool:
    """Randomisation with a handful of exchanges drawn."""
    test = randomisation_test(
        sample.counts[:, :2],
        sample.counts[:, 2:],
        lambda counts: counts[..., 0] / counts[..., 1],
        resamples=FEW_RESAMPLES,
        seed=sample.seed,
        alpha=ALPHA,
    )
    return test.pvalue < ALPHA


def bootstrap(sample: Sample, *, by_cluster: bool) -> bool:
    rates = sample.replicates(by_cluster=by_cluster)
    observed = sample.observed[1] - sample.observed[0]
    test = paired_bootstrap(
        observed, rates[:, 1] - rates[:, 0], confidence=CONFIDENCE, unit="unit", n=len(sample.lengths)
    )
    return test.pvalue < ALPHA


class Coverage(NamedTuple):
    """Result for one interval; at most one of `below` and `above` is true.

    Attributes
    ----------
    below, above : bool
        Whether the truth lies below its lower end, or above its upper one.
    width : float
    plain : float
        Width by Student's t around the jackknife error with one degree of freedom less than there are units, for
        comparison; 0 where nothing is compared.
    is_warned : bool
        Whether results would warn that one unit weighs far more than the others.
    """

    below: bool
    above: bool
    width: float
    plain: float = 0.0
    is_warned: bool = False

    @classmethod
    def of(cls, interval: ConfidenceInterval | None, true: float) -> Coverage | None:
        """Compare an interval with the truth; None where there is no interval."""
        if interval is None:
            return None
        return cls(true < interval.low, true > interval.high, interval.high - interval.low)


def rate(counts: np.ndarray) -> np.ndarray:
    """Errors over length, of counts (errors, length) on the last axis."""
    return counts[..., 0] / counts[..., 1]


def f1(counts: np.ndarray) -> np.ndarray:
    """F1 of the words if every wrong one is left out."""
    return 2 * (counts[..., 1] - counts[..., 0]) / (2 * counts[..., 1] - counts[..., 0])


_BOUNDS = {rate: (0.0, math.inf), f1: (0.0, 1.0)}


def covers(
    population: Population,
    method: IntervalMethod,
    *,
    by_cluster: bool,
    difference: bool = False,
    score: Callable[[np.ndarray], np.ndarray] = rate,
) -> Callable[[Sample], Coverage | None]:
    """Whether an interval contains the true score of the first system, or the second's true difference from it.

    None where there is no interval.
    """
    first, second = (float(score(np.array([population.rate(system), 1.0]))) for system in (0, 1))
    true = second - first if difference else first
    settings = StatisticsSettings(seed=1, confidence=CONFIDENCE, interval=method)

    def covers_true(sample: Sample) -> Coverage | None:
        units = cluster_rows(sample.counts, sample.clusters if by_cluster else None).reshape(-1, 2, 2)
        drawn = sample.sums(by_cluster=by_cluster).reshape(-1, 2, 2) if method != "jackknife" else units[:0]
        total = units.sum(axis=0)
        found = Replicates(
            _by_system(score(drawn)),
            "unit",
            len(units),
            observed=_by_system(score(total)),
            leave_one_out=_by_system(score(total - units)),
            sizes=_by_system(units.sum(axis=-1)),
            steps=_by_system(1 / total.max(axis=-1)),
            bounds=_BOUNDS[score],
        )
        interval = (
            found.difference_interval("first", "second", settings) if difference else found.interval("first", settings)
        )
        coverage = Coverage.of(interval, true)
        if coverage is None or method != "jackknife" or difference:
            return coverage
        estimate = found.estimate("first", settings)
        plain = 2 * float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, len(units) - 1)) * estimate.error
        return coverage._replace(plain=plain, is_warned=abs(estimate.skewness) >= HIGH_SKEWNESS)

    return covers_true


def disagree(*, excludes: bool) -> Outcome:
    """Whether the interval of the difference excludes 0 and the deciding test does not, or the other way round."""

    def answers_differ(sample: Sample) -> bool:
        without = sample.leave_one_out(by_cluster=True)
        error = (jackknife_deviation(without[:, 1] - without[:, 0]) or 0.0) / math.sqrt(len(without))
        sizes = cluster_rows(sample.counts, sample.clusters).sum(axis=1)
        estimate = Estimate(float(sample.observed[1] - sample.observed[0]), error, degrees_of_freedom(sizes))
        interval = jackknife_interval(estimate, CONFIDENCE)
        if interval is None:
            return False
        is_significant = flip(sample, by_cluster=True)
        does_exclude = interval.low > 0 or interval.high < 0
        return does_exclude != is_significant and does_exclude == excludes

    return answers_differ


def _by_system(values: np.ndarray) -> dict[str, Any]:
    return {"first": values[..., 0], "second": values[..., 1]}


def detectable_effect(population: Population, *, by_cluster: bool) -> float:
    """Share of errors removed that is, in the median, the minimum detectable effect that samples report.

    The variance of differences depends on the effect, so it is found by iteration.
    """
    effect = 0.0
    for step in range(4):
        deviations, units = [], 0
        for number in range(101):
            pilot = replace(population, effect=effect).draw(np.random.default_rng([2, step, number]))
            leave_one_out = pilot.leave_one_out(by_cluster=by_cluster)
            units = len(leave_one_out)
            deviations.append(jackknife_deviation(leave_one_out[:, 1] - leave_one_out[:, 0]) or 0.0)
        # The reported difference is proportional to the deviation.
        effect = detectable_difference(float(np.median(deviations)), units, alpha=ALPHA) / population.rate(0)
    return effect


def any_pair(correction: Correction) -> Outcome:
    """Whether any pair of systems is called different."""

    def finds_any(sample: Sample) -> bool:
        systems = range(len(sample.errors))
        pvalues = [_flip(sample, first, second, by_cluster=False) for first, second in combinations(systems, 2)]
        return bool(adjust(pvalues, method=correction).min() < ALPHA)

    return finds_any


def _block_rates(sample: Sample) -> np.ndarray:
    """Rates by cluster, shape (clusters, systems)."""
    lengths = np.bincount(sample.clusters, weights=sample.lengths)
    return np.stack([sample.cluster_errors(system) for system in range(len(sample.errors))], axis=-1) / lengths[:, None]


def ranks(sample: Sample) -> bool:
    return friedman_test(_block_rates(sample)).pvalue < ALPHA


def any_rank(sample: Sample) -> bool:
    names = [str(system) for system in range(len(sample.errors))]
    return bool(nemenyi_test(_block_rates(sample), names, direction=Direction.LOWER_IS_BETTER, alpha=ALPHA).separated)


def equivalent_by_bootstrap(margin: float, *, by_cluster: bool = False) -> Outcome:
    def is_equivalent(sample: Sample) -> bool:
        rates = sample.replicates(by_cluster=by_cluster)
        observed = float(sample.observed[1] - sample.observed[0])
        test = bootstrap_equivalence(
            observed, rates[:, 1] - rates[:, 0], margin=margin, unit="unit", n=len(sample.lengths)
        )
        return test.pvalue < ALPHA

    return is_equivalent


def equivalent_by_jackknife(margin: float, *, by_cluster: bool = False) -> Outcome:
    def is_equivalent(sample: Sample) -> bool:
        without = sample.leave_one_out(by_cluster=by_cluster)
        error = (jackknife_deviation(without[:, 1] - without[:, 0]) or 0.0) / math.sqrt(len(without))
        sizes = cluster_rows(sample.counts, sample.clusters if by_cluster else None).sum(axis=1)
        estimate = Estimate(float(sample.observed[1] - sample.observed[0]), error, degrees_of_freedom(sizes))
        return jackknife_equivalence(estimate, margin=margin, unit="unit", n=len(without)).pvalue < ALPHA

    return is_equivalent


def equivalent_by_student(margin: float) -> Outcome:
    return lambda sample: paired_t_equivalence(sample.differences, margin=margin).pvalue < ALPHA
