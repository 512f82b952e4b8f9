"""Comparison of all systems on one data set: rates with intervals, and every pair with its tests."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from misread.errors import UndefinedResultError
from misread.metrics import ErrorRate, Fairness, Kind, Metric, summarize
from misread.provenance.signature import Signature
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.groups import Groups, fairness_of_groups, with_length_groups
from misread.stats.compare.pair_results import compare_pair, gather_pairs
from misread.stats.compare.ranking import rank_over_clusters, rank_systems
from misread.stats.compare.schema import AverageRanks, DatasetResult, GroupResult, MetricResult
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments, share_segments
from misread.stats.compare.signature import comparison_facts, comparison_signature, run_facts, statistics_facts
from misread.stats.compare.warnings import (
    reasons_without_interval,
    warn_of_missing_intervals,
    warnings_about,
    warnings_of_no_errors,
)
from misread.stats.design.power import design_effect, effective_segments
from misread.tally.alignments import Alignments
from misread.tally.scores import Scores


class SectionResult(NamedTuple):
    """What a section finds beside the rates: a record that JSON can hold, or None, and warnings in whole sentences."""

    record: Any = None
    warnings: Sequence[str] = ()


ComputeSection = Callable[[SharedSegments, Sequence[Metric], StatisticsSettings], SectionResult]
"""Function of the segments that all systems have, the metrics and the settings of the statistics."""


def compare_systems(
    scores: Mapping[str, Scores],
    metrics: Sequence[Metric],
    settings: StatisticsSettings,
    *,
    dataset: str,
    baseline: str,
    operations: Alignments | None = None,
    sections: Mapping[str, ComputeSection] | None = None,
) -> DatasetResult:
    """Compare systems on one data set.

    If the data set has clusters, whole clusters are resampled: segments of one page or speaker resemble each other, and
    treating them as independent finds differences that do not exist.

    Parameters
    ----------
    scores : mapping of system id to Scores
        Systems, in the order of the results.
    metrics : sequence of Metric
        Metrics that were scored.
    settings : StatisticsSettings
        Intervals, tests, correction, seed.
    dataset : str
        Id of the data set.
    baseline : str
        Id of the system that is first in its pairs; if it cannot read the data set, the first system replaces it.
    operations : Alignments, optional
        Alignments for the rows of the scores, needed by "mapsswe".
    sections : mapping of str to callable, optional
        Further things to compute of what all systems have in common, by name; see `ComputeSection`.

    Raises
    ------
    UndefinedResultError
        If no system could read the data set, or systems were scored against different references or under
        different settings.
    """
    reasons = {name: scored.origin.not_applicable for name, scored in scores.items()}
    applicable = {name: scored for name, scored in scores.items() if not reasons[name]}
    not_applicable = {name: reason for name, reason in reasons.items() if reason}
    if not applicable:
        refusals = "; ".join(f"{name}: {reason}" for name, reason in not_applicable.items())
        raise UndefinedResultError(f"no system can read data set {dataset!r} ({refusals}).")
    shared = with_length_groups(share_segments(applicable, operations), metrics, settings.length_classes)
    replicates = draw_replicates(shared, metrics, settings)
    first = next(iter(applicable.values()))
    facts = comparison_facts(dataset, first, shared, settings)
    reference_system = baseline if baseline in applicable else next(iter(applicable))
    tested = {metric.id: gather_pairs(shared, metric, replicates[metric.id], reference_system) for metric in metrics}
    without_interval = {
        metric.id: reasons_without_interval(replicates[metric.id], metric, applicable, shared.unit_names)
        for metric in metrics
    }
    systems = {
        name: {
            metric.id: _metric_result(
                shared, metric, name, replicates[metric.id], without_interval[metric.id], scored.signatures, facts
            )
            for metric in metrics
        }
        for name, scored in applicable.items()
    }
    groups = _groups(shared, metrics, settings)
    computed = {name: compute(shared, metrics, settings) for name, compute in (sections or {}).items()}
    rules = {"norm": first.normalizer, **_alignment_facts(metrics, first)}
    return DatasetResult(
        dataset=dataset,
        data_digest=first.origin.data_digest,
        segments=len(shared.keys),
        excluded=shared.excluded,
        missing=first.missing,
        clusters=shared.clusters,
        cluster_name=shared.cluster_name,
        baseline=reference_system,
        engines={name: dict(scored.origin.engine) for name, scored in applicable.items()},
        systems=systems,
        groups=groups,
        fairness={column: _fairness(groups[column], metrics, first.signatures) for column in groups},
        comparisons=tuple(compare_pair(pair, shared) for metric in metrics for pair in tested[metric.id]),
        ranking={
            metric.id: rank_systems(shared, metric, replicates[metric.id], tested[metric.id]) for metric in metrics
        },
        average_ranks=_average_ranks(shared, metrics, settings),
        statistics=statistics_facts(settings, shared),
        not_applicable=not_applicable,
        warnings=(
            *warnings_about(shared, replicates, applicable, tested, settings),
            *(
                warning
                for metric in metrics
                for warning in warn_of_missing_intervals(replicates[metric.id], metric, shared.unit_names)
            ),
            *warnings_of_no_errors(shared, replicates, metrics, settings),
            *(warning for section in computed.values() for warning in section.warnings),
        ),
        signature=comparison_signature(metrics, {**rules, **facts, **run_facts(shared, list(applicable), settings)}),
        sections={name: section.record for name, section in computed.items() if section.record is not None},
    )


def _alignment_facts(metrics: Sequence[Metric], scores: Scores) -> dict[str, str]:
    """Rules by which error rates align, and which texts have alternative readings."""
    rules = dict.fromkeys(metric.alignment for metric in metrics if isinstance(metric, ErrorRate))
    facts = {"align": "+".join(rules) or "unit"}
    alternatives = scores.origin.facts.alternatives
    return facts | {"alternatives": alternatives} if alternatives else facts


def _metric_result(
    shared: SharedSegments,
    metric: Metric,
    name: str,
    replicates: Replicates,
    reasons: Mapping[str, str],
    signatures: Mapping[str, Signature],
    facts: Mapping[str, str],
) -> MetricResult:
    counts = shared.own_counts(name, metric.id)
    summary = summarize(metric, counts)
    deff = _design_effect(shared, metric, name)
    return MetricResult(
        micro=summary.micro,
        macro=summary.macro,
        median=summary.median,
        segments=summary.segments,
        empty_references=summary.empty_references,
        exact_segments=int(metric.is_exact(counts).sum()),
        counts=summary.counts,
        design_effect=deff,
        effective_segments=None if deff is None else effective_segments(len(shared.keys), deff),
        confidence_interval=replicates.intervals.get(name),
        direction=metric.direction,
        kind=metric.kind,
        signature=signatures[metric.id].with_facts({**facts, **run_facts(shared, [name], replicates.settings)}),
        interval_reason=reasons.get(name, ""),
    )


def _design_effect(shared: SharedSegments, metric: Metric, name: str) -> float | None:
    """Design effect of the clusters on the rate of one system; None without clusters or an error rate."""
    counts = shared.counts[name][metric.id]
    if shared.cluster_codes is None or metric.kind is not Kind.ERROR_RATE:
        return None
    if shared.units < 2 or counts["length"].sum() == 0:
        return None
    return design_effect(counts["errors"], counts["length"], shared.cluster_codes)


def _average_ranks(
    shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings
) -> dict[str, AverageRanks]:
    if not settings.nemenyi:
        return {}
    ranks = {metric.id: rank_over_clusters(shared, metric, alpha=settings.alpha) for metric in metrics}
    return {metric: average for metric, average in ranks.items() if average is not None}


def _groups(
    shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings
) -> dict[str, dict[str, dict[str, dict[str, GroupResult]]]]:
    """Results by group column, group, system and metric."""
    return {
        column: {value: _group(part, metrics, settings) for value, part in shared.split(column)}
        for column in shared.keys.groups
    }


def _group(
    part: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings
) -> dict[str, dict[str, GroupResult]]:
    replicates = draw_replicates(part, metrics, settings, only_intervals=True)
    reasons = {
        metric.id: reasons_without_interval(replicates[metric.id], metric, part.counts, part.unit_names)
        for metric in metrics
    }
    results: dict[str, dict[str, GroupResult]] = {}
    for name, counts in part.counts.items():
        results[name] = {}
        for metric in metrics:
            summary = summarize(metric, counts[metric.id].values)
            results[name][metric.id] = GroupResult(
                micro=summary.micro,
                segments=summary.segments,
                confidence_interval=replicates[metric.id].intervals.get(name),
                interval_reason=reasons[metric.id].get(name, ""),
            )
    return results


def _fairness(
    groups: Groups, metrics: Sequence[Metric], signatures: Mapping[str, Signature]
) -> dict[str, dict[str, Fairness]]:
    """Spread of rates over the groups of one column, by metric and system."""
    return {
        metric.id: fairness_of_groups(
            groups, metric.id, direction=metric.direction, has_band=signatures[metric.id].facts.get("unit") == "char"
        )
        for metric in metrics
    }
