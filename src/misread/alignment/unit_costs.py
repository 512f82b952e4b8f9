"""Alignments in which every error costs one: counts, operations, and how far counts of equally good ones differ."""

import numpy as np

from misread.alignment.encode.texts import EncodedPairs
from misread.alignment.kernels.pairs import Bytes
from misread.alignment.plain import levenshtein as plain
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
