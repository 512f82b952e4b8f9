"""The alignment in which every error costs one: its counts and its operations."""

from __future__ import annotations

from misread.alignment import kernels
from misread.alignment.encode import EncodedPairs
from misread.alignment.units import Bytes
from misread.arrays import IntArray


def count_with_unit_costs(pairs: EncodedPairs) -> IntArray:
    """Count hits, substitutions, deletions and insertions, shape (4, pairs), of the alignment "unit"."""
    counts: IntArray = kernels.count_operations(
        pairs.references.codes,
        pairs.references.spans,
        pairs.hypotheses.codes,
        pairs.hypotheses.spans,
        pairs.alphabet_size,
        first_index=pairs.first_index,
    )
    return counts


def find_with_unit_costs(pairs: EncodedPairs) -> tuple[Bytes, IntArray]:
    """Find the operations of all pairs, of the alignment "unit", and how many each pair has."""
    return kernels.find_operations(
        pairs.references.codes,
        pairs.references.spans,
        pairs.hypotheses.codes,
        pairs.hypotheses.spans,
        pairs.alphabet_size,
        first_index=pairs.first_index,
    )
