"""Ranks of systems over clusters or data sets: Friedman's test, and Nemenyi's of all pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from misread.arrays import FloatArray
from misread.metrics import Direction, Metric
from misread.stats.comparison import BlockRanks, DatasetResult
from misread.stats.friedman import friedman
from misread.stats.nemenyi import nemenyi
from misread.stats.resampling import cluster_rows
from misread.stats.shared_segments import SharedSegments

FEWEST_SYSTEMS = FEWEST_BLOCKS = 3


def rank_over_clusters(shared: SharedSegments, metric: Metric, *, alpha: float) -> BlockRanks | None:
    """Rank the systems in every cluster of a data set.

    Parameters
    ----------
    shared : SharedSegments
        Counts of all systems.
    metric : Metric
        What they are ranked by.
    alpha : float
        Level of all pairs together.

    Returns
    -------
    BlockRanks or None
        None with fewer than three systems, or fewer than three clusters in which all of them have a rate.
    """
    if shared.cluster_codes is None:
        return None
    rates = np.stack(
        [metric.rate(cluster_rows(counts[metric.id], shared.cluster_codes)) for counts in shared.counts.values()],
        axis=-1,
    )
    return _rank(rates, list(shared.counts), metric.direction, unit=shared.cluster_name, alpha=alpha)


def rank_over_datasets(results: Sequence[DatasetResult], metric: str, *, alpha: float) -> BlockRanks | None:
    """Rank the systems on every data set.

    Parameters
    ----------
    results : sequence of DatasetResult
        One a data set.
    metric : str
        Id of the metric.
    alpha : float
        Level of all pairs together.

    Returns
    -------
    BlockRanks or None
        Of the systems that have a rate on all data sets; None where these are fewer than three, or the data sets are.

    References
    ----------
    Demšar (2006), Statistical comparisons of classifiers over multiple data sets.
    """
    micro = [{name: of[metric]["micro"] for name, of in result["systems"].items()} for result in results]
    systems = [name for name in (micro[0] if micro else ()) if all(of.get(name) is not None for of in micro)]
    if len(systems) < FEWEST_SYSTEMS:
        return None
    rates = np.array([[of[name] for name in systems] for of in micro], dtype=np.float64)
    direction = Direction(results[0]["systems"][systems[0]][metric]["direction"])
    return _rank(rates, systems, direction, unit="data set", alpha=alpha)


def _rank(
    rates: FloatArray, systems: Sequence[str], direction: Direction, *, unit: str, alpha: float
) -> BlockRanks | None:
    complete = rates[np.isfinite(rates).all(axis=1)]
    blocks, number = complete.shape
    if number < FEWEST_SYSTEMS or blocks < FEWEST_BLOCKS:
        return None
    test, ranks = friedman(complete, unit=unit), nemenyi(complete, systems, direction=direction, alpha=alpha)
    return {
        "unit": unit,
        "blocks": blocks,
        "left_out": len(rates) - blocks,
        "friedman": test.to_dict(),
        "average_ranks": dict(ranks.average_ranks),
        "critical_difference": ranks.critical_difference,
        "alpha": alpha,
        "separated": [list(pair) for pair in ranks.separated],
    }
