"""Comparison of all systems on one data set: shared segments, replicates, rates, tested pairs, verdicts, ranks."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from misread.errors import UndefinedResultError
from misread.metrics import Kind, Metric, describe_spread, summarize
from misread.provenance.signature import Signature
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.groups import fairness_by_metric, results_by_group
from misread.stats.compare.opposed_metrics import explain_opposed
from misread.stats.compare.ranking import rank_systems
from misread.stats.compare.schema import Caution, DatasetResult, MetricResult
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments, share_segments
from misread.stats.compare.signature import sign_comparison
from misread.stats.compare.system_pair import gather_pairs
from misread.stats.compare.verdicts import compare_pair
from misread.stats.compare.warnings import cautions_about, warnings_about
from misread.stats.design.power import design_effect, effective_segments
from misread.tally.alignments import Alignments
from misread.tally.scores import Scores


class SectionResult(NamedTuple):
    """Result of a section: a record that JSON can hold, or None, and warnings in whole sentences.

    Those that change how a number may be read are cautions as well, in few words.
    """

    record: Any = None
    warnings: Sequence[str] = ()
    cautions: Sequence[Caution] = ()


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
    shared = share_segments(applicable, operations).with_length_groups(metrics, settings.length_classes)
    # Samples are for pairs and ranks; a single system has none.
    replicates = draw_replicates(shared, metrics, settings, only_intervals=len(shared.counts) == 1)
    signatures, signature, statistics = sign_comparison(dataset, applicable, metrics, shared, settings)
    results = {metric.id: _metric_results(replicates[metric.id], signatures) for metric in metrics}
    reference_system = baseline if baseline in applicable else next(iter(applicable))
    tested = {metric.id: gather_pairs(replicates[metric.id], reference_system) for metric in metrics}
    comparisons = tuple(compare_pair(pair) for metric in metrics for pair in tested[metric.id])
    groups = {column: results_by_group(shared, column, metrics, settings) for column in shared.keys.groups}
    computed = {name: compute(shared, metrics, settings) for name, compute in (sections or {}).items()}
    first = next(iter(applicable.values()))
    systems = {name: {metric.id: results[metric.id][name] for metric in metrics} for name in applicable}
    opposed = explain_opposed(systems)
    return DatasetResult(
        dataset=dataset,
        data_digest=first.origin.data_digest,
        segments=len(shared.keys),
        excluded=shared.excluded,
        missing=first.missing,
        clusters=shared.clusters,
        cluster_name=shared.cluster_name,
        baseline=reference_system,
        engines={name: scored.origin.engine_facts for name, scored in applicable.items()},
        systems=systems,
        groups=groups,
        fairness={column: fairness_by_metric(groups[column], metrics, first.signatures) for column in groups},
        comparisons=comparisons,
        ranking={metric.id: rank_systems(replicates[metric.id], tested[metric.id]) for metric in metrics},
        statistics=statistics,
        not_applicable=not_applicable,
        warnings=(
            *warnings_about(shared, replicates, applicable, tested, settings),
            *(caution.text for caution in opposed),
            *(warning for section in computed.values() for warning in section.warnings),
        ),
        signature=signature,
        missing_outputs={name: scored.missing_outputs for name, scored in applicable.items() if scored.missing_outputs},
        cautions=(
            *cautions_about(shared, applicable),
            *opposed,
            *(caution for section in computed.values() for caution in section.cautions),
        ),
        pairing={name: tuple(scored.pairing) for name, scored in applicable.items() if scored.pairing},
        sections={name: section.record for name, section in computed.items() if section.record is not None},
    )


def _metric_results(
    replicates: Replicates, signatures: Mapping[str, Mapping[str, Signature]]
) -> dict[str, MetricResult]:
    """Results of all systems by one metric."""
    metric, shared = replicates.metric, replicates.shared
    reasons = replicates.reasons_without_interval()
    results = {}
    for name in shared.counts:
        counts = shared.own_counts(name, metric.id)
        summary = summarize(metric, counts)
        deff = None
        if shared.cluster_codes is not None and metric.kind is Kind.ERROR_RATE and shared.units > 1:
            lengths = shared.counts[name][metric.id]["length"]
            if lengths.sum() > 0:
                deff = design_effect(shared.counts[name][metric.id]["errors"], lengths, shared.cluster_codes)
        results[name] = MetricResult(
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
            counted=metric.counted,
            signature=signatures[name][metric.id],
            interval_reason=reasons.get(name, ""),
            spread=describe_spread(metric, counts),
        )
    return results
