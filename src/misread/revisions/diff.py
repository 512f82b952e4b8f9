"""Comparison of the results of two revisions, segment by segment, and the segments that changed most."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np

from misread.alignment import AlternativesIn, align_alternatives
from misread.errors import MissingDependencyError, RevisionError
from misread.metrics import Metric
from misread.normalize.normalized_texts import NormalizedTexts
from misread.pipeline.params import Params
from misread.revisions.difference import DatasetDifference, Mover, RevisionDifference, RevisionVerdict, SystemDifference
from misread.revisions.matching import (
    AFTER,
    BEFORE,
    EVERYTHING,
    Choice,
    MatchedDataset,
    PairedSegments,
    changed_metrics,
    how_to_bring_rows,
    is_changed,
    match_results,
    rate_of,
)
from misread.revisions.stored_results import StoredResults
from misread.stats import PairComparison, StatisticsSettings
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.system_pair import SystemPair, run_tests
from misread.stats.compare.verdicts import compare_pair
from misread.tables import explain_verdict


def find_movers(
    before: StoredResults | None,
    after: StoredResults | None,
    dataset: str,
    paired: Mapping[str, PairedSegments],
    metric: Metric,
    number: int,
) -> list[Mover]:
    """Find the segments whose number of errors changed most, largest change first, then by system and segment id.

    Texts come from `before` and `after`, in the form that the metric reads; they are left out if these are None.
    """
    candidates: list[tuple[int, str, str, int, int]] = []
    for system, pair in paired.items():
        if metric.id not in pair.shared.counts[AFTER]:
            continue
        old, new = (pair.shared.counts[side][metric.id]["errors"] for side in (BEFORE, AFTER))
        changes = np.abs(new - old)
        # Ids are sorted: a stable sort leaves those of equal change in their order.
        for row in np.argsort(-changes, kind="stable")[:number].tolist():
            if changes[row]:
                key = pair.shared.keys.segment_id[row]
                candidates.append((-int(changes[row]), system, key, int(old[row]), int(new[row])))
    chosen = sorted(candidates)[:number]
    wanted = {key for _, _, key, *_ in chosen}
    texts = {
        (side, system): _texts_by_id(results.texts(dataset, system), metric, wanted)
        for side, results in ((BEFORE, before), (AFTER, after))
        if results is not None
        for system in dict.fromkeys(system for _, system, *_ in chosen)
    }
    return [_mover(system, key, old, new, texts) for _, system, key, old, new in chosen]


_Texts = Mapping[str, tuple[str, str | None]]


def _mover(system: str, key: str, old: int, new: int, texts: Mapping[tuple[str, str], _Texts]) -> Mover:
    nothing = (None, None)
    before, after = (texts.get((side, system), {}).get(key, nothing) for side in (BEFORE, AFTER))
    return Mover(
        segment_id=key,
        system=system,
        errors_before=old,
        errors_after=new,
        reference=after[0],
        before=before[1],
        after=after[1],
    )


def _texts_by_id(texts: NormalizedTexts, metric: Metric, wanted: Collection[str]) -> _Texts:
    """References and hypotheses of these segments; texts with alternatives are the readings that fit best by words."""
    pairs = {"raw": texts.raw, "normalized": texts.normalized, "normalized_lines": texts.normalized_lines}[metric.text]
    rows = [row for row, key in enumerate(texts.segments.segment_id) if key in wanted]
    chosen = pairs.take(rows)
    references, hypotheses = chosen.references, chosen.hypotheses
    if texts.origin.facts.alternatives:
        sides = cast("AlternativesIn", texts.origin.facts.alternatives)
        read = align_alternatives(references, [text or "" for text in hypotheses], alternatives=sides)
        references = read.references
        heard = zip(read.hypotheses, hypotheses, strict=True)
        hypotheses = [None if before is None else text for text, before in heard]
    keys = (texts.segments.segment_id[row] for row in rows)
    return dict(zip(keys, zip(references, hypotheses, strict=True), strict=True))


_WORDS: dict[str, RevisionVerdict] = {
    "better": "improved",
    "worse": "regressed",
    "equivalent": "equivalent",
    "inconclusive": "inconclusive",
}


def compare_revisions(
    before: StoredResults,
    after: StoredResults,
    settings: StatisticsSettings,
    choice: Choice = EVERYTHING,
) -> RevisionDifference:
    """Compare every system with itself on the segments that both revisions have.

    Only the deciding test is run; its p-values are adjusted over the changed systems of one data set and one metric.
    Raises NotComparableError if references or rules differ, or the revisions have nothing in common.
    """
    settings = replace(settings, tests=(settings.deciding_test,))
    matched = match_results(before, after, choice)
    compared = [
        _compare_dataset(before, after, dataset, matched.metrics, settings, choice) for dataset in matched.datasets
    ]
    return RevisionDifference(
        before=before.revision.label,
        after=after.revision.label,
        one_sided=matched.one_sided,
        alpha=settings.alpha,
        confidence=settings.confidence,
        method=_method(settings),
        changes=matched.changes,
        notes=matched.notes,
        datasets=compared,
        names=matched.names,
    )


def _compare_dataset(
    before: StoredResults,
    after: StoredResults,
    matched: MatchedDataset,
    metrics: Sequence[Metric],
    settings: StatisticsSettings,
    choice: Choice,
) -> DatasetDifference:
    dataset, paired = matched.dataset, matched.paired
    matched.require_rows_for(settings, tests=True)
    notes = [*matched.notes, *matched.stale]
    # One set of resamples per system serves all its metrics.
    replicates = {
        system: draw_replicates(segments.shared, changed, settings)
        for system, segments in paired.items()
        if (changed := changed_metrics(segments.shared, metrics))
    }
    differences = [
        difference for metric in metrics for difference in _compare_metric(dataset, metric, paired, replicates)
    ]
    ranked = next((metric for metric in metrics if {"errors", "length"} <= set(metric.columns)), None)
    if matched.is_summed:
        notes.append(
            f"{dataset} is compared by sums over clusters, as Git has them; to see segments, "
            f"{how_to_bring_rows(dataset)}."
        )
        ranked = None
    try:
        movers = find_movers(before, after, dataset, paired, ranked, choice.movers) if ranked else []
    except (MissingDependencyError, RevisionError) as error:
        notes.append(f"the texts of segments that changed are left out: {error}")
        movers = find_movers(None, None, dataset, paired, ranked, choice.movers) if ranked else []
    largest = max(paired.values(), key=lambda pair: pair.segments)
    return DatasetDifference(
        dataset=dataset,
        row="cluster" if matched.is_summed else "segment",
        segments=largest.segments,
        cluster_name=largest.shared.cluster_name,
        clusters=largest.shared.clusters,
        only_before=matched.only_before,
        only_after=matched.only_after,
        systems_before=_systems_alone(before.params, after.params, choice),
        systems_after=_systems_alone(after.params, before.params, choice),
        differences=differences,
        movers=movers,
        movers_metric=ranked.id if ranked else "",
        notes=notes,
    )


def _systems_alone(params: Params, other: Params, choice: Choice) -> list[str]:
    chosen = choice.systems or params.systems
    return [system for system in params.systems if system not in other.systems and system in chosen]


def _compare_metric(
    dataset: str,
    metric: Metric,
    paired: Mapping[str, PairedSegments],
    replicates: Mapping[str, Mapping[str, Replicates]],
) -> list[SystemDifference]:
    """Differences of all systems by one metric; the changed ones are the family of the correction."""
    segments_by_system = {
        system: segments.shared for system, segments in paired.items() if metric.id in segments.shared.counts[AFTER]
    }
    pairs = {
        system: SystemPair(replicates[system][metric.id], BEFORE, AFTER)
        for system, shared in segments_by_system.items()
        if is_changed(shared, metric)
    }
    pairs = {system: pair for system, pair in pairs.items() if not np.isnan(pair.difference)}
    tested = dict(zip(pairs, run_tests(list(pairs.values())), strict=True))
    results = []
    for system, shared in segments_by_system.items():
        before, after = (rate_of(metric, shared.counts[side][metric.id].total) for side in (BEFORE, AFTER))
        make = partial(SystemDifference, dataset=dataset, system=system, metric=metric.id, before=before, after=after)
        if system in tested:
            results.append(_tested(make, compare_pair(tested[system])))
        else:
            difference = None if before is None or after is None else after - before
            results.append(_untested(make, metric, paired[system], difference))
    return results


def _untested(
    make: Callable[..., SystemDifference], metric: Metric, paired: PairedSegments, difference: float | None
) -> SystemDifference:
    """The difference of a system without a change, or without a rate."""
    shared, is_summed = paired.shared, paired.is_summed
    verdict: RevisionVerdict = "unchanged"
    reason = "No sum of a cluster changed." if is_summed else "No segment changed."
    if is_changed(shared, metric):
        verdict, reason = "inconclusive", "The rate is undefined: every reference is empty."
    return make(
        difference=difference,
        verdict=verdict,
        reason=reason,
        same=len(shared.keys),
        can_tell=verdict == "unchanged",
    )


def _tested(make: Callable[..., SystemDifference], pair: PairComparison) -> SystemDifference:
    return make(
        difference=pair.difference,
        interval=pair.interval,
        pvalue=pair.pvalue_raw,
        pvalue_adjusted=pair.pvalue_adjusted,
        verdict=_WORDS[pair.verdict],
        reason=explain_verdict(pair),
        better=pair.better,
        same=pair.same,
        worse=pair.worse,
        can_tell=pair.verdict_reason.can_tell,
    )


def _method(settings: StatisticsSettings) -> str:
    return (
        f"{settings.deciding_test}, {settings.correction} over the changed systems of a data set and metric, "
        f"{settings.interval_used} interval, B = {settings.resamples}, seed {settings.seed}, alpha {settings.alpha:.4g}"
    )
