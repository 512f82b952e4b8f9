"""Runs of segments whose outputs are all equally far from their references."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from misread.pairing.better_references import HALF, BetterReferences, PairedSides
from misread.types import BoolArray, IntArray

_FEWEST: Final = 3  # segments of a run
_ENOUGH, _TELLING = 10, 5  # outputs that show a run together, and how many of them one is that tells by itself
_MOST: Final = 0.6  # of the segments of a run have half of the errors at most
_MOST_OFFSETS: Final = 3
_NEARBY, _GAPS = 50, 5  # rows, or mean gaps, between outputs of a run at most
_COST_OF_CHANGE: Final = 20  # wrong characters that an end of a run has to save


@dataclass(frozen=True, slots=True)
class Shift:
    """A run of outputs whose references are `offset` rows further down."""

    rows: IntArray
    offset: int


def find_shifts(sides: PairedSides, better: BetterReferences) -> list[Shift]:
    """Find runs in which most outputs fit at a constant offset, by a best path through all segments.

    Outputs that are too short to tell belong to the run around them.
    """
    support: dict[int, dict[int, int]] = {}
    for row, other, is_telling in zip(
        better.rows.tolist(), better.others.tolist(), better.is_telling.tolist(), strict=True
    ):
        support.setdefault(other - row, {})[row] = _TELLING if is_telling else 1
    # In large sets few outputs have one distance by chance, and these are far apart.
    nearby = max(_NEARBY, _GAPS * len(sides) // max(1, len(better.rows)))
    totals = Counter(
        {
            offset: sum(
                weight
                for (row, weight), before in zip([*rows.items()][1:], rows, strict=False)
                if row - before <= nearby
            )
            for offset, rows in support.items()
        }
    )
    offsets = [offset for offset, total in totals.most_common(_MOST_OFFSETS) if total >= _ENOUGH - _TELLING]
    if not offsets:
        return []
    everything = np.arange(len(sides))
    costs = [sides.measure(everything, everything)]
    for offset in offsets:
        others = everything + offset
        inside = (others >= 0) & (others < len(sides))
        cost = np.full(len(sides), np.iinfo(np.int32).max, np.int64)
        cost[inside] = sides.measure(everything[inside], others[inside])
        costs.append(cost)
    # An output that fits its own reference better, or a third one, belongs to no run.
    fewest_errors = costs[0].copy()
    fewest_errors[better.rows[better.is_telling]] = better.errors_with_other[better.is_telling]
    states = _best_path(costs)
    shifts = []
    for state, offset in enumerate(offsets, start=1):
        fits = costs[state] <= HALF * costs[0]
        for run in _runs(states == state):
            # At its ends a run may have outputs that fit neither.
            fitting = np.flatnonzero(fits[run])
            rows = run[fitting[0] : fitting[-1] + 1] if len(fitting) else run[:0]
            rows = rows[costs[state][rows] <= fewest_errors[rows]]
            supported = sum(support[offset].get(row, 0) for row in rows.tolist())
            if len(rows) >= _FEWEST and supported >= _ENOUGH and np.mean(fits[rows]) >= _MOST:
                shifts.append(Shift(rows, offset))
    return shifts


def _best_path(costs: list[IntArray]) -> IntArray:
    """For each segment the pairing (0: as it is) such that errors and changes between pairings cost least."""
    totals = [0] * len(costs)
    steps = []
    for at_segment in zip(*(cost.tolist() for cost in costs), strict=True):
        cheapest = min(range(len(totals)), key=totals.__getitem__)
        change = totals[cheapest] + _COST_OF_CHANGE
        step = [state if total <= change else cheapest for state, total in enumerate(totals)]
        totals = [min(total, change) + cost for total, cost in zip(totals, at_segment, strict=True)]
        steps.append(step)
    states = np.zeros(len(steps), np.int64)
    state = min(range(len(totals)), key=totals.__getitem__)
    for row in range(len(steps) - 1, -1, -1):
        states[row] = state
        state = steps[row][state]
    return states


def _runs(flags: BoolArray) -> list[IntArray]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [np.arange(start, end) for start, end in edges.reshape(-1, 2).tolist()]
