"""Comparison of the results of two revisions, segment by segment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from misread.checks.choices import check_choice
from misread.errors import NotComparableError, RevisionError
from misread.metrics import Metric
from misread.normalize import signature_of
from misread.pipeline.params import Params
from misread.records import Scores
from misread.revisions.changes import Change, origin_changes, params_changes
from misread.revisions.difference import (
    DatasetDifference,
    OneSided,
    RevisionDifference,
    RevisionVerdict,
    Side,
    SystemDifference,
)
from misread.revisions.lock_changes import lock_changes
from misread.revisions.movers import find_movers
from misread.revisions.pairing import AFTER, BEFORE, PairedSegments, has_rules, pair_segments
from misread.revisions.results import RevisionResults
from misread.stats import StatisticsSettings
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.system_pair import SystemPair
from misread.stats.compare.tested_pairs import TestedPair, run_tests
from misread.stats.compare.verdicts import judge
from misread.types import IntArray

MOVERS = 10
"""Default number of segments that changed most to show."""

_WORDS: dict[str, RevisionVerdict] = {
    "better": "improved",
    "worse": "regressed",
    "equivalent": "equivalent",
    "inconclusive": "inconclusive",
}


@dataclass(frozen=True)
class Choice:
    """Data sets, systems and metrics to compare; empty means everything that both sides have."""

    datasets: Sequence[str] = ()
    systems: Sequence[str] = ()
    metrics: Sequence[str] = ()
    movers: int = MOVERS
    causes: bool = True  # whether to look for what else changed: settings, code, data


def compare_revisions(
    before: RevisionResults,
    after: RevisionResults,
    settings: StatisticsSettings,
    choice: Choice = Choice(),
    *,
    looks: str = "",
) -> RevisionDifference:
    """Compare every system with itself on the segments that both revisions have.

    Only the deciding test is made; its p-values are adjusted over the systems of one data set and one metric, without
    those that did not change. `looks` says which of several looks this is, for the method's sentence. Raises
    NotComparableError if references or rules differ, or the revisions have nothing in common.
    """
    settings = replace(settings, tests=(settings.deciding_test,))
    old, new = before.params, after.params
    one_sided: list[OneSided] = []
    datasets = _chosen("data set", choice.datasets, old.datasets, new.datasets, one_sided)
    systems = _chosen("system", choice.systems, old.systems, new.systems, one_sided)
    metric_ids = _chosen("metric", choice.metrics, before.metric_ids(), after.metric_ids(), one_sided)
    metrics = [metric for metric in new.metrics() if metric.id in metric_ids]
    changes = _causes(before, after, datasets) if choice.causes else []
    compared = []
    for dataset in datasets:
        of_dataset, found = _compare_dataset(before, after, dataset, systems, metrics, settings, choice, one_sided)
        compared.append(of_dataset)
        changes += [change for change in found if change not in changes]
    if not any(of.differences for of in compared):
        raise NotComparableError(f"no metric was scored in both revisions (asked for: {', '.join(metric_ids)}).")
    return RevisionDifference(
        before=before.revision.label,
        after=after.revision.label,
        rescored=after.rescored,
        one_sided=one_sided,
        alpha=settings.alpha,
        confidence=settings.confidence,
        method=_method(settings, looks),
        changes=changes,
        datasets=compared,
    )


def _causes(before: RevisionResults, after: RevisionResults, datasets: Sequence[str]) -> list[Change]:
    """What changed beside the results, in the order in which it is shown."""
    rescored = after.rescored is not None
    return [
        *params_changes(before.params.content, after.params.content),
        *lock_changes(before.revision, after.revision, datasets, rescored=rescored),
    ]


def _chosen(
    kind: str, chosen: Sequence[str], before: Sequence[str], after: Sequence[str], one_sided: list[OneSided]
) -> list[str]:
    """Names that both sides have, of those asked for; the others are added to `one_sided`."""
    for name in chosen:
        check_choice(kind, name, {*before, *after}, where="both revisions")
    common = [name for name in after if name in before and (not chosen or name in chosen)]
    if not common:
        raise NotComparableError(
            f"the revisions have no {kind} in common (before: {', '.join(before)}; after: {', '.join(after)})."
        )
    one_sided += _alone(before, after, chosen, f"{kind} {{}}")
    return common


def _alone(before: Sequence[str], after: Sequence[str], chosen: Sequence[str], naming: str) -> list[OneSided]:
    """Names that only one of two lists has, of those asked for."""
    sides: tuple[tuple[Side, Sequence[str], Sequence[str]], ...] = (("before", before, after), ("after", after, before))
    return [
        OneSided(side=side, name=naming.format(name))
        for side, names, others in sides
        for name in names
        if name not in others and (not chosen or name in chosen)
    ]


def _compare_dataset(
    before: RevisionResults,
    after: RevisionResults,
    dataset: str,
    systems: Sequence[str],
    metrics: Sequence[Metric],
    settings: StatisticsSettings,
    choice: Choice,
    one_sided: list[OneSided],
) -> tuple[DatasetDifference, list[Change]]:
    changes: list[Change] = []
    paired: dict[str, PairedSegments] = {}
    notes = []
    for system in systems:
        old, new = before.scores(dataset, system), after.scores(dataset, system)
        changes += [change for change in origin_changes(system, old, new) if change not in changes]
        reason = old.origin.not_applicable or new.origin.not_applicable
        if reason:
            notes.append(f"{system} is not compared: {reason}")
            was, now = ([] if of.origin.not_applicable else [system] for of in (old, new))
            one_sided += _alone(was, now, (), f"system {{}} on {dataset}")
        else:
            was, now = ([metric.id for metric in metrics if metric.id in of.counts] for of in (old, new))
            one_sided += _alone(was, now, (), f"{{}} of {system} on {dataset}")
            if after.revision.commit is None and after.rescored is None:
                notes += _stale(system, new, after.params, metrics)
            paired[system] = pair_segments(system, old, new, _shared_metrics(old, new, metrics))
    if not paired:
        raise NotComparableError(f"no system can be compared on {dataset} ({'; '.join(notes)}).")
    # One draw per system serves all its metrics.
    replicates = {
        system: draw_replicates(of.shared, changed, settings)
        for system, of in paired.items()
        if (changed := _changed_metrics(of.shared, metrics))
    }
    differences = [
        difference
        for metric in metrics
        for difference in _compare_metric(dataset, metric, paired, replicates, settings)
    ]
    ranked = next((metric for metric in metrics if {"errors", "length"} <= set(metric.columns)), None)
    try:
        movers = find_movers(before, after, dataset, paired, ranked, choice.movers) if ranked else []
    except RevisionError as error:
        notes.append(f"the texts of segments that changed are left out: {error}")
        movers = find_movers(None, None, dataset, paired, ranked, choice.movers) if ranked else []
    largest = max(paired.values(), key=lambda pair: len(pair.shared.keys))
    only_before = max(pair.only_before for pair in paired.values())
    only_after = max(pair.only_after for pair in paired.values())
    sides: tuple[tuple[Side, int], ...] = (("before", only_before), ("after", only_after))
    for side, number in sides:
        if number:
            one_sided.append(OneSided(side=side, name=f"{number:,} segment{'' if number == 1 else 's'} of {dataset}"))
    return (
        DatasetDifference(
            dataset=dataset,
            segments=len(largest.shared.keys),
            cluster_name=largest.shared.cluster_name,
            clusters=largest.shared.clusters,
            only_before=only_before,
            only_after=only_after,
            systems_before=_systems_alone(before.params, after.params, choice),
            systems_after=_systems_alone(after.params, before.params, choice),
            differences=differences,
            movers=movers,
            movers_metric=ranked.id if ranked else "",
            notes=notes,
        ),
        changes,
    )


def _stale(system: str, scores: Scores, params: Params, metrics: Sequence[Metric]) -> list[str]:
    """A note if scores on disk were not made with the configuration beside them."""
    normalizer = signature_of(params.normalizer())
    stale = [
        metric.id
        for metric in metrics
        if metric.id in scores.signatures and not has_rules(scores.signatures[metric.id], metric.signature(normalizer))
    ]
    if not stale:
        return []
    return [f"{', '.join(stale)} of {system} was scored before params.yaml was changed; run `dvc repro`."]


def _shared_metrics(before: Scores, after: Scores, metrics: Sequence[Metric]) -> list[str]:
    return [metric.id for metric in metrics if metric.id in before.counts and metric.id in after.counts]


def _systems_alone(params: Params, other: Params, choice: Choice) -> list[str]:
    chosen = choice.systems or params.systems
    return [system for system in params.systems if system not in other.systems and system in chosen]


def _compare_metric(
    dataset: str,
    metric: Metric,
    paired: Mapping[str, PairedSegments],
    replicates: Mapping[str, Mapping[str, Replicates]],
    settings: StatisticsSettings,
) -> list[SystemDifference]:
    """Differences of all systems by one metric; the changed ones are the family of the correction."""
    shared = {system: of.shared for system, of in paired.items() if metric.id in of.shared.counts[AFTER]}
    pairs = {
        system: SystemPair.of(of, metric, BEFORE, AFTER, replicates[system][metric.id], settings)
        for system, of in shared.items()
        if _is_changed(of, metric)
    }
    pairs = {system: pair for system, pair in pairs.items() if not np.isnan(pair.difference)}
    tested = dict(zip(pairs, run_tests(list(pairs.values()), settings), strict=True)) if pairs else {}
    results = []
    for system, of in shared.items():
        before, after = (_rate(metric, of.counts[side][metric.id].total) for side in (BEFORE, AFTER))
        if system in tested:
            results.append(_tested(dataset, system, before, after, tested[system]))
        else:
            results.append(_untested(dataset, system, metric, of, before, after))
    return results


def _changed_metrics(shared: SharedSegments, metrics: Sequence[Metric]) -> list[Metric]:
    return [metric for metric in metrics if metric.id in shared.counts[AFTER] and _is_changed(shared, metric)]


def _is_changed(shared: SharedSegments, metric: Metric) -> bool:
    before, after = (shared.counts[side][metric.id].values for side in (BEFORE, AFTER))
    return not np.array_equal(before, after)


def _untested(
    dataset: str, system: str, metric: Metric, shared: SharedSegments, before: float | None, after: float | None
) -> SystemDifference:
    """A system without a change, or without a rate that could change."""
    verdict: RevisionVerdict = "unchanged"
    reason = "No segment changed."
    if _is_changed(shared, metric):
        verdict, reason = "inconclusive", "The rate is undefined: every reference is empty."
    return SystemDifference(
        dataset=dataset,
        system=system,
        metric=metric.id,
        before=before,
        after=after,
        difference=None if before is None or after is None else after - before,
        verdict=verdict,
        reason=reason,
        same=len(shared.keys),
        can_tell=verdict == "unchanged",
    )


def _tested(
    dataset: str, system: str, before: float | None, after: float | None, tested: TestedPair
) -> SystemDifference:
    pair = tested.pair
    judgement = judge(tested)
    better, same, worse = pair.outcomes
    return SystemDifference(
        dataset=dataset,
        system=system,
        metric=pair.metric.id,
        before=before,
        after=after,
        difference=pair.difference,
        interval=pair.difference_interval,
        pvalue=tested.deciding.pvalue,
        pvalue_adjusted=tested.pvalue_adjusted,
        verdict=_WORDS[judgement.verdict],
        reason=judgement.reason,
        better=better,
        same=same,
        worse=worse,
        can_tell=judgement.can_tell,
    )


def _rate(metric: Metric, counts: IntArray) -> float | None:
    rate = float(metric.rate(counts))
    return None if np.isnan(rate) else rate


def _method(settings: StatisticsSettings, looks: str) -> str:
    return (
        f"{settings.deciding_test}, {settings.correction} over the changed systems of a data set and metric, "
        f"{settings.interval_used} interval, B = {settings.resamples}, seed {settings.seed}, alpha {settings.alpha:.4g}"
        + (f" ({looks})" if looks else "")
    )
