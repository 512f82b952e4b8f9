"""Alignment rules other than unit costs, as weights that hold the cost of an operation and the rule for ties.

Each takes the counts with unit costs, which bound how far from the diagonal its alignment can be.
"""

from typing import Final, Literal

import numpy as np

from misread.alignment.encode.texts import EncodedPairs
from misread.alignment.kernels import weighted
from misread.alignment.kernels.pairs import Bytes, close_gaps, make_room
from misread.alignment.kernels.weighted import Weighting
from misread.compiled.budget import ALIGNING, loaded_above
from misread.errors import InputTextError, TooDifferentError
from misread.io.checks.choices import check_choice
from misread.types import IntArray

AlignmentPolicy = Literal["unit", "sclite", "transpositions"]

# What Python takes where the kernels are not compiled.
_CELL_SECONDS: Final = 2e-6
_UNIT_SECONDS: Final = 1e-6
_PAIR_SECONDS: Final = 5e-5

MOST_CELLS: Final = 10**11
"""Cells of the band above which a pair is refused: some minutes, as a cell costs a hundred times as much as with unit
costs. Books of half a million words may differ in a tenth."""


_SCLITE_COST: Final = 34
SCLITE: Final = Weighting(
    (0, 4 << _SCLITE_COST, 3 << _SCLITE_COST, (3 << _SCLITE_COST) + 1, weighted.NEVER), shift=32, strip_prefix=False
)
"""Bits from 34: cost; 32 and 33: operation; below: deletions. So the operation decides where costs tie."""

_SWAP_COST: Final = 42
_SWAP_DELETIONS: Final = 22
_SWAP_SUBSTITUTIONS: Final = 2
_SWAP_FIELD: Final = (1 << 20) - 1
TRANSPOSITIONS: Final = Weighting(
    (
        0,
        (1 << _SWAP_COST) + (1 << _SWAP_SUBSTITUTIONS),
        1 << _SWAP_COST,
        (1 << _SWAP_COST) + (1 << _SWAP_DELETIONS),
        1 << _SWAP_COST,
    ),
    shift=0,
    strip_prefix=True,
)
"""Bits from 42: cost; 22 to 41: deletions; 2 to 21: substitutions; 0 and 1: operation."""


def check_alignment(alignment: str) -> None:
    """Raise UnknownNameError if there is no such alignment."""
    check_choice("alignment", alignment, AlignmentPolicy)


def count_sclite(pairs: EncodedPairs, unit_counts: IntArray) -> IntArray:
    """Hits, substitutions, deletions and insertions of sclite's alignment, shape (4, pairs) as `unit_counts`."""
    sums = weigh_pairs(pairs, _sclite_budgets(unit_counts), SCLITE)
    deletions = sums & 0xFFFFFFFF
    insertions = deletions - count_excess(pairs)
    substitutions = ((sums >> _SCLITE_COST) - 3 * (deletions + insertions)) // 4
    hits = pairs.references.lengths - substitutions - deletions
    return np.stack([hits, substitutions, deletions, insertions])


def count_with_transpositions(pairs: EncodedPairs, unit_counts: IntArray) -> tuple[IntArray, IntArray]:
    """Counts of an optimal string alignment as in `count_sclite`, and transpositions, shape (pairs,).

    Raises InputTextError if a text has more units than fit the bits of a weight; names the side and the index.
    """
    _check_room(pairs)
    sums = weigh_pairs(pairs, _errors(unit_counts), TRANSPOSITIONS)
    deletions = sums >> _SWAP_DELETIONS & _SWAP_FIELD
    substitutions = sums >> _SWAP_SUBSTITUTIONS & _SWAP_FIELD
    insertions = deletions - count_excess(pairs)
    transpositions = (sums >> _SWAP_COST) - substitutions - deletions - insertions
    hits = pairs.references.lengths - substitutions - deletions - 2 * transpositions
    return np.stack([hits, substitutions, deletions, insertions]), transpositions


def find_weighted_operations(
    pairs: EncodedPairs, unit_counts: IntArray, policy: Literal["sclite", "transpositions"]
) -> tuple[Bytes, IntArray]:
    """Operations as numbers of `kinds`, pair after pair, and the number of operations of each pair.

    Raises as the functions that count.
    """
    if policy == "transpositions":
        _check_room(pairs)
    weighting, budgets = (
        (SCLITE, _sclite_budgets(unit_counts)) if policy == "sclite" else (TRANSPOSITIONS, _errors(unit_counts))
    )
    _check_work(pairs, budgets)
    ends = make_room(pairs.sides)
    room = np.empty(ends[-1] if ends.size else 0, np.uint8)
    with loaded_above(ALIGNING, _estimate_seconds(pairs, budgets)):
        lengths = weighted.write_paths(pairs.wide_sides, budgets, weighting, room, ends)
        return close_gaps(room, ends, lengths), lengths


def weigh_pairs(pairs: EncodedPairs, budgets: IntArray, weighting: Weighting) -> IntArray:
    """Least sum of weights of every pair; TooDifferentError names the first pair that takes more than `MOST_CELLS`."""
    _check_work(pairs, budgets)
    with loaded_above(ALIGNING, _estimate_seconds(pairs, budgets)):
        return weighted.weigh_pairs(pairs.wide_sides, budgets, weighting)


def count_excess(pairs: EncodedPairs) -> IntArray:
    """Count the units by which the reference is longer than the hypothesis: deletions less insertions."""
    return pairs.references.lengths - pairs.hypotheses.lengths


def _errors(unit_counts: IntArray) -> IntArray:
    errors: IntArray = unit_counts[1:].sum(axis=0)
    return errors


def _sclite_budgets(unit_counts: IntArray) -> IntArray:
    """Upper bound of deletions and insertions of an alignment that costs no more than the one with unit costs."""
    budgets: IntArray = (4 * unit_counts[1] + 3 * (unit_counts[2] + unit_counts[3])) // 3
    return budgets


def _estimate_seconds(pairs: EncodedPairs, budgets: IntArray) -> float:
    """Approximate upper bound of the seconds that the kernels take without machine code."""
    references, hypotheses = pairs.references.lengths, pairs.hypotheses.lengths
    cells = references.astype(np.float64) @ np.minimum(hypotheses, budgets + 1)
    return float(_CELL_SECONDS * cells + _UNIT_SECONDS * (references + hypotheses).sum() + _PAIR_SECONDS * len(budgets))


def _check_work(pairs: EncodedPairs, budgets: IntArray) -> None:
    references, hypotheses = pairs.references.lengths, pairs.hypotheses.lengths
    cells = references * np.minimum(hypotheses, budgets)
    if np.any(cells > MOST_CELLS):
        pair = int(np.argmax(cells > MOST_CELLS))
        raise TooDifferentError(pairs.first_index + pair, (int(references[pair]), int(hypotheses[pair])), MOST_CELLS)


def _check_room(pairs: EncodedPairs) -> None:
    for side, texts in (("reference", pairs.references), ("hypothesis", pairs.hypotheses)):
        lengths = texts.lengths
        if np.any(lengths > _SWAP_FIELD):
            index = int(np.argmax(lengths > _SWAP_FIELD))
            raise InputTextError(
                f"{side} {index} has {lengths[index]:,} units: alignment 'transpositions' takes {_SWAP_FIELD:,} at "
                "most. Align parts of it, or choose 'unit'."
            )
