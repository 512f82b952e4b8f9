"""Alignment of texts: exact edit counts and operations, over characters, graphemes or words."""

from misread.alignment.alignment import (
    Alignment,
    ErrorCounts,
    Operation,
    OperationKind,
    align,
    distances,
    error_counts,
)
from misread.alignment.encode import Unit, split_words
from misread.alignment.graphemes import split_graphemes
from misread.alignment.inputs import Texts
from misread.alignment.lattices import AlignedAlternatives, AlternativesIn, align_alternatives
from misread.alignment.policies import AlignmentPolicy
from misread.alignment.ranges import OperationRanges, operation_ranges

__all__ = [
    "AlignedAlternatives",
    "Alignment",
    "AlignmentPolicy",
    "AlternativesIn",
    "ErrorCounts",
    "Operation",
    "OperationKind",
    "OperationRanges",
    "Texts",
    "Unit",
    "align",
    "align_alternatives",
    "distances",
    "error_counts",
    "operation_ranges",
    "split_graphemes",
    "split_words",
]
