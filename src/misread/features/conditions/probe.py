"""Results of a probe of a system: texts that change, the rate, and the verdict against the baseline, by concurrency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from misread.data.segment_table import Capture, Origin, SegmentTable, TextPairs, take
from misread.engines import describe_capture
from misread.engines.base import Reading
from misread.errors import UndefinedResultError
from misread.evaluation import score_captures
from misread.features.conditions.concurrency_effect import test_exchangeability
from misread.features.conditions.readings import Sample
from misread.pipeline import paths
from misread.provenance.conditions import SERVER_VERSION, ConditionsTally
from misread.stats import ConfidenceInterval, DatasetResult, PairComparison, compare_systems, ratio_interval
from misread.stats.compare.schema import Verdict
from misread.storage import read_capture

if TYPE_CHECKING:
    from misread.metrics import Metric
    from misread.pipeline.params import Params
    from misread.stats import StatisticsSettings
    from misread.tally.scores import Scores

Finding = Literal["depends", "noisy", "unclear", "stable"]
"""More texts change with the concurrency than when read again; texts change at every concurrency, and no more between
them; a few change, too few to tell; none changes."""

PERMUTATIONS: Final = 9999


@dataclass(frozen=True, kw_only=True)
class ChangedTexts:
    """Share of texts that differ between two readings of a segment."""

    changed: int
    pairs: int
    share: float
    interval: ConfidenceInterval | None


@dataclass(frozen=True, kw_only=True)
class Effect:
    """A rate minus that of the lowest concurrency, or of the baseline of the study."""

    difference: float
    interval: ConfidenceInterval | None
    pvalue: float
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class ConcurrencyResult:
    """Readings at one concurrency; the lowest is the baseline."""

    concurrency: int
    failed: int
    again: ChangedTexts  # between the repeats
    changed: ChangedTexts | None  # against the lowest concurrency
    rate: float | None
    interval: ConfidenceInterval | None
    effect: Effect | None  # on the rate, against the lowest concurrency
    against_baseline: Effect | None


@dataclass(frozen=True, kw_only=True)
class Probe:
    """A system that was asked for the same segments at several concurrencies, twice at each."""

    dataset: str
    system: str
    metric: str
    baseline: str  # of the study; empty where it has no capture of these segments, or is the system itself
    requests: int
    segments: int  # that all readings have
    left_out: int  # of the sample, as a reading failed
    seed: int
    alpha: float
    pvalue: float  # of texts that depend on the concurrency
    finding: Finding
    concurrencies: Sequence[ConcurrencyResult]
    server_versions: Sequence[str]
    changed_segments: Sequence[str]  # ids of those whose readings are not all the same


def evaluate_probe(
    params: Params, dataset: str, sample: Sample, readings: Mapping[int, Sequence[Sequence[Reading]]]
) -> Probe:
    """Compare readings by concurrency, each a list of repeats in the order of the sample.

    Segments with a failed reading are left out. Raises UndefinedResultError if none is left.
    """
    statistics, metrics = params.statistics(), {metric.id: metric for metric in params.metrics(dataset)}
    metric = metrics[params.report().metrics[0]]
    passes = [repeat for repeats in readings.values() for repeat in repeats]
    rows = [row for row in range(len(sample.segments)) if all(made[row].text is not None for made in passes)]
    if not rows:
        raise UndefinedResultError(
            f"of each of the {len(sample.segments):,} segments a reading of {sample.system} failed; nothing can be "
            f"compared. The first reason: {next(filter(None, (made[0].reason for made in passes)))}."
        )
    segments = sample.segments.take(rows)
    texts = {
        concurrency: [[made[row].text or "" for row in rows] for made in repeats]
        for concurrency, repeats in readings.items()
    }
    by_segment = [[[made[row] for made in repeats] for repeats in texts.values()] for row in range(len(rows))]
    is_changed = [len({text for repeats in made for text in repeats}) > 1 for made in by_segment]
    pvalue = test_exchangeability(by_segment, permutations=PERMUTATIONS, seed=sample.seed)
    scored = _Scored(params, metric, segments, dataset, sample.system)
    results = _results(scored, texts, readings)
    return Probe(
        dataset=dataset,
        system=sample.system,
        metric=metric.id,
        baseline=scored.baseline,
        requests=sample.requests,
        segments=len(rows),
        left_out=len(sample.segments) - len(rows),
        seed=sample.seed,
        alpha=statistics.alpha,
        pvalue=pvalue,
        finding=_find(results, pvalue=pvalue, alpha=statistics.alpha, changes=any(is_changed)),
        concurrencies=results,
        server_versions=_server_versions(passes),
        changed_segments=[key for key, changed in zip(segments.segment_id, is_changed, strict=True) if changed],
    )


def _find(results: Sequence[ConcurrencyResult], *, pvalue: float, alpha: float, changes: bool) -> Finding:
    if not changes:
        return "stable"
    if pvalue < alpha:
        return "depends"
    return "noisy" if all(result.again.changed for result in results) else "unclear"


def _server_versions(passes: Sequence[Sequence[Reading]]) -> list[str]:
    tally = ConditionsTally()
    for made in passes:
        for reading in made:
            if reading.text is not None:
                tally.add(reading.conditions)
    return tally.summed_up(of_server=True)[SERVER_VERSION]


@dataclass
class _Scored:
    """Scores of texts of a sample, by the rules of the study, and comparisons of two of them."""

    params: Params
    metric: Metric
    segments: SegmentTable
    dataset: str
    system: str
    statistics: StatisticsSettings = field(init=False)
    baseline: str = field(init=False)
    _baseline_scores: Scores | None = field(init=False)

    def __post_init__(self) -> None:
        statistics = self.params.statistics()
        # One pair at a time, by the test that decides.
        self.statistics = replace(
            statistics,
            tests=(statistics.deciding_test,),
            pairs="baseline",
            length_classes=0,
            sections=(),
        )
        capture = self._find_baseline()
        self.baseline = "" if capture is None else self.params.baseline
        self._baseline_scores = None if capture is None else self._score(capture)

    def score(self, name: str, repeats: Sequence[Sequence[str]]) -> Scores:
        """Scores of all repeats together, as of a system that was read several times."""
        origin = Origin(self.dataset, name, self.segments.digest, cluster_name=self.segments.cluster_name)
        first, *further = (
            Capture(
                describe_capture(origin, self.segments),
                self.segments.keys,
                TextPairs(self.segments.references, texts),
                [None] * len(texts),
                str(run),
                annotations=self.segments.annotations_for(self.system),
            )
            for run, texts in enumerate(repeats, start=1)
        )
        return self._score(replace(first, further_runs=tuple(further)))

    def compare(self, scores: Mapping[str, Scores]) -> DatasetResult:
        """Compare systems with the first of them."""
        baseline = next(iter(scores))
        return compare_systems(scores, [self.metric], self.statistics, dataset=self.dataset, baseline=baseline)

    def against_baseline(self, scores: Scores) -> Effect | None:
        """The verdict against the baseline of the study, by itself; None without one."""
        if self._baseline_scores is None:
            return None
        (pair,) = self.compare({self.baseline: self._baseline_scores, scores.origin.system: scores}).comparisons
        return _effect(pair)

    def _score(self, capture: Capture) -> Scores:
        scored = score_captures(
            {"": capture},
            self.params.normalizer(),
            [self.metric],
            missing=self.params.missing,
            equivalents=self.params.equivalents(),
        )
        return scored[""].scores

    def _find_baseline(self) -> Capture | None:
        """Outputs of the baseline on the sample, if it is another system and has them."""
        path = paths.capture(self.dataset, self.params.baseline)
        if self.params.baseline == self.system or not path.is_file():
            return None
        capture = read_capture(path)
        rows_by_id = {segment_id: row for row, segment_id in enumerate(capture.segments.segment_id)}
        rows = [rows_by_id[segment_id] for segment_id in self.segments.segment_id if segment_id in rows_by_id]
        if len(rows) < len(self.segments):
            return None
        return replace(
            _take_rows(capture, rows), further_runs=tuple(_take_rows(run, rows) for run in capture.further_runs)
        )


def _take_rows(capture: Capture, rows: Sequence[int]) -> Capture:
    return replace(
        capture,
        segments=capture.segments.take(rows),
        texts=capture.texts.take(rows),
        reasons=take(capture.reasons, rows),
        annotations={name: take(values, rows) for name, values in capture.annotations.items()},
    )


def _results(
    scored: _Scored, texts: Mapping[int, Sequence[Sequence[str]]], readings: Mapping[int, Sequence[Sequence[Reading]]]
) -> list[ConcurrencyResult]:
    """Readings at each concurrency, the lowest first."""
    lowest, *_ = texts
    names = {concurrency: f"{scored.system} at {concurrency}" for concurrency in texts}
    scores = {names[concurrency]: scored.score(names[concurrency], repeats) for concurrency, repeats in texts.items()}
    comparison = scored.compare(scores)
    effects = {pair.system: _effect(pair) for pair in comparison.comparisons}
    results = []
    for concurrency, repeats in texts.items():
        name = names[concurrency]
        rates = comparison.systems[name][scored.metric.id]
        others = zip(texts[lowest], repeats, strict=True)
        results.append(
            ConcurrencyResult(
                concurrency=concurrency,
                failed=sum(reading.text is None for made in readings[concurrency] for reading in made),
                again=_changed(scored, list(pairwise(repeats))),
                changed=None if concurrency == lowest else _changed(scored, list(others)),
                rate=rates.rate,
                interval=rates.interval,
                effect=effects.get(name),
                against_baseline=scored.against_baseline(scores[name]),
            )
        )
    return results


def _changed(scored: _Scored, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> ChangedTexts:
    """Share of pairs of readings of a segment that differ."""
    differs = np.sum([[first != second for first, second in zip(*sides, strict=True)] for sides in pairs], axis=0)
    # Where nothing changes, several pairs of a segment tell no more than one.
    compared = np.full(len(differs), len(pairs) if differs.any() else 1)
    confidence = scored.statistics.confidence
    return ChangedTexts(
        changed=int(differs.sum()),
        pairs=len(differs) * len(pairs),
        share=float(differs.mean() / len(pairs)),
        interval=ratio_interval(differs, compared, scored.segments.cluster, confidence, highest=1.0),
    )


def _effect(pair: PairComparison) -> Effect:
    return Effect(difference=pair.difference, interval=pair.interval, pvalue=pair.pvalue_adjusted, verdict=pair.verdict)
