"""What is looked at in a sample: whether a test rejects, an interval covers, a verdict is reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Literal

import numpy as np

from calibration.populations import RESAMPLES, Population, Sample
from misread.metrics import Direction
from misread.stats import (
    Correction,
    adjust,
    basic_interval,
    bca_interval,
    bootstrap_equivalence,
    detectable_difference,
    friedman,
    mapsswe,
    mcnemar,
    nemenyi,
    paired_bootstrap,
    paired_t,
    paired_t_equivalence,
    percentile_interval,
    randomisation,
    sign_flip,
    sign_test,
    wilcoxon_signed_rank,
)
from misread.stats.power import jackknife_deviation

ALPHA, CONFIDENCE = 0.05, 0.95
FEW_RESAMPLES = 21
"""So few that the observed pattern must be counted among those drawn: 1 of 21 is below .05, 2 of 22 are not."""

Outcome = Callable[[Sample], bool]


def wilcoxon(sample: Sample) -> bool:
    return wilcoxon_signed_rank(sample.differences).pvalue < ALPHA


def student(sample: Sample) -> bool:
    return paired_t(sample.differences).pvalue < ALPHA


def student_of_four(sample: Sample) -> bool:
    """Four normal differences: here the theory is exact, and each degree of freedom counts."""
    return paired_t(np.random.default_rng(sample.seed).normal(size=4)).pvalue < ALPHA


def signs(sample: Sample) -> bool:
    return sign_test(sample.differences).pvalue < ALPHA


def right_segments(sample: Sample) -> bool:
    return mcnemar(*(sample.errors[:2] == 0)).pvalue < ALPHA


def matched_pairs(sample: Sample) -> bool:
    return mapsswe(*sample.operations[:2]).pvalue < ALPHA


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
    test = randomisation(
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


def covers(
    population: Population, method: Literal["percentile", "basic", "bca"], *, by_cluster: bool, difference: bool = False
) -> Outcome:
    """Whether an interval holds the true rate of the first system, or the true difference of the second from it."""
    true = population.rate(1) - population.rate(0) if difference else population.rate(0)

    def covers_true(sample: Sample) -> bool:
        observed, replicates, leave_one_out = (
            of[..., 1] - of[..., 0] if difference else of[..., 0]
            for of in (
                sample.observed,
                sample.replicates(by_cluster=by_cluster),
                sample.leave_one_out(by_cluster=by_cluster),
            )
        )
        if method == "percentile":
            interval = percentile_interval(replicates, CONFIDENCE)
        elif method == "basic":
            interval = basic_interval(observed, replicates, CONFIDENCE)
        else:
            interval = bca_interval(observed, replicates, leave_one_out, CONFIDENCE)
        return interval.low <= true <= interval.high

    return covers_true


def detectable_effect(population: Population, *, by_cluster: bool) -> float:
    """Share of errors spared at which half of the samples report no more than this as the smallest they would find.

    How much differences vary hangs on the effect, so that it is found in a few steps.
    """
    effect = 0.0
    for step in range(4):
        deviations, units = [], 0
        for number in range(101):
            pilot = replace(population, effect=effect).draw(np.random.default_rng([2, step, number]))
            leave_one_out = pilot.leave_one_out(by_cluster=by_cluster)
            units = len(leave_one_out)
            deviations.append(jackknife_deviation(leave_one_out[:, 1] - leave_one_out[:, 0]) or 0.0)
        # What is reported is in proportion to the deviation.
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
    return friedman(_block_rates(sample)).pvalue < ALPHA


def any_rank(sample: Sample) -> bool:
    names = [str(system) for system in range(len(sample.errors))]
    return bool(nemenyi(_block_rates(sample), names, direction=Direction.LOWER_IS_BETTER, alpha=ALPHA).separated)


def equivalent_by_bootstrap(margin: float) -> Outcome:
    def is_equivalent(sample: Sample) -> bool:
        rates = sample.replicates(by_cluster=False)
        observed = float(sample.observed[1] - sample.observed[0])
        test = bootstrap_equivalence(
            observed, rates[:, 1] - rates[:, 0], margin=margin, unit="segment", n=len(sample.lengths)
        )
        return test.pvalue < ALPHA

    return is_equivalent


def equivalent_by_student(margin: float) -> Outcome:
    return lambda sample: paired_t_equivalence(sample.differences, margin=margin).pvalue < ALPHA
