"""Runs of one system put together: counts summed over them, and what was confused in any of them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from misread.records import Confusion, Confusions, ConfusionTable, Counts, NormalizedTexts, RunCounts, Scores


def sum_scores(runs: Sequence[Scores], texts: NormalizedTexts, rows: Sequence[int]) -> Scores:
    """Scores of several runs on the same segments, the `rows` of the texts: the mean of the runs once it is a rate."""
    first = runs[0]
    counts = {metric: np.stack([of.counts[metric].values for of in runs]) for metric in first.counts}
    hypotheses = [of.raw.hypotheses for of in (texts, *texts.further_runs)]
    same = [len({of[row] for of in hypotheses}) == 1 for row in rows]
    return replace(
        first,
        origin=replace(first.origin, notes=tuple(dict.fromkeys(chain.from_iterable(of.origin.notes for of in runs)))),
        counts={metric: Counts(first.counts[metric].columns, of.sum(axis=0)) for metric, of in counts.items()},
        # Segments of the worst run: the same ones may be concerned in all.
        invisible={
            kind: max(of.invisible.get(kind, 0) for of in runs)
            for kind in dict.fromkeys(chain.from_iterable(of.invisible for of in runs))
        },
        runs=RunCounts([of.run for of in (texts, *texts.further_runs)], counts, np.array(same, np.bool_)),
    )


def sum_confusions(tables: Sequence[ConfusionTable]) -> ConfusionTable:
    """Confusions of all runs, most frequent first; equal ones in the order in which they first occur."""
    first = tables[0]
    return replace(
        first,
        confusions={kind: _sum([of.confusions[kind] for of in tables]) for kind in first.confusions},
        facts={
            kind: {**facts, **{name: sum(int(of.facts[kind][name]) for of in tables) for name in ("errors", "length")}}
            for kind, facts in first.facts.items()
        },
        reference_units={
            kind: {unit: number * len(tables) for unit, number in units.items()}
            for kind, units in first.reference_units.items()
        },
    )


def _sum(lists: Sequence[Confusions]) -> Confusions:
    totals: dict[tuple[str, str], int] = {}
    for each in chain.from_iterable(lists):
        key = (each.reference, each.hypothesis)
        totals[key] = totals.get(key, 0) + each.count
    ordered = sorted((Confusion(*key, count) for key, count in totals.items()), key=lambda each: -each.count)
    return Confusions(
        [each.reference for each in ordered], [each.hypothesis for each in ordered], [each.count for each in ordered]
    )
