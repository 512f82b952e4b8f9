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
from misread.alignment.grid import ColumnGrid, GridColumn, GridRow, column_grid
from misread.alignment.inputs import Texts
from misread.alignment.policies import AlignmentPolicy
from misread.alignment.ranges import OperationRanges, operation_ranges

__all__ = [
    "Alignment",
    "AlignmentPolicy",
    "ColumnGrid",
    "ErrorCounts",
    "GridColumn",
    "GridRow",
    "Operation",
    "OperationKind",
    "OperationRanges",
    "Texts",
    "Unit",
    "align",
    "column_grid",
    "distances",
    "error_counts",
    "operation_ranges",
    "split_graphemes",
    "split_words",
]
