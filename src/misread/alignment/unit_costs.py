"""Alignments in which every error costs one: counts, operations, and how far counts of equally good ones differ."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from misread.alignment.encode.inputs import Texts, check_pairs
from misread.alignment.encode.texts import EncodedPairs, Unit, encode_pairs
from misread.alignment.kernels import weighted
from misread.alignment.kernels.pairs import Bytes
from misread.alignment.kernels.weighted import Weighting
from misread.alignment.plain import levenshtein as plain
from misread.alignment.policies import count_excess, weigh_pairs
from misread.compiled.budget import ALIGNING
from misread.errors import TooDifferentError
from misread.types import IntArray


def count_with_unit_costs(pairs: EncodedPairs) -> IntArray:
    """Count hits, substitutions, deletions and insertions, shape (4, pairs), of the alignment "unit"."""
    if _is_small(pairs):
        return plain.count_operations(pairs.sides)
    from misread.alignment.kernels import levenshtein

    counts: IntArray = levenshtein.count_operations(pairs.sides, pairs.alphabet_size)
    _refuse_given_up(counts[0], pairs)
    return counts


def measure_with_unit_costs(pairs: EncodedPairs, hint: int | None) -> IntArray:
    """Measure the distance of every pair; `hint` as in `levenshtein.measure_distances`."""
    if _is_small(pairs):
        distances: IntArray = plain.count_operations(pairs.sides)[1:].sum(axis=0)
        return distances
    from misread.alignment.kernels import levenshtein

    hint = levenshtein.NO_HINT if hint is None else hint
    errors: IntArray = levenshtein.measure_distances(pairs.sides, pairs.alphabet_size, hint)
    _refuse_given_up(errors, pairs)
    return errors


def find_with_unit_costs(pairs: EncodedPairs) -> tuple[Bytes, IntArray]:
    """Find the operations of all pairs, of the alignment "unit", and how many each pair has."""
    if _is_small(pairs):
        return plain.find_operations(pairs.sides)
    from misread.alignment.kernels import levenshtein

    operations, lengths = levenshtein.find_operations(pairs.sides, pairs.alphabet_size)
    _refuse_given_up(lengths, pairs)
    return operations, lengths


def _is_small(pairs: EncodedPairs) -> bool:
    # Once the budget is spent, estimating takes longer than a short pair.
    return ALIGNING.seconds > 0 and ALIGNING.covers(plain.estimate_seconds(pairs.sides))


def _refuse_given_up(counts: IntArray, pairs: EncodedPairs) -> None:
    from misread.alignment.kernels import strips, wavefronts

    if np.any(counts == wavefronts.GIVEN_UP):
        pair = int(np.argmax(counts == wavefronts.GIVEN_UP))
        lengths = (int(side.lengths[pair] + pairs.shared[pair]) for side in (pairs.references, pairs.hypotheses))
        raise TooDifferentError(pairs.first_index + pair, lengths, strips.MOST_CELLS)


# Bits from 32: cost; from 2: deletions, added or taken away; 0 and 1: operation.
_COST: Final = 32
_DELETIONS: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class OperationRanges:
    """Least and most of each operation over all minimum-cost alignments of a pair: int64 arrays of shape (pairs,).

    One alignment has the fewest deletions, the fewest insertions and the most substitutions at once, and another has
    the most deletions and insertions and the fewest substitutions: distance and lengths tie the three.
    """

    least_substitutions: IntArray
    most_substitutions: IntArray
    least_deletions: IntArray
    most_deletions: IntArray
    least_insertions: IntArray
    most_insertions: IntArray

    def __len__(self) -> int:
        return len(self.least_deletions)


def operation_ranges(references: Texts, hypotheses: Texts, *, unit: Unit = "char") -> OperationRanges:
    """Find the least and the most substitutions, deletions and insertions over all alignments of minimum cost.

    Every error costs one. The number of errors is the same in all these alignments; what kind they are is not, and
    two tools that break ties in two ways count differently without either being wrong.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        As in `error_counts`.
    unit : {"char", "grapheme", "word"}
        As in `error_counts`.

    Returns
    -------
    OperationRanges
        Arrays of shape (pairs,). The time grows with the length times the distance of a pair.

    References
    ----------
    Wagner and Fischer (1974), The string-to-string correction problem.

    Examples
    --------
    >>> ranges = operation_ranges("ab", "ba")
    >>> ranges.least_substitutions, ranges.most_substitutions, ranges.most_deletions
    (array([0]), array([2]), array([1]))
    """
    pairs = encode_pairs(*check_pairs(references, hypotheses), unit)
    errors = count_with_unit_costs(pairs)[1:].sum(axis=0)
    excess = count_excess(pairs)
    least = (weigh_pairs(pairs, errors, _count_deletions(1)) - (errors << _COST)) >> _DELETIONS
    most = ((errors << _COST) - weigh_pairs(pairs, errors, _count_deletions(-1))) >> _DELETIONS
    return OperationRanges(
        errors - 2 * most + excess, errors - 2 * least + excess, least, most, least - excess, most - excess
    )


def _count_deletions(sign: int) -> Weighting:
    cost = 1 << _COST
    return Weighting((0, cost, cost, cost + (sign << _DELETIONS), weighted.NEVER), shift=0, strip_prefix=True)
