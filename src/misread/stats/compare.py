"""All systems on one data set: rates with intervals, every pair with its tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import cast

import numpy as np

from misread.errors import UndefinedResultError
from misread.metrics import Metric, extend_signature, summarize
from misread.records import Scores
from misread.stats.caveats import warnings_about
from misread.stats.comparison import DatasetResult, GroupResult, Interval, MetricResult, PairResult
from misread.stats.comparison_signature import comparison_facts, comparison_signature
from misread.stats.corrections import adjust
from misread.stats.design_effect import design_effect, effective_segments
from misread.stats.paired_tests import PAIRED_TESTS, tests_of
from misread.stats.pairs import SystemPair
from misread.stats.replicates import Replicates, draw_replicates
from misread.stats.settings import Statistics
from misread.stats.shared_segments import SharedSegments, share_segments


def compare(
    scores: Mapping[str, Scores],
    metrics: Sequence[Metric],
    settings: Statistics,
    *,
    dataset: str,
    baseline: str,
) -> DatasetResult:
    """Compare systems on one data set.

    Where the data set has clusters, whole clusters are resampled: segments of one page or speaker resemble each
    other, and testing them as if independent finds differences that are not there.

    Parameters
    ----------
    scores : mapping of system id to Scores
        Systems in the order in which results list them.
    metrics : sequence of Metric
        Those that were scored.
    settings : Statistics
        Intervals, tests, correction, seed.
    dataset : str
        Id of the data set.
    baseline : str
        Id of the system that stands first in its pairs; one that cannot read the data set is replaced by the first.

    Returns
    -------
    DatasetResult
        JSON-able.

    Raises
    ------
    UndefinedResultError
        If no system could read the data set, or systems were scored on other references or by other rules.
    """
    applicable = {name: of for name, of in scores.items() if not of.origin.not_applicable}
    not_applicable = {name: of.origin.not_applicable for name, of in scores.items() if of.origin.not_applicable}
    if not applicable:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in not_applicable.items())
        raise UndefinedResultError(f"no system can read data set {dataset!r} ({reasons}).")
    shared = share_segments(applicable)
    replicates = draw_replicates(shared, metrics, settings)
    first = next(iter(applicable.values()))
    facts = comparison_facts(dataset, first, shared, settings)
    reference_system = baseline if baseline in applicable else next(iter(applicable))
    return {
        "dataset": dataset,
        "data_digest": first.origin.data_digest,
        "segments": len(shared.keys),
        "excluded": shared.excluded,
        "missing": first.missing,
        "clusters": shared.clusters,
        "cluster_name": shared.cluster_name,
        "baseline": reference_system,
        "engines": {name: dict(of.origin.engine) for name, of in applicable.items()},
        "systems": {
            name: {
                metric.id: _metric_result(shared, metric, name, replicates[metric.id], settings, of.signatures, facts)
                for metric in metrics
            }
            for name, of in applicable.items()
        },
        "groups": _groups(shared, metrics, settings),
        "comparisons": [
            result
            for metric in metrics
            for result in _compare_pairs(shared, metric, replicates[metric.id], reference_system, settings)
        ],
        "not_applicable": not_applicable,
        "warnings": warnings_about(shared, replicates, applicable, settings),
        "signature": comparison_signature(metrics, [("norm", first.normalizer), ("align", "unit"), *facts]),
    }


def _metric_result(
    shared: SharedSegments,
    metric: Metric,
    name: str,
    replicates: Replicates,
    settings: Statistics,
    signatures: Mapping[str, str],
    facts: Sequence[tuple[str, str]],
) -> MetricResult:
    summary = summarize(metric, shared.counts[name][metric.id])
    return cast(
        "MetricResult",
        {
            "micro": summary.micro,
            "macro": summary.macro,
            "median": summary.median,
            "segments": summary.segments,
            "empty_references": summary.empty_references,
            **summary.counts,
            "effective_segments": _effective_segments(shared, metric, name),
            "confidence_interval": _interval(replicates, name, settings),
            "direction": metric.direction.value,
            "signature": extend_signature(signatures[metric.id], facts),
        },
    )


def _effective_segments(shared: SharedSegments, metric: Metric, name: str) -> float | None:
    """How many independent segments would tell as much; None where nothing says so."""
    counts = shared.counts[name][metric.id]
    if shared.cluster_codes is None or not {"errors", "length"} <= set(metric.columns):
        return None
    errors, lengths = (counts[:, metric.columns.index(column)] for column in ("errors", "length"))
    if (shared.clusters or 0) < 2 or lengths.sum() == 0:
        return None
    return effective_segments(len(shared.keys), design_effect(errors, lengths, shared.cluster_codes))


def _interval(replicates: Replicates, name: str, settings: Statistics) -> Interval | None:
    if replicates.reason:
        return None
    return cast("Interval", replicates.interval(name, settings).to_dict())


def _compare_pairs(
    shared: SharedSegments, metric: Metric, replicates: Replicates, baseline: str, settings: Statistics
) -> list[PairResult]:
    """Every pair of systems; the family of the correction is these pairs."""
    ordered = [baseline, *(name for name in shared.counts if name != baseline)]
    pairs = [
        SystemPair(
            metric,
            first,
            second,
            shared.counts[first][metric.id],
            shared.counts[second][metric.id],
            shared.cluster_codes,
            replicates,
            settings,
            shared.operations[first].get(metric.id, ()) if shared.operations else (),
            shared.operations[second].get(metric.id, ()) if shared.operations else (),
        )
        for first, second in combinations(ordered, 2)
    ]
    return _adjusted([_pair_result(pair, settings) for pair in pairs if not np.isnan(pair.difference)], settings)


def _pair_result(pair: SystemPair, settings: Statistics) -> PairResult:
    improvement = -pair.improvement_sign * np.nan_to_num(pair.rate_differences)
    interval = None
    if not pair.replicates.reason:
        interval = cast("Interval", pair.replicates.difference_interval(pair.baseline, pair.system, settings).to_dict())
    return {
        "baseline": pair.baseline,
        "system": pair.system,
        "metric": pair.metric.id,
        "difference": pair.difference,
        "confidence_interval": interval,
        "tests": {name: PAIRED_TESTS[name](pair).to_dict() for name in tests_of(pair)},
        "decided_by": settings.decide_by,
        "pvalue_adjusted": 1.0,
        "significant": False,
        "better": int((improvement > 0).sum()),
        "same": int((improvement == 0).sum()),
        "worse": int((improvement < 0).sum()),
    }


def _adjusted(results: list[PairResult], settings: Statistics) -> list[PairResult]:
    for test in settings.tests:
        tested = [result for result in results if test in result["tests"]]
        pvalues = [cast("float", result["tests"][test]["pvalue"]) for result in tested]
        for result, adjusted in zip(tested, adjust(pvalues, method=settings.correction).tolist(), strict=True):
            result["tests"][test]["pvalue_adjusted"] = adjusted
            if test == settings.decide_by:
                result["pvalue_adjusted"] = adjusted
                result["significant"] = adjusted < settings.alpha
    return results


def _groups(
    shared: SharedSegments, metrics: Sequence[Metric], settings: Statistics
) -> dict[str, dict[str, dict[str, dict[str, GroupResult]]]]:
    """Results by group column, group, system and metric."""
    return {
        column: {value: _group(shared.restrict(column, value), metrics, settings) for value in sorted(set(values))}
        for column, values in shared.keys.groups.items()
    }


def _group(part: SharedSegments, metrics: Sequence[Metric], settings: Statistics) -> dict[str, dict[str, GroupResult]]:
    replicates = draw_replicates(part, metrics, settings)
    results: dict[str, dict[str, GroupResult]] = {}
    for name, counts in part.counts.items():
        results[name] = {}
        for metric in metrics:
            summary = summarize(metric, counts[metric.id])
            results[name][metric.id] = {
                "micro": summary.micro,
                "segments": summary.segments,
                "confidence_interval": _interval(replicates[metric.id], name, settings),
            }
    return results
