"""Simulated repeated runs and clusters of two kinds, with known variance components, and what is said of them."""

from __future__ import annotations

import math
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
    Variances,
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
from tools.calibrate.outcomes import ALPHA, CONFIDENCE, Coverage, Outcome, rate
from tools.calibrate.populations import RESAMPLES, USUAL_RATE
from tools.calibrate.single_metrics import in_columns

_PERMUTATIONS = 199
_SYSTEMS = ("first", "second")
_WER = METRICS["wer"]


def _by_system(counts: IntArray) -> dict[str, dict[str, Counts]]:
    """Errors and lengths, shape (systems, rows, 2), as scores of the systems."""
    placed = in_columns(_WER, counts)
    return {name: {"wer": Counts(_WER.columns, of_system)} for name, of_system in zip(_SYSTEMS, placed, strict=True)}


def _covers(replicates: Replicates, true: float, *, difference: bool) -> Coverage | None:
    """Whether the interval contains the true rate of the first system, or the difference of the two, which is 0."""
    if difference:
        return Coverage.of(replicates.difference_interval(*_SYSTEMS), 0.0)
    return Coverage.of(replicates.intervals["first"], true)


@dataclass(frozen=True)
class CrossedClusters:
    """Two equally good systems, for which every reader reads every text; deviations are on the log scale."""

    texts: int
    readers: int
    hardness: float = 0.4  # of texts, and of readers, for both systems alike
    own: float = 0.2  # between texts, and between readers, in which system is better
    residual: float = 0.2  # of a reading

    def draw(self, rng: np.random.Generator) -> SharedSegments:
        """Draw a sample: a segment for each reading, whose cluster is the text."""
        cells = (self.texts, self.readers)
        lengths = rng.integers(20, 81, cells)
        log = math.log(USUAL_RATE) + rng.normal(0, self.hardness, (self.texts, 1))
        log = log + rng.normal(0, self.hardness, self.readers)
        log = log + rng.normal(0, self.own / math.sqrt(2), (2, self.texts, 1))
        log = log + rng.normal(0, self.own / math.sqrt(2), (2, 1, self.readers))
        log = log + rng.normal(0, self.residual, (2, *cells))
        errors = rng.poisson(lengths * np.exp(log))
        counts = np.stack([errors, np.broadcast_to(lengths, errors.shape)], axis=-1).reshape(2, -1, 2)
        texts = np.repeat(np.arange(self.texts), self.readers)
        readers = [f"r{reader:03}" for reader in np.tile(np.arange(self.readers), self.texts).tolist()]
        keys = SegmentKeys(
            [f"{row:05}" for row in range(len(texts))], [f"t{text:03}" for text in texts], {"reader": readers}
        )
        return SharedSegments(keys, _by_system(counts), texts, "text", 0)

    def covers(self, *, difference: bool) -> Outcome:
        """Whether the interval contains the true rate, or the difference."""
        true = USUAL_RATE * math.exp((2 * self.hardness**2 + self.own**2 + self.residual**2) / 2)
        settings = StatisticsSettings(seed=1, confidence=CONFIDENCE, resamples=RESAMPLES, second_cluster="reader")
        return lambda sample: _covers(draw_replicates(sample, [_WER], settings)["wer"], true, difference=difference)


@dataclass(frozen=True)
class RepeatedRuns:
    """Two equally good systems that read every cluster several times; deviations are on the log scale."""

    clusters: int
    runs: int
    hardness: float = 0.3  # between clusters, the same for both systems and all runs
    own: float = 0.2  # between clusters, of the difference of the systems
    shared: float = 0.0  # between runs of a system, the same for all clusters
    residual: float = 0.2  # of a cluster in a run

    def draw(self, rng: np.random.Generator) -> RunsSample:
        """Draw a sample."""
        lengths = rng.integers(60, 241, self.clusters)
        log = math.log(USUAL_RATE) + rng.normal(0, self.hardness, (1, 1, self.clusters))
        log = log + rng.normal(0, self.own / math.sqrt(2), (2, 1, self.clusters))
        log = log + rng.normal(0, self.shared, (2, self.runs, 1))
        log = log + rng.normal(0, self.residual, (2, self.runs, self.clusters))
        errors = rng.binomial(lengths, np.minimum(np.exp(log), 1.0))
        counts = np.stack([errors, np.broadcast_to(lengths, errors.shape)], axis=-1)
        return RunsSample(counts, int(rng.integers(2**62)))

    def covers(self, rule: str, *, difference: bool) -> Outcome:
        """Whether the interval under this rule contains the true rate, or the difference."""
        variance = self.hardness**2 + self.own**2 / 2 + self.shared**2 + self.residual**2
        true, settings = USUAL_RATE * math.exp(variance / 2), _settings(rule)
        return lambda sample: _covers(sample.replicates(settings), true, difference=difference)


@dataclass(frozen=True)
class RunsSample:
    """Errors and lengths, shape (systems, runs, clusters, 2)."""

    counts: IntArray
    seed: int

    @cached_property
    def shared_segments(self) -> SharedSegments:
        """As scores of two systems, a segment per cluster."""
        runs, clusters = self.counts.shape[1:3]
        keys = SegmentKeys([f"{row:05}" for row in range(clusters)], None, {})
        names, same = [str(run) for run in range(runs)], np.zeros(clusters, np.bool_)
        by_system = zip(_SYSTEMS, in_columns(_WER, self.counts), strict=True)
        of_runs = {name: RunCounts(names, {"wer": counts}, same) for name, counts in by_system}
        return SharedSegments(keys, _by_system(self.counts.sum(axis=1)), None, "", 0, runs=of_runs, scale=runs)

    def replicates(self, settings: StatisticsSettings) -> Replicates:
        """What intervals rest on."""
        return draw_replicates(self.shared_segments, [_WER], settings, only_intervals=True)["wer"]


def _settings(rule: str) -> StatisticsSettings:
    test = "jackknife" if rule == "crossed" else "randomisation"
    return StatisticsSettings(seed=1, confidence=CONFIDENCE, runs=rule, deciding_test=test, tests=[test])  # type: ignore[arg-type,list-item]


def differ(rule: str) -> Outcome:
    """Whether the test that decides under this rule calls the systems different."""
    settings = _settings(rule)

    def by_jackknife(sample: RunsSample) -> bool:
        estimate = sample.replicates(settings).difference_estimate(*_SYSTEMS)
        return jackknife_test(estimate, unit="cluster", n=sample.counts.shape[2]).pvalue < ALPHA

    def by_exchange(sample: RunsSample) -> bool:
        errors = sample.counts[..., 0].sum(axis=1)
        length = int(sample.counts[0, ..., 1].sum())
        test = sign_flip(errors[1] - errors[0], length=length, resamples=999, seed=sample.seed, alpha=ALPHA)
        return test.pvalue < ALPHA

    return by_jackknife if rule == "crossed" else by_exchange


def finds_effect(sample: RunsSample) -> bool:
    """Whether runs of the first system are said to share an effect."""
    return run_effect_test(sample.counts[0], rate, resamples=_PERMUTATIONS, seed=sample.seed).pvalue <= ALPHA


def covers_rest(checked: int, *, whole: bool = False) -> Outcome:
    """Whether the interval predicted from the first clusters contains the rate of the others, or of all."""

    def covers(sample: RunsSample) -> Coverage | None:
        counts = sample.counts[0, 0]
        rest = counts[checked:]
        prediction = predict_rest(counts[:checked], rate, rest=len(rest), confidence=CONFIDENCE)
        if whole:
            return Coverage.of(prediction.whole or prediction.interval, float(rate(counts.sum(axis=0))))
        return Coverage.of(prediction.interval, float(rate(rest.sum(axis=0))))

    return covers


@dataclass(frozen=True)
class NormalRuns:
    """Distribution of values of clusters in runs of two systems, whose variance components are these exactly."""

    clusters: int
    runs: int
    components: tuple[float, float, float] = (1.0, 0.09, 0.25)  # clusters, runs, residual
    difference: float = 0.0

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Draw values, shape (2, clusters, runs); components are those of the difference, half of each system."""
        deviations = np.sqrt(np.array(self.components) / 2)
        shapes = ((2, self.clusters, 1), (2, 1, self.runs), (2, self.clusters, self.runs))
        parts = (rng.normal(0, deviation, shape) for deviation, shape in zip(deviations, shapes, strict=True))
        return sum(parts) + np.array([0.0, self.difference])[:, np.newaxis, np.newaxis]

    def covers(self, source: str) -> Outcome:
        """Whether the interval of one variance component of the first system contains its true value."""
        true = self.components[("clusters", "runs", "residual").index(source)] / 2
        return lambda values: Coverage.of(
            getattr(variance_components(values[0], confidence=CONFIDENCE), source).interval, true
        )


def finds_difference(rule: str) -> Outcome:
    """Whether the systems are called different, by the error of clusters alone or of clusters and runs."""

    def finds(values: FloatArray) -> bool:
        first, second = values
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
