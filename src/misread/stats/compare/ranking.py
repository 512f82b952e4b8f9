"""Ranking of the systems: rank, probability of being first, compact letters, average ranks over clusters or sets."""

from collections.abc import Collection, Iterator, Sequence
from itertools import count
from string import ascii_lowercase

import numpy as np

from misread.metrics import Direction, Metric
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.schema import AverageRanks, DatasetResult, Rank
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.system_pair import SystemPair
from misread.stats.results import TOLERANCE
from misread.stats.significance.friedman import friedman_test, nemenyi_test
from misread.types import FloatArray

FEWEST_SYSTEMS = 3
FEWEST_BLOCKS = 2
FEWEST_DATASETS = 3


def average_ranks(
    shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings
) -> dict[str, AverageRanks]:
    """Average ranks over clusters by metric, if they are asked for and there is enough to compare them."""
    metrics = metrics if settings.nemenyi else ()
    ranks = {metric.id: rank_over_clusters(shared, metric, alpha=settings.alpha) for metric in metrics}
    return {metric: average for metric, average in ranks.items() if average is not None}


def rank_over_clusters(shared: SharedSegments, metric: Metric, *, alpha: float) -> AverageRanks | None:
    """Rank the systems on every cluster and compare their average ranks; Demšar (2006), section 3.2.

    Clusters are the blocks, because their segments are not independent. None without clusters, with fewer than three
    systems, or if fewer than two clusters have a rate of every system.
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

    None with fewer than three systems or data sets. The level of the test is that of the first data set.
    """
    rates = [{name: metrics[metric].micro for name, metrics in result.systems.items()} for result in results]
    systems = [
        name
        for name in (rates[0] if rates else ())
        if all(rates_by_system.get(name) is not None for rates_by_system in rates)
    ]
    if len(results) < FEWEST_DATASETS or len(systems) < FEWEST_SYSTEMS:
        return None
    table = np.array([[rates_by_system[name] for name in systems] for rates_by_system in rates], dtype=np.float64)
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


def assign_letters(systems: Sequence[str], different: Collection[frozenset[str]]) -> dict[str, str]:
    """Letters by system, best first: two systems share a letter if and only if they do not differ significantly.

    Insert and absorb: start with one letter for all systems. For every pair that differs, split each letter that both
    have into one without the first and one without the second, and drop letters whose systems all share another letter.
    Piepho (2004), An algorithm for a letter-based representation of all-pairwise comparisons.
    """
    columns = [frozenset(systems)]
    for pair in sorted(different, key=sorted):
        split = [column - {system} for column in columns if pair <= column for system in sorted(pair)]
        columns = _absorb([column for column in columns if not pair <= column] + split)
    order = {system: position for position, system in enumerate(systems)}
    columns.sort(key=lambda column: sorted(order[system] for system in column))
    letters = dict(zip(columns, _letters(), strict=False))
    return {system: "".join(letters[column] for column in columns if system in column) for system in systems}


def _absorb(columns: list[frozenset[str]]) -> list[frozenset[str]]:
    """Drop columns that are subsets of another column."""
    distinct = list(dict.fromkeys(columns))
    return [column for column in distinct if not any(column < other for other in distinct)]


def _letters() -> Iterator[str]:
    yield from ascii_lowercase
    for number in count(2):
        yield from (f"{letter}{number}" for letter in ascii_lowercase)


def rank_systems(replicates: Replicates, tested: Sequence[SystemPair]) -> dict[str, Rank]:
    """Rank the systems by the rate of the whole sample.

    Best first, ties in the order of the configuration; systems without a rate are left out.
    """
    metric, counts_by_system = replicates.metric, replicates.shared.counts
    sign = 1 if metric.direction is Direction.LOWER_IS_BETTER else -1
    rates = {name: sign * float(metric.rate(counts[metric.id].total)) for name, counts in counts_by_system.items()}
    ranked = sorted((name for name, rate in rates.items() if not np.isnan(rate)), key=rates.__getitem__)
    first: dict[str, float]
    if replicates.reason:
        first = {}
    elif len(ranked) < 2:
        first = dict.fromkeys(ranked, 1.0)
    else:
        samples = np.stack([sign * replicates.rates[name] for name in ranked])
        best = samples <= samples.min(axis=0) + TOLERANCE
        first = dict(zip(ranked, (best / best.sum(axis=0)).mean(axis=1).tolist(), strict=True))
    complete = len(tested) == len(ranked) * (len(ranked) - 1) // 2
    different = [frozenset((pair.baseline, pair.system)) for pair in tested if pair.is_significant]
    letters = assign_letters(ranked, different) if complete else {}
    return {
        name: Rank(
            rank=1 + sum(rates[other] < rates[name] - TOLERANCE for other in ranked),
            first=first.get(name),
            letters=letters.get(name),
        )
        for name in ranked
    }
