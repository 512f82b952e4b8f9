"""One segment in a terminal: a line of numbers and its grid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from misread.alignment import AlignmentPolicy, Unit, column_grid
from misread.tables.terminal.grid import GridStyle, grid_text
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.tables.selected_segments import SegmentTexts

_PLURALS: Mapping[Unit, str] = {"char": "characters", "grapheme": "graphemes", "word": "words"}


def segment_text(
    segment: SegmentTexts, style: GridStyle, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit"
) -> list[Text]:
    """Lines with the id, the length of the reference and the errors of every system, and below them the grid.

    There is a grid for every reading of the reference that a system was compared with.
    """
    lines = []
    for reference, length, hypotheses in segment.by_reading():
        counted = f"{length:,} {_PLURALS[unit] if length != 1 else unit}"
        numbers = "   ".join([counted, *(f"{name} {segment.errors[name]}" for name in hypotheses)])
        grid = column_grid(reference, hypotheses, unit=unit, alignment=alignment)
        heading = Text(show_label(segment.segment_id), "bold") + Text(show_label(f"   {numbers}"))
        lines += [heading, *grid_text(grid, style)]
    return lines
