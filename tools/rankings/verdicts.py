"""What the counts of a set say: rates with intervals by cluster, pairs, and groups that no test tells apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from misread.stats import adjust, randomisation_test, ratio_interval
from misread.stats.significance.randomisation import sign_flip
from misread.types import FloatArray, IntArray
from tools.rankings.counts import Counted, Key

ALPHA: Final = 0.05
_BILLION: Final = 1_000_000_000
_RESAMPLES: Final = 9999


@dataclass(frozen=True)
class Table:
    """All systems by one rate, the best one first; rates and intervals are in per cent.

    `pvalues` are those of all pairs, adjusted together by Holm's method.
    """

    rates: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float] | None]
    pvalues: Mapping[frozenset[str], float]

    @property
    def order(self) -> list[str]:
        """Systems, the best one first."""
        return [*self.rates]

    def differ(self, first: str, second: str) -> bool:
        """Whether two systems differ significantly."""
        return self.pvalues[frozenset((first, second))] < ALPHA

    @property
    def groups(self) -> list[list[str]]:
        """Longest runs of neighbours in the order of which no pair differs; those within another one are left out."""
        groups: list[list[str]] = []
        for start in range(len(self.order)):
            group = self.order[start : start + 1]
            for system in self.order[start + 1 :]:
                if any(self.differ(member, system) for member in group):
                    break
                group.append(system)
            if not groups or not {*group} <= {*groups[-1]}:
                groups.append(group)
        return groups


def tabulate(key: Key, counted: Counted) -> Table:
    """Rates, intervals and tests of one key; exchanged are the counts of whole clusters."""
    scale = 100 / (_BILLION if key.average == "segments" else 1)
    totals = {system: values.sum(axis=0) for system, values in counted.systems.items()}
    rates = {system: scale * float(total[0] / total[1]) for system, total in totals.items()}
    order = sorted(rates, key=lambda system: rates[system])
    intervals = {}
    for system in order:
        interval = ratio_interval(*counted.systems[system].T, counted.clusters, 0.95)
        intervals[system] = interval and (scale * interval.low, scale * interval.high)
    pairs = list(combinations(order, 2))
    pvalues = adjust([_test(counted.systems[a], counted.systems[b]) for a, b in pairs], method="holm")
    return Table(
        {system: rates[system] for system in order},
        intervals,
        {frozenset(pair): float(pvalue) for pair, pvalue in zip(pairs, pvalues, strict=True)},
    )


def _test(first: IntArray, second: IntArray) -> float:
    """Exchange whole clusters; exact where lengths are equal, which they are unless readings are chosen."""
    if np.array_equal(first[:, 1], second[:, 1]):
        length = int(first[:, 1].sum())
        differences = second[:, 0] - first[:, 0]
        return sign_flip(differences, length=length, resamples=_RESAMPLES, seed=1, alpha=ALPHA, unit="cluster").pvalue
    return randomisation_test(first, second, _rate, resamples=_RESAMPLES, seed=1, alpha=ALPHA, unit="cluster").pvalue


def _rate(counts: IntArray) -> FloatArray:
    rates: FloatArray = counts[..., 0] / counts[..., 1]
    return rates


def agrees(order: Sequence[str], published: Mapping[str, str]) -> bool:
    """Whether the systems that were published are in that order."""
    return [system for system in order if system in published] == sorted(
        published, key=lambda name: float(published[name])
    )
