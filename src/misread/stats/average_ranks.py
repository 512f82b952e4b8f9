"""Average ranks of systems over clusters: Friedman's test, and Nemenyi's for all pairs."""

from __future__ import annotations

from typing import cast

import numpy as np

from misread.metrics import Metric
from misread.stats.comparison import NemenyiPair, RanksResult
from misread.stats.friedman import friedman
from misread.stats.nemenyi import nemenyi
from misread.stats.resampling import cluster_rows
from misread.stats.shared_segments import SharedSegments

FEWEST_SYSTEMS = 3
FEWEST_BLOCKS = 2


def rank_over_clusters(shared: SharedSegments, metric: Metric, *, alpha: float) -> RanksResult | None:
    """Rank the systems on every cluster and compare their average ranks.

    Parameters
    ----------
    shared : SharedSegments
        Counts of all systems; clusters are the blocks, as segments of one of them are no independent ones.
    metric : Metric
        Whose rates are ranked.
    alpha : float
        Level of all pairs together.

    Returns
    -------
    RanksResult or None
        None without clusters, with fewer than three systems, or where fewer than two clusters have a rate of all.

    References
    ----------
    Demšar (2006), Statistical comparisons of classifiers over multiple data sets, section 3.2.
    """
    if shared.cluster_codes is None or len(shared.counts) < FEWEST_SYSTEMS:
        return None
    rates = np.stack(
        [metric.rate(cluster_rows(of[metric.id], shared.cluster_codes)) for of in shared.counts.values()], axis=-1
    )
    defined = rates[np.isfinite(rates).all(axis=1)]
    if len(defined) < FEWEST_BLOCKS:
        return None
    found = nemenyi(defined, list(shared.counts), direction=metric.direction, alpha=alpha)
    return {
        "friedman": friedman(defined, unit=shared.cluster_name).to_dict(),
        "average_ranks": dict(found.average_ranks),
        "critical_difference": found.critical_difference,
        "alpha": alpha,
        "blocks": found.blocks,
        "dropped": len(rates) - len(defined),
        "block": shared.cluster_name,
        "pairs": cast("list[NemenyiPair]", found.to_dict()["pairs"]),
    }
