"""Facts about intervals and tests for JSON: a result can be understood without its configuration."""

from __future__ import annotations

from collections.abc import Mapping

from misread.stats.compare.draws import random_groups
from misread.stats.compare.schema import StatisticsFacts
from misread.stats.compare.settings import Pairs, StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.planning.power import POWER
from misread.stats.significance.randomisation import smallest_pvalue

_FAMILIES: Mapping[Pairs, str] = {
    "all": "all pairs of {} systems, one metric",
    "baseline": "the baseline against each of {} systems but itself, one metric",
}


def statistics_facts(settings: StatisticsSettings, shared: SharedSegments) -> StatisticsFacts:
    """What intervals and tests of a comparison were made with."""
    systems = len(shared.counts)
    return {
        "seed": settings.seed,
        "confidence": settings.confidence,
        "interval": settings.interval_used,
        "resamples": settings.resamples,
        "bootstrap": settings.bootstrap,
        "random_groups": random_groups(shared, settings),
        "second_cluster": settings.second_cluster,
        "strata": settings.strata,
        "tests": list(settings.tests),
        "decided_by": settings.decide_by,
        "alpha": settings.alpha,
        "correction": settings.correction,
        "pairs": settings.pairs,
        "family": _FAMILIES[settings.pairs].format(systems),
        "family_size": settings.family_size(systems),
        "margin": settings.margin,
        "equivalence": settings.equivalence,
        "power": POWER,
        "unit": shared.resampling_unit,
        "units": shared.units,
        "smallest_pvalue": smallest_pvalue(shared.units),
    }
