"""Provenance of a comparison: its signature, and the facts about its intervals and tests."""

from collections.abc import Mapping, Sequence

from misread.metrics import Metric
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


def comparison_signature(metrics: Sequence[Metric], facts: Mapping[str, str]) -> Signature:
    """Signature of the results of several metrics, with facts from `comparison_facts`."""
    return Signature.of("+".join(metric.id for metric in metrics), facts)


def comparison_facts(
    dataset: str, scores: Scores, shared: SharedSegments, settings: StatisticsSettings
) -> dict[str, str]:
    """Facts that intervals and tests depend on, besides the rules of the metric.

    `scores` may be of any system, since all share the rules. McNemar's, Wilcoxon's, t and sign tests use segments even
    if there are clusters; the size of the family is given with the correction.
    """
    systems = len(shared.counts)
    segments = ("segment", len(shared.keys))
    resampled = segments if shared.clusters is None else (shared.resampling_unit, shared.clusters)
    unit, size = resampled if settings.deciding_test in BY_CLUSTER else segments
    data = f"{dataset}@{scores.origin.data_digest[:8]}" if scores.origin.data_digest else dataset
    return {
        "data": data,
        "n": str(len(shared.keys)),
        "missing": scores.missing,
        "test": f"{_test(settings)}({unit},K={size})",
        "B": str(settings.resamples),
        **_drawn(shared, settings),
        "ci": f"{settings.interval_used}{settings.confidence * 100:g}",
        "adj": f"{settings.correction}({settings.family_size(systems)})",
        "seed": str(settings.seed),
    }


def run_facts(shared: SharedSegments, systems: Sequence[str], settings: StatisticsSettings) -> dict[str, str]:
    """Number of averaged runs of each system, and whether they are drawn too; empty if all have one."""
    numbers = [len(shared.runs[name].runs) if name in shared.runs else 1 for name in systems]
    if max(numbers) == 1:
        return {}
    return {"runs": f"{'+'.join(map(str, numbers))},{settings.runs}"}


def statistics_facts(settings: StatisticsSettings, shared: SharedSegments) -> StatisticsFacts:
    """Facts about the intervals and tests of a comparison."""
    systems = len(shared.counts)
    return StatisticsFacts(
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


def _test(settings: StatisticsSettings) -> str:
    """The deciding test, with its variant if that is not the default."""
    variants = {"mcnemar": (settings.mcnemar, "exact"), "wilcoxon": (settings.zero_method, "wilcox")}
    variant, usual = variants.get(settings.deciding_test, ("", ""))
    return settings.deciding_test if variant == usual else f"{settings.deciding_test}-{variant}"


def _drawn(shared: SharedSegments, settings: StatisticsSettings) -> dict[str, str]:
    """How units are drawn, if not simply with replacement."""
    facts = {
        "draws": "normal sums" if draws_normal_sums(shared, settings) else None,
        "cluster2": settings.second_cluster,
    }
    return {name: value for name, value in facts.items() if value}
