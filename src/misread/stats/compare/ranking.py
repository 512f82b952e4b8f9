"""Ranking of the systems: rank with its interval, probability of being first, compact letters."""

from collections.abc import Collection, Iterator, Sequence
from itertools import count
from string import ascii_lowercase

import numpy as np

from misread.metrics import Direction
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.schema import Rank
from misread.stats.compare.system_pair import SystemPair
from misread.stats.results import TOLERANCE


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
    different = {frozenset((pair.baseline, pair.system)) for pair in tested if pair.is_significant}
    letters = assign_letters(ranked, different) if complete else {}

    def count_apart(name: str, sign: int) -> int:
        """Systems significantly better (1) or worse (-1) than one."""
        return sum(
            frozenset((name, other)) in different and sign * (rates[name] - rates[other]) > 0 for other in ranked
        )

    return {
        name: Rank(
            rank=1 + sum(rates[other] < rates[name] - TOLERANCE for other in ranked),
            first=first.get(name),
            letters=letters.get(name),
            highest=1 + count_apart(name, 1) if complete else None,
            lowest=len(ranked) - count_apart(name, -1) if complete else None,
        )
        for name in ranked
    }
