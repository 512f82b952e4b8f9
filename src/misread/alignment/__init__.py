"""Alignment of texts: exact edit counts and operations, over characters, graphemes or words."""

from misread.alignment.alternatives import AlignedAlternatives, AlternativesIn, align_alternatives
from misread.alignment.api import (
    Alignment,
    ErrorCounts,
    Operation,
    OperationKind,
    align,
    count_operations,
    distances,
    error_counts,
    paired_error_counts,
)
from misread.alignment.encode.graphemes import split_graphemes
from misread.alignment.encode.inputs import Texts
from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.encode.texts import Unit, split_words
from misread.alignment.error_units import NO_UNIT, ErrorUnits, count_units, find_error_units
from misread.alignment.features.joined_pairs import joined_pairs
from misread.alignment.features.single_lines import are_single_lines
from misread.alignment.features.word_bags import word_bags
from misread.alignment.grid import ColumnGrid, GridColumn, GridRow, arrange_columns, column_grid
from misread.alignment.operations import Operations, find_operations, paired_operations
from misread.alignment.policies import AlignmentPolicy
from misread.alignment.ranges import OperationRanges, operation_ranges

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
    "are_single_lines",
    "arrange_columns",
    "column_grid",
    "count_operations",
    "count_units",
    "distances",
    "error_counts",
    "find_error_units",
    "find_operations",
    "joined_pairs",
    "operation_ranges",
    "paired_error_counts",
    "paired_operations",
    "split_graphemes",
    "split_words",
    "word_bags",
]
