"""Alignment of texts: exact edit counts and operations, over characters or words."""

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

__all__ = [
    "Alignment",
    "ErrorCounts",
    "Operation",
    "OperationKind",
    "Unit",
    "align",
    "distances",
    "error_counts",
    "split_words",
]
