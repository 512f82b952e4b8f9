"""Average ranks of systems over clusters or data sets: Friedman's test, and Nemenyi's for all pairs."""

from collections.abc import Sequence

import numpy as np

from misread.metrics import Direction, Metric
from misread.stats.compare.schema import AverageRanks, DatasetResult
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.significance.friedman import friedman_test
from misread.stats.significance.nemenyi import nemenyi_test
from misread.types import FloatArray

FEWEST_SYSTEMS = 3
FEWEST_BLOCKS = 2
FEWEST_DATASETS = 3


def rank_over_clusters(shared: SharedSegments, metric: Metric, *, alpha: float) -> AverageRanks | None:
    """Rank the systems on every cluster and compare their average ranks; Demšar (2006), section 3.2.

    Clusters are the blocks, as segments within one are not independent. None without clusters, with fewer than three
    systems, or where fewer than two clusters have a rate of all.
    """
    if shared.cluster_codes is None or len(shared.counts) < FEWEST_SYSTEMS:
        return None
    rates = np.stack(
        [metric.rate(shared.unit_counts(system, metric.id)) for system in shared.counts],
        axis=-1,
    )
    defined = rates[np.isfinite(rates).all(axis=1)]
    if len(defined) < FEWEST_BLOCKS:
        return None
    return _rank(rates, defined, list(shared.counts), metric.direction, block=shared.cluster_name, alpha=alpha)


def rank_over_datasets(results: Sequence[DatasetResult], metric: str) -> AverageRanks | None:
    """Rank the systems that have a rate on every data set, and compare their average ranks; Demšar (2006), section 3.2.

    None with fewer than three systems or data sets. The level is that of the first data set.
    """
    rates = [{name: of[metric].micro for name, of in result.systems.items()} for result in results]
    systems = [name for name in (rates[0] if rates else ()) if all(of.get(name) is not None for of in rates)]
    if len(results) < FEWEST_DATASETS or len(systems) < FEWEST_SYSTEMS:
        return None
    table = np.array([[of[name] for name in systems] for of in rates], dtype=np.float64)
    direction = results[0].first_system[metric].direction
    return _rank(table, table, systems, direction, block="data set", alpha=results[0].statistics.alpha)


def _rank(
    rates: FloatArray, defined: FloatArray, systems: Sequence[str], direction: Direction, *, block: str, alpha: float
) -> AverageRanks:
    return AverageRanks(
        friedman=friedman_test(defined, unit=block),
        nemenyi=nemenyi_test(defined, systems, direction=direction, alpha=alpha),
        dropped=len(rates) - len(defined),
    )
