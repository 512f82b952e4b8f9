"""Simulated repeated runs with known variance components, and the outcomes of what is said of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from misread.data.segment_table import SegmentKeys
from misread.features.prediction import predict_rest
from misread.sockets import METRICS
from misread.stats import (
    Estimate,
    Prices,
    StatisticsSettings,
    VarianceComponents,
    Variances,
    cohen_kappa,
    jackknife_test,
    plan_designs,
    run_effect_test,
    sign_flip,
    variance_components,
)
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.repeated_runs import with_runs
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.design.run_components import mean_squares
from misread.tally.scores import Counts, RunCounts
from misread.types import FloatArray, IntArray
from tools.calibrate.outcomes import ALPHA, CONFIDENCE, Coverage, rate

USUAL_RATE = 0.10
SHORTEST, LONGEST = 60, 240
"""Words of a cluster, all numbers between equally likely."""

PERMUTATIONS = 199

_SYSTEMS = ("first", "second")
_WER = METRICS["wer"]


@dataclass(frozen=True)
class RepeatedRuns:
    """Distribution of two equally good systems that read every cluster several times.

    Standard deviations are on the log scale, beside the chance of each word.

    Attributes
    ----------
    clusters, runs : int
    hardness : float
        Between clusters, the same for both systems and all runs.
    own : float
        Between clusters, of the difference of the systems.
    shared : float
        Between runs of a system, the same for all clusters.
    residual : float
        Of a cluster in a run.
    """

    clusters: int
    runs: int
    hardness: float = 0.3
    own: float = 0.2
    shared: float = 0.0
    residual: float = 0.2

    def draw(self, rng: np.random.Generator) -> RunsSample:
        """Draw a sample."""
        lengths = rng.integers(SHORTEST, LONGEST + 1, self.clusters)
        log = math.log(USUAL_RATE) + rng.normal(0, self.hardness, (1, 1, self.clusters))
        log = log + rng.normal(0, self.own / math.sqrt(2), (2, 1, self.clusters))
        log = log + rng.normal(0, self.shared, (2, self.runs, 1))
        log = log + rng.normal(0, self.residual, (2, self.runs, self.clusters))
        errors = rng.binomial(lengths, np.minimum(np.exp(log), 1.0))
        counts = np.stack([errors, np.broadcast_to(lengths, errors.shape)], axis=-1)
        return RunsSample(counts, int(rng.integers(2**62)))

    @property
    def rate(self) -> float:
        """Corpus rate of an infinite sample."""
        variance = self.hardness**2 + self.own**2 / 2 + self.shared**2 + self.residual**2
        return USUAL_RATE * math.exp(variance / 2)


@dataclass(frozen=True)
class RunsSample:
    """Errors and lengths, shape (systems, runs, clusters, 2)."""

    counts: IntArray
    seed: int

    @cached_property
    def shared_segments(self) -> SharedSegments:
        """As scores of two systems, a segment per cluster."""
        of_all = np.zeros((*self.counts.shape[:3], len(_WER.columns)), dtype=np.int64)
        for place, name in enumerate(("errors", "length")):
            of_all[..., _WER.columns.index(name)] = self.counts[..., place]
        runs, clusters = self.counts.shape[1:3]
        keys = SegmentKeys([f"{row:05}" for row in range(clusters)], None, {})
        names = [str(run) for run in range(runs)]
        same = np.zeros(clusters, np.bool_)
        return SharedSegments(
            keys,
            {name: {"wer": Counts(_WER.columns, of.sum(axis=0))} for name, of in zip(_SYSTEMS, of_all, strict=True)},
            None,
            "",
            0,
            runs={name: RunCounts(names, {"wer": of}, same) for name, of in zip(_SYSTEMS, of_all, strict=True)},
            scale=runs,
        )

    def replicates(self, settings: StatisticsSettings) -> Replicates:
        """What intervals rest on."""
        return draw_replicates(self.shared_segments, [_WER], settings, only_intervals=True)["wer"]


def _settings(rule: str) -> StatisticsSettings:
    test = "jackknife" if rule == "crossed" else "randomisation"
    return StatisticsSettings(seed=1, confidence=CONFIDENCE, runs=rule, deciding_test=test, tests=[test])  # type: ignore[arg-type,list-item]


def covers_rate(population: RepeatedRuns, rule: str) -> Callable[[RunsSample], Coverage | None]:
    """Whether the interval of the first system contains its true rate."""
    settings = _settings(rule)
    return lambda sample: Coverage.of(sample.replicates(settings).interval("first", settings), population.rate)


def covers_difference(rule: str) -> Callable[[RunsSample], Coverage | None]:
    """Whether the interval of the difference contains 0."""
    settings = _settings(rule)
    return lambda sample: Coverage.of(sample.replicates(settings).difference_interval("first", "second", settings), 0.0)


def differ(rule: str) -> Callable[[RunsSample], bool]:
    """Whether the test that decides under this rule calls the systems different."""
    settings = _settings(rule)

    def by_jackknife(sample: RunsSample) -> bool:
        estimate = sample.replicates(settings).difference_estimate("first", "second", settings)
        return jackknife_test(estimate, unit="cluster", n=sample.counts.shape[2]).pvalue < ALPHA

    def by_exchange(sample: RunsSample) -> bool:
        errors = sample.counts[..., 0].sum(axis=1)
        length = int(sample.counts[0, ..., 1].sum())
        test = sign_flip(errors[1] - errors[0], length=length, resamples=999, seed=sample.seed, alpha=ALPHA)
        return test.pvalue < ALPHA

    return by_jackknife if rule == "crossed" else by_exchange


def finds_effect(sample: RunsSample) -> bool:
    """Whether runs of the first system are said to share an effect."""
    return run_effect_test(sample.counts[0], rate, resamples=PERMUTATIONS, seed=sample.seed).pvalue <= ALPHA


def covers_rest(checked: int) -> Callable[[RunsSample], Coverage | None]:
    """Whether the interval predicted from the first clusters contains the rate of the others."""

    def covers(sample: RunsSample) -> Coverage | None:
        counts = sample.counts[0, 0]
        rest = counts[checked:]
        found = predict_rest(counts[:checked], rate, rest=len(rest), confidence=CONFIDENCE)
        return Coverage.of(found.interval, float(rate(rest.sum(axis=0))))

    return covers


def covers_whole(checked: int) -> Callable[[RunsSample], Coverage | None]:
    """Whether the interval of all clusters, predicted from the first ones, contains their rate."""

    def covers(sample: RunsSample) -> Coverage | None:
        counts = sample.counts[0, 0]
        found = predict_rest(counts[:checked], rate, rest=len(counts) - checked, confidence=CONFIDENCE)
        return Coverage.of(found.whole or found.interval, float(rate(counts.sum(axis=0))))

    return covers


@dataclass(frozen=True)
class TwoJudges:
    """Distribution of the decisions of two judges, each of whom is right with the same probability.

    Attributes
    ----------
    clusters, segments : int
        Clusters of a sample, and segments of a cluster.
    accuracy : float
        Probability that a judge sees what is there.
    spread : float
        Parameter of the Beta distribution of the share of right hypotheses in a cluster: the smaller, the more clusters
        differ.
    """

    clusters: int
    segments: int = 10
    accuracy: float = 0.9
    spread: float = 2.0

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Counts of both, first only, second only and neither by cluster."""
        right = rng.random((self.clusters, self.segments)) < rng.beta(self.spread, self.spread, (self.clusters, 1))
        accepted = right == (rng.random((2, *right.shape)) < self.accuracy)
        place = 2 * ~accepted[0] + ~accepted[1]
        return np.stack([(place == kind).sum(axis=1) for kind in range(4)], axis=-1)

    @property
    def kappa(self) -> float:
        """Kappa of an infinite sample: half of all hypotheses are right."""
        return 2 * (self.accuracy**2 + (1 - self.accuracy) ** 2) - 1


def covers_kappa(population: TwoJudges) -> Callable[[IntArray], Coverage]:
    """Whether the interval of kappa contains its true value; one without an interval does not."""

    def covers(counts: IntArray) -> Coverage:
        interval = cohen_kappa(counts, confidence=CONFIDENCE).interval
        return Coverage.of(interval, population.kappa) or Coverage(below=True, above=False, width=0.0)

    return covers


@dataclass(frozen=True)
class NormalRuns:
    """Distribution of values of clusters in runs of two systems, whose variance components are these exactly."""

    clusters: int
    runs: int
    components: tuple[float, float, float] = (1.0, 0.09, 0.25)
    difference: float = 0.0

    def draw(self, rng: np.random.Generator) -> NormalSample:
        """Draw a sample; the components are those of the difference, half of them of each system."""
        deviations = np.sqrt(np.array(self.components) / 2)
        shapes = ((2, self.clusters, 1), (2, 1, self.runs), (2, self.clusters, self.runs))
        parts = (rng.normal(0, deviation, shape) for deviation, shape in zip(deviations, shapes, strict=True))
        values = sum(parts) + np.array([0.0, self.difference])[:, np.newaxis, np.newaxis]
        return NormalSample(values)


@dataclass(frozen=True)
class NormalSample:
    """Values, shape (systems, clusters, runs)."""

    values: FloatArray


def covers_component(population: NormalRuns, source: str) -> Callable[[NormalSample], Coverage | None]:
    """Whether the interval of one variance component of the first system contains its true value."""
    place = ("clusters", "runs", "residual").index(source)

    def covers(sample: NormalSample) -> Coverage | None:
        found: VarianceComponents = variance_components(sample.values[0], confidence=CONFIDENCE)
        return Coverage.of(getattr(found, source).interval, population.components[place] / 2)

    return covers


def finds_difference(rule: str) -> Callable[[NormalSample], bool]:
    """Whether the systems are called different, by the error of clusters alone or of clusters and runs."""

    def finds(sample: NormalSample) -> bool:
        first, second = sample.values
        by_cluster = (second - first).mean(axis=1)
        n = len(by_cluster)
        estimate = Estimate(float(by_cluster.mean()), float(by_cluster.std(ddof=1)) / math.sqrt(n), n - 1)
        if rule == "crossed":
            estimate = with_runs(estimate, [mean_squares(first), mean_squares(second)])
        return jackknife_test(estimate, unit="cluster", n=n).pvalue < ALPHA

    return finds


def planned(components: tuple[float, float, float], difference: float, runs: int) -> NormalRuns:
    """As many clusters as `plan_designs` asks for to find the difference with a probability of .80."""
    clusters, of_runs, residual = components
    variances = Variances(clusters=clusters, runs=of_runs, residual=residual)
    (design,) = plan_designs(variances, difference, prices=Prices(), runs=[runs], alpha=ALPHA)
    return NormalRuns(design.clusters, runs, components, difference)
