"""The line that identifies a whole comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from misread.metrics import Metric
from misread.provenance.signature import Signature
from misread.records import Scores
from misread.stats.compare.draws import random_groups
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments


def comparison_signature(metrics: Sequence[Metric], facts: Mapping[str, str]) -> str:
    """Signature of the results of several metrics, with facts as `comparison_facts` gives them."""
    return str(Signature.of("+".join(metric.id for metric in metrics), facts))


def comparison_facts(
    dataset: str, scores: Scores, shared: SharedSegments, settings: StatisticsSettings
) -> dict[str, str]:
    """What intervals and tests depend on besides the rules of the metric.

    `scores` are those of any of the systems, which share the rules. McNemar's, Wilcoxon's, t and sign tests go by
    segment even where there are clusters; the size of the family stands beside the correction.
    """
    systems = len(shared.counts)
    segments = ("segment", len(shared.keys))
    resampled = segments if shared.clusters is None else (shared.resampling_unit, shared.clusters)
    unit, size = resampled if settings.decide_by in ("bootstrap", "randomisation") else segments
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


def _test(settings: StatisticsSettings) -> str:
    """The deciding test, with its variant where it is not the usual one."""
    variants = {"mcnemar": (settings.mcnemar, "exact"), "wilcoxon": (settings.zeros, "wilcox")}
    variant, usual = variants.get(settings.decide_by, ("", ""))
    return settings.decide_by if variant == usual else f"{settings.decide_by}-{variant}"


def _drawn(shared: SharedSegments, settings: StatisticsSettings) -> dict[str, str]:
    """How units are drawn, where it is not simply each with replacement."""
    groups = random_groups(shared, settings)
    draws = "Poisson weights" if settings.bootstrap == "poisson" else f"{groups} random groups" if groups else None
    named = {"draws": draws, "cluster2": settings.second_cluster, "strata": settings.strata}
    return {name: value for name, value in named.items() if value}
