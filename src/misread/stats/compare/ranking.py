"""Ranking of the systems: rank, probability of being first, compact letters."""

from collections.abc import Sequence

import numpy as np

from misread.metrics import Direction, Metric
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.compact_letters import assign_letters
from misread.stats.compare.schema import Rank
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.tested_pairs import TestedPair
from misread.stats.rounding import TOLERANCE


def rank_systems(
    shared: SharedSegments, metric: Metric, replicates: Replicates, tested: Sequence[TestedPair]
) -> dict[str, Rank]:
    """Rank the systems by the rate of the whole sample.

    Best first, equal ones in the order of the configuration; systems without a rate are left out.
    """
    sign = 1 if metric.direction is Direction.LOWER_IS_BETTER else -1
    rates = {name: sign * float(metric.rate(counts[metric.id].total)) for name, counts in shared.counts.items()}
    ranked = sorted((name for name, rate in rates.items() if not np.isnan(rate)), key=rates.__getitem__)
    first = _first(ranked, replicates, sign)
    complete = len(tested) == len(ranked) * (len(ranked) - 1) // 2
    different = [frozenset((of.pair.baseline, of.pair.system)) for of in tested if of.is_significant]
    letters = assign_letters(ranked, different) if complete else {}
    return {
        name: Rank(
            rank=1 + sum(rates[other] < rates[name] - TOLERANCE for other in ranked),
            first=first.get(name),
            letters=letters.get(name),
        )
        for name in ranked
    }


def _first(ranked: list[str], replicates: Replicates, sign: int) -> dict[str, float]:
    if not ranked or replicates.reason:
        return {}
    rates = np.stack([sign * replicates.rates[name] for name in ranked])
    best = rates <= rates.min(axis=0) + TOLERANCE
    shares = (best / best.sum(axis=0)).mean(axis=1)
    return dict(zip(ranked, shares.tolist(), strict=True))
