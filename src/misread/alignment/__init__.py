"""Alignment of texts: exact edit counts and operations, over characters, graphemes or words."""

from misread.alignment.alignment import (
    Alignment,
    ErrorCounts,
    Operation,
    OperationKind,
    align,
    distances,
    error_counts,
    paired_error_counts,
)
from misread.alignment.encode import Unit, split_words
from misread.alignment.error_units import NO_UNIT, ErrorUnits, count_units, error_units
from misread.alignment.graphemes import split_graphemes
from misread.alignment.grid import ColumnGrid, GridColumn, GridRow, arrange_columns, column_grid
from misread.alignment.inputs import Texts
from misread.alignment.joined_pairs import joined_pairs
from misread.alignment.lattices import AlignedAlternatives, AlternativesIn, align_alternatives
from misread.alignment.operations import Operations, operations
from misread.alignment.paired_texts import PairedTexts
from misread.alignment.policies import AlignmentPolicy
from misread.alignment.ranges import OperationRanges, operation_ranges
from misread.alignment.single_lines import single_lines
from misread.alignment.word_bags import word_bags

__all__ = [
    "NO_UNIT",
    "AlignedAlternatives",
    "Alignment",
    "AlignmentPolicy",
    "AlternativesIn",
    "ColumnGrid",
    "ErrorCounts",
    "ErrorUnits",
    "GridColumn",
    "GridRow",
    "Operation",
    "OperationKind",
    "OperationRanges",
    "Operations",
    "PairedTexts",
    "Texts",
    "Unit",
    "align",
    "align_alternatives",
    "arrange_columns",
    "column_grid",
    "count_units",
    "distances",
    "error_counts",
    "error_units",
    "joined_pairs",
    "operation_ranges",
    "operations",
    "paired_error_counts",
    "single_lines",
    "split_graphemes",
    "split_words",
    "word_bags",
]
