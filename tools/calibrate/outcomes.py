"""Outcomes of a sample: whether a test rejects, an interval covers, or systems are called equivalent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
import scipy

from misread import stats
from misread.stats import ConfidenceInterval, Estimate, StatisticsSettings
from misread.stats.bootstrap.jackknife import jackknife_deviation
from misread.stats.compare.repeated_runs import with_runs
from misread.stats.compare.settings import EquivalenceTest, PairedTest
from misread.stats.compare.system_pair import run_test, run_tests
from misread.stats.compare.warnings import HIGH_SKEWNESS
from misread.stats.design.run_components import mean_squares, variance_components
from misread.stats.significance.corpus_scores import jackknife_test
from misread.stats.significance.pvalue_adjustment import Correction
from misread.types import FloatArray, IntArray
from tools.calibrate.populations import Population, Simulation, normal_runs
from tools.calibrate.samples import ALPHA, CONFIDENCE, RESAMPLES, SYSTEMS, WER, Sample, replicates

SETTINGS = StatisticsSettings(seed=1, alpha=ALPHA, confidence=CONFIDENCE, resamples=RESAMPLES, tests=("randomisation",))
RUNS: Final[dict[str, dict[str, Any]]] = {
    "averaged": {},
    "crossed": {"runs": "crossed", "tests": ("jackknife",), "deciding_test": "jackknife"},
}
"""Settings by the rule for repeated runs."""
_PERMUTATIONS = 199


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


def rejects(test: PairedTest, settings: StatisticsSettings = SETTINGS, *, by_segment: bool = False) -> Outcome:
    """Whether a test calls the first two systems different."""

    def is_below_alpha(sample: Sample) -> bool:
        sample = sample.by_segment if by_segment else sample
        sample = sample.aligned if test == "mapsswe" else sample
        return run_test(sample.pair(settings, draws=test == "bootstrap"), test).pvalue < ALPHA

    return is_below_alpha


def is_better(sample: Sample) -> bool:
    """Whether the deciding test calls the second system significantly better."""
    return rejects("randomisation")(sample) and sample.pair(SETTINGS).difference < 0


def any_pair(correction: Correction) -> Outcome:
    """Whether any pair of systems is called different."""
    settings = replace(SETTINGS, correction=correction)

    def finds_any(sample: Sample) -> bool:
        pairs = [sample.pair(settings, *systems) for systems in combinations(range(len(sample.shared.counts)), 2)]
        return any(pair.is_significant for pair in run_tests(pairs))

    return finds_any


def is_equivalent(test: EquivalenceTest, margin: float) -> Outcome:
    """Whether a test shows that the first two systems differ by less than the margin."""
    settings = replace(SETTINGS, margin=margin, equivalence=test)
    return lambda sample: run_tests([sample.pair(settings, draws=test == "bootstrap")])[0].is_equivalent


def disagree(*, excludes: bool) -> Outcome:
    """Whether the interval of the difference excludes 0 and the deciding test does not, or the other way round."""

    def answers_differ(sample: Sample) -> bool:
        interval = replicates(sample, SETTINGS).interval(SYSTEMS[1], SYSTEMS[0])
        if interval is None:
            return False
        does_exclude = interval.low > 0 or interval.high < 0
        return does_exclude != rejects("randomisation")(sample) and does_exclude == excludes

    return answers_differ


def detectable_effect(population: Population) -> float:
    """Share of errors removed that is, in the median, the minimum detectable effect that samples report.

    The variance of differences depends on the effect, so it is found by iteration.
    """
    effect = 0.0
    for step in range(4):
        changed = replace(population, effect=effect)
        pilots = [changed.draw(np.random.default_rng([2, step, number])) for number in range(101)]
        without = [pilot.pair(SETTINGS).leave_one_out for pilot in pilots]
        deviation = float(np.median([jackknife_deviation(differences) or 0.0 for differences in without]))
        # The reported difference is proportional to the deviation.
        effect = stats.detectable_difference(deviation, len(without[-1]), alpha=ALPHA) / population.rate(0)
    return effect


def covers(
    population: Any, settings: StatisticsSettings = SETTINGS, *, difference: bool = False, widths: bool = False
) -> Outcome:
    """Whether an interval contains the true score of the first system, or the second's true difference from it.

    With `widths`, the interval of the score is compared with the plain one.
    """
    true = population.difference if difference else population.score

    def covers_true(sample: Sample) -> Coverage | None:
        drawn = replicates(sample, settings)
        if difference:
            return Coverage.of(drawn.interval(SYSTEMS[1], SYSTEMS[0]), true)
        coverage = Coverage.of(drawn.intervals[SYSTEMS[0]], true)
        if coverage is None or not widths:
            return coverage
        estimate = drawn.estimates[SYSTEMS[0]]
        plain = 2 * float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, drawn.shared.units - 1)) * estimate.error
        return coverage._replace(plain=plain, is_warned=abs(estimate.skewness) >= HIGH_SKEWNESS)

    return covers_true


def contains(interval: Callable[[Any], ConfidenceInterval | None]) -> Callable[[Simulation], Outcome]:
    """Whether an interval of a sample contains what is known of its population."""
    return lambda population: lambda sample: Coverage.of(interval(sample), population.score)


covers_class = contains(lambda counts: stats.ratio_interval(*counts.T, None, CONFIDENCE, highest=1.0))
"""Of wrong words, as in views of entities, bands and scripts."""


def covers_kappa(population: Simulation) -> Outcome:
    """Whether the interval of Cohen's kappa of two judges, or of Fleiss' of three, contains it; none does not."""

    def covers_true(decisions: IntArray) -> Coverage:
        clusters, segments, judges = decisions.shape
        rows, codes = decisions.reshape(-1, judges), np.repeat(np.arange(clusters), segments)
        agreement = stats.compare_raters(rows, codes, SYSTEMS[:judges], confidence=CONFIDENCE)
        kappa = agreement.together or agreement.pairs[0].agreement
        return Coverage.of(kappa.interval, population.score) or Coverage(below=True, above=False, width=0.0)

    return covers_true


def covers_variance(source: str, true: float) -> Outcome:
    """Whether the interval of one variance component of the first system contains its true value."""
    return lambda values: Coverage.of(
        getattr(variance_components(values[0], confidence=CONFIDENCE), source).interval, true
    )


def finds_effect(sample: Sample) -> bool:
    """Whether runs of the first system are said to share an effect."""
    runs = sample.shared.runs[SYSTEMS[0]].counts[WER.id]
    return stats.run_effect_test(runs, WER.rate, resamples=_PERMUTATIONS, seed=sample.seed).pvalue <= ALPHA


def finds_difference(rule: str) -> Outcome:
    """Whether values of two systems are called different, by the error of clusters alone or of clusters and runs."""

    def finds(values: FloatArray) -> bool:
        first, second = values
        by_cluster = (second - first).mean(axis=1)
        n = len(by_cluster)
        estimate = Estimate(float(by_cluster.mean()), float(by_cluster.std(ddof=1)) / math.sqrt(n), n - 1)
        if rule == "crossed":
            estimate = with_runs(estimate, [mean_squares(first), mean_squares(second)])
        return jackknife_test(estimate, unit="cluster", n=n).pvalue < ALPHA

    return finds


def planned(components: tuple[float, float, float], difference: float, runs: int) -> Simulation:
    """As many clusters as `plan_designs` asks for to find the difference with a probability of .80."""
    clusters, of_runs, residual = components
    variances = stats.Variances(clusters=clusters, runs=of_runs, residual=residual)
    (design,) = stats.plan_designs(variances, difference, runs=[runs], alpha=ALPHA)
    return normal_runs(design.clusters, runs, components, difference)
