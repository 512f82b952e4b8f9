"""Provenance of a comparison: its signature, and the facts about its intervals and tests."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from misread.metrics import ErrorRate, Metric
from misread.provenance.signature import Signature
from misread.stats.compare.bootstrap_replicates import draws_normal_sums
from misread.stats.compare.schema import StatisticsFacts
from misread.stats.compare.settings import BY_CLUSTER, Pairs, StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.design.power import POWER
from misread.stats.significance.randomisation import smallest_pvalue
from misread.tally.scores import Scores

_FAMILIES: Mapping[Pairs, str] = {
    "all": "all pairs of {} systems, one metric",
    "baseline": "the baseline against each of {} systems but itself, one metric",
}


class Provenance(NamedTuple):
    """Signatures of a comparison and of its results, and what its intervals and tests were made with."""

    results: Mapping[str, Mapping[str, Signature]]  # by system and metric
    comparison: Signature
    statistics: StatisticsFacts


def sign_comparison(
    dataset: str,
    scores: Mapping[str, Scores],
    metrics: Sequence[Metric],
    shared: SharedSegments,
    settings: StatisticsSettings,
) -> Provenance:
    """Sign a comparison: facts of the texts, which all systems share, of the draws and tests, and of repeated runs."""
    first, systems = next(iter(scores.values())), len(shared.counts)
    runs = {name: _runs(shared, [name], settings) for name in scores}
    # Rules by which error rates align.
    rules = dict.fromkeys(metric.alignment for metric in metrics if isinstance(metric, ErrorRate))
    alternatives = first.origin.facts.alternatives
    texts = {
        "norm": first.normalizer,
        "align": "+".join(rules) or "unit",
        **({"alternatives": alternatives} if alternatives else {}),
    }
    facts = _facts(dataset, first, shared, settings)
    statistics = StatisticsFacts(
        seed=settings.seed,
        confidence=settings.confidence,
        interval=settings.interval_used,
        resamples=settings.resamples,
        second_cluster=settings.second_cluster,
        tests=tuple(settings.tests),
        decided_by=settings.deciding_test,
        alpha=settings.alpha,
        correction=settings.correction,
        pairs=settings.pairs,
        family=_FAMILIES[settings.pairs].format(systems),
        family_size=settings.family_size(systems),
        margin=settings.margin,
        equivalence=settings.equivalence,
        power=POWER,
        unit=shared.resampling_unit,
        units=shared.units,
        smallest_pvalue=smallest_pvalue(shared.units),
        runs=settings.runs,
    )
    results = {
        name: {metric.id: scored.signatures[metric.id].with_facts({**facts, **runs[name]}) for metric in metrics}
        for name, scored in scores.items()
    }
    names = "+".join(metric.id for metric in metrics)
    comparison = Signature.of(names, {**texts, **facts, **_runs(shared, list(scores), settings)})
    return Provenance(results, comparison, statistics)


def _facts(dataset: str, scores: Scores, shared: SharedSegments, settings: StatisticsSettings) -> dict[str, str]:
    """Facts that intervals and tests depend on, besides the rules of the metric.

    McNemar's, Wilcoxon's, t and sign tests use segments even if there are clusters; the size of the family is given
    with the correction.
    """
    segments = ("segment", len(shared.keys))
    resampled = segments if shared.clusters is None else (shared.resampling_unit, shared.clusters)
    unit, size = resampled if settings.deciding_test in BY_CLUSTER else segments
    data = f"{dataset}@{scores.origin.data_digest[:8]}" if scores.origin.data_digest else dataset
    # The deciding test, with its variant if that is not the default.
    variants = {"mcnemar": (settings.mcnemar, "exact"), "wilcoxon": (settings.zero_method, "wilcox")}
    variant, usual = variants.get(settings.deciding_test, ("", ""))
    test = settings.deciding_test if variant == usual else f"{settings.deciding_test}-{variant}"
    facts = {
        "data": data,
        "n": str(len(shared.keys)),
        "missing": scores.missing,
        "test": f"{test}({unit},K={size})",
        "B": str(settings.resamples),
        "draws": "normal sums" if draws_normal_sums(shared, settings) else None,
        "cluster2": settings.second_cluster,
        "ci": f"{settings.interval_used}{settings.confidence * 100:g}",
        "adj": f"{settings.correction}({settings.family_size(len(shared.counts))})",
        "seed": str(settings.seed),
    }
    return {name: value for name, value in facts.items() if value}


def _runs(shared: SharedSegments, systems: Sequence[str], settings: StatisticsSettings) -> dict[str, str]:
    """Number of averaged runs of each system, and whether they are drawn too; empty if all have one."""
    numbers = [len(shared.runs[name].runs) if name in shared.runs else 1 for name in systems]
    if max(numbers) == 1:
        return {}
    return {"runs": f"{'+'.join(map(str, numbers))},{settings.runs}"}
