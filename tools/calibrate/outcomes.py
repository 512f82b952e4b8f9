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
from misread.stats.bootstrap.jackknife import Estimate, degrees_of_freedom, jackknife_deviation, symmetric_interval
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.warnings import HIGH_SKEWNESS
from tools.calibrate.populations import RESAMPLES, Population, Sample

ALPHA, CONFIDENCE = 0.05, 0.95
FEW_RESAMPLES = 21
"""So few that counting the observed pattern matters: 1 / 21 is below .05, 2 / 22 is not."""


class Coverage(NamedTuple):
    """Result for one interval."""

    below: bool  # whether the truth lies below its lower end
    above: bool  # or above its upper one
    width: float
    plain: float = 0.0  # width by Student's t around the jackknife error, with one degree of freedom less than units
    is_warned: bool = False  # whether results would warn that one unit weighs far more than the others

    @classmethod
    def of(cls, interval: ConfidenceInterval | None, true: float) -> Coverage | None:
        """Compare an interval with the truth; None where there is no interval."""
        if interval is None:
            return None
        return cls(true < interval.low, true > interval.high, interval.high - interval.low)


Outcome = Callable[[Any], "bool | Coverage | None"]
"""What became of a sample; None where it has no interval."""


def _rejects(test: Callable[[Sample], Any]) -> Outcome:
    """Whether a test calls the first two systems different, or equivalent."""
    return lambda sample: test(sample).pvalue < ALPHA


def _flip(sample: Sample, first: int, second: int, *, by_cluster: bool) -> Any:
    errors = sample.cluster_errors if by_cluster else lambda system: sample.errors[system]
    length = int(sample.lengths.sum())
    differences = errors(second) - errors(first)
    return sign_flip(differences, length=length, resamples=RESAMPLES, seed=sample.seed, alpha=ALPHA)


def _exchange(sample: Sample) -> Any:
    """Randomisation with a handful of exchanges drawn."""
    sides = sample.counts[:, :2], sample.counts[:, 2:]
    return randomisation_test(*sides, rate, resamples=FEW_RESAMPLES, seed=sample.seed, alpha=ALPHA)


def _bootstrap(sample: Sample, *, by_cluster: bool) -> Any:
    observed = sample.observed[1] - sample.observed[0]
    drawn = sample.drawn_differences(by_cluster=by_cluster)
    return paired_bootstrap(observed, drawn, confidence=CONFIDENCE, unit="unit", n=len(sample.lengths))


wilcoxon = _rejects(lambda sample: wilcoxon_signed_rank(sample.differences))
student = _rejects(lambda sample: paired_t_test(sample.differences))
# Four normal differences, for which the theory is exact and each degree of freedom matters.
student_of_four = _rejects(lambda sample: paired_t_test(np.random.default_rng(sample.seed).normal(size=4)))
sign = _rejects(lambda sample: sign_test(sample.differences))
right_segments = _rejects(lambda sample: mcnemar_test(*(sample.errors[:2] == 0)))
matched_pairs = _rejects(lambda sample: mapsswe_test(*sample.operations[:2]))
exchange = _rejects(_exchange)
flip = _rejects(lambda sample: _flip(sample, 0, 1, by_cluster=False))
flip_clusters = _rejects(lambda sample: _flip(sample, 0, 1, by_cluster=True))
bootstrap = _rejects(lambda sample: _bootstrap(sample, by_cluster=False))
bootstrap_clusters = _rejects(lambda sample: _bootstrap(sample, by_cluster=True))
ranks = _rejects(lambda sample: friedman_test(_block_rates(sample)))


def any_rank(sample: Sample) -> bool:
    """Whether Nemenyi's test separates any two systems."""
    names = [str(system) for system in range(len(sample.errors))]
    return bool(nemenyi_test(_block_rates(sample), names, direction=Direction.LOWER_IS_BETTER, alpha=ALPHA).separated)


def _block_rates(sample: Sample) -> np.ndarray:
    """Rates by cluster, shape (clusters, systems)."""
    lengths = np.bincount(sample.clusters, weights=sample.lengths)
    return np.stack([sample.cluster_errors(system) for system in range(len(sample.errors))], axis=-1) / lengths[:, None]


def any_pair(correction: Correction) -> Outcome:
    """Whether any pair of systems is called different."""

    def finds_any(sample: Sample) -> bool:
        pairs = combinations(range(len(sample.errors)), 2)
        pvalues = [_flip(sample, first, second, by_cluster=False).pvalue for first, second in pairs]
        return bool(adjust(pvalues, method=correction).min() < ALPHA)

    return finds_any


def _difference(sample: Sample, *, by_cluster: bool) -> Estimate:
    """Difference of the second system from the first, with its jackknife error."""
    without = sample.differences_without(by_cluster=by_cluster)
    error = (jackknife_deviation(without) or 0.0) / math.sqrt(len(without))
    freedom = degrees_of_freedom(sample.units(by_cluster=by_cluster).sum(axis=1))
    return Estimate(float(sample.observed[1] - sample.observed[0]), error, freedom)


def equivalent_by_bootstrap(margin: float, *, by_cluster: bool = False) -> Outcome:
    """Whether the share of bootstrap samples beyond the margin shows equivalence."""

    def test(sample: Sample) -> Any:
        observed = float(sample.observed[1] - sample.observed[0])
        drawn = sample.drawn_differences(by_cluster=by_cluster)
        return bootstrap_equivalence(observed, drawn, margin=margin, unit="unit", n=len(sample.lengths))

    return _rejects(test)


def equivalent_by_jackknife(margin: float, *, by_cluster: bool = False) -> Outcome:
    """Whether the difference and its error show equivalence."""

    def test(sample: Sample) -> Any:
        n = len(sample.units(by_cluster=by_cluster))
        return jackknife_equivalence(_difference(sample, by_cluster=by_cluster), margin=margin, unit="unit", n=n)

    return _rejects(test)


def equivalent_by_student(margin: float) -> Outcome:
    """Whether the mean difference of segments shows equivalence."""
    return _rejects(lambda sample: paired_t_equivalence(sample.differences, margin=margin))


def disagree(*, excludes: bool) -> Outcome:
    """Whether the interval of the difference excludes 0 and the deciding test does not, or the other way round."""

    def answers_differ(sample: Sample) -> bool:
        interval = symmetric_interval(_difference(sample, by_cluster=True), CONFIDENCE)
        does_exclude = interval.low > 0 or interval.high < 0
        return does_exclude != flip_clusters(sample) and does_exclude == excludes

    return answers_differ


def detectable_effect(population: Population, *, by_cluster: bool) -> float:
    """Share of errors removed that is, in the median, the minimum detectable effect that samples report.

    The variance of differences depends on the effect, so it is found by iteration.
    """
    effect = 0.0
    for step in range(4):
        changed = replace(population, effect=effect)
        pilots = [changed.draw(np.random.default_rng([2, step, number])) for number in range(101)]
        without = [pilot.differences_without(by_cluster=by_cluster) for pilot in pilots]
        deviation = float(np.median([jackknife_deviation(differences) or 0.0 for differences in without]))
        # The reported difference is proportional to the deviation.
        effect = detectable_difference(deviation, len(without[-1]), alpha=ALPHA) / population.rate(0)
    return effect


def rate(counts: np.ndarray) -> np.ndarray:
    """Errors over length, of counts (errors, length) on the last axis."""
    return counts[..., 0] / counts[..., 1]


def f1(counts: np.ndarray) -> np.ndarray:
    """F1 of the words if every wrong one is left out."""
    return 2 * (counts[..., 1] - counts[..., 0]) / (2 * counts[..., 1] - counts[..., 0])


def covers(
    population: Population,
    method: IntervalMethod = "jackknife",
    *,
    by_cluster: bool = True,
    difference: bool = False,
    score: Callable[[np.ndarray], np.ndarray] = rate,
) -> Outcome:
    """Whether an interval contains the true score of the first system, or the second's true difference from it."""
    first, second = (float(score(np.array([population.rate(system), 1.0]))) for system in (0, 1))
    true = second - first if difference else first
    settings = StatisticsSettings(seed=1, confidence=CONFIDENCE, interval=method)

    def by_system(values: np.ndarray) -> dict[str, Any]:
        return {"first": values[..., 0], "second": values[..., 1]}

    def covers_true(sample: Sample) -> Coverage | None:
        units = sample.units(by_cluster=by_cluster).reshape(-1, 2, 2)
        drawn = sample.sums(by_cluster=by_cluster).reshape(-1, 2, 2) if method != "jackknife" else units[:0]
        total = units.sum(axis=0)
        replicates = Replicates(
            by_system(score(drawn)),
            "unit",
            len(units),
            observed=by_system(score(total)),
            leave_one_out=by_system(score(total - units)),
            sizes=by_system(units.sum(axis=-1)),
            steps=by_system(1 / total.max(axis=-1)),
            bounds=(0.0, math.inf if score is rate else 1.0),
            settings=settings,
        )
        if difference:
            return Coverage.of(replicates.difference_interval("first", "second"), true)
        coverage = Coverage.of(replicates.intervals["first"], true)
        if coverage is None or method != "jackknife":
            return coverage
        estimate = replicates.estimates["first"]
        plain = 2 * float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, len(units) - 1)) * estimate.error
        return coverage._replace(plain=plain, is_warned=abs(estimate.skewness) >= HIGH_SKEWNESS)

    return covers_true
