"""What intervals and tests were made of, as JSON: a reader needs no configuration to understand a result."""

from __future__ import annotations

from misread.stats.comparison import StatisticsFacts
from misread.stats.draws import random_groups
from misread.stats.power import POWER
from misread.stats.randomisation import smallest_pvalue
from misread.stats.settings import Statistics
from misread.stats.shared_segments import SharedSegments


def statistics_facts(settings: Statistics, shared: SharedSegments) -> StatisticsFacts:
    """List what a comparison was made with.

    Parameters
    ----------
    settings : Statistics
        As configured.
    shared : SharedSegments
        The segments compared.

    Returns
    -------
    StatisticsFacts
    """
    systems = len(shared.counts)
    return {
        "seed": settings.seed,
        "confidence": settings.confidence,
        "interval": settings.interval,
        "resamples": settings.resamples,
        "bootstrap": settings.bootstrap,
        "random_groups": random_groups(shared, settings),
        "second_cluster": settings.second_cluster,
        "strata": settings.strata,
        "tests": list(settings.tests),
        "decided_by": settings.decide_by,
        "alpha": settings.alpha,
        "correction": settings.correction,
        "family": f"all pairs of {systems} systems, one metric",
        "family_size": systems * (systems - 1) // 2,
        "margin": settings.margin,
        "power": POWER,
        "unit": shared.resampling_unit,
        "units": shared.units,
        "smallest_pvalue": smallest_pvalue(shared.units),
    }
