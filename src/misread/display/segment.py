"""One segment in a terminal: a line of numbers and its grid."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from misread.alignment import AlignmentPolicy, Unit, column_grid
from misread.display.grid import GridStyle, grid_text
from misread.text.labels import show_label

_PLURALS: Mapping[Unit, str] = {"char": "characters", "grapheme": "graphemes", "word": "words"}


def segment_text(
    segment_id: str,
    reference: str,
    hypotheses: Mapping[str, str | None],
    errors: Mapping[str, int],
    length: int,
    style: GridStyle,
    *,
    unit: Unit = "char",
    alignment: AlignmentPolicy = "unit",
) -> list[Text]:
    """Lines with the id, the length of the reference and the errors of every system, and below them the grid."""
    counted = f"{length:,} {_PLURALS[unit] if length != 1 else unit}"
    numbers = "   ".join([counted, *(f"{name} {number}" for name, number in errors.items())])
    grid = column_grid(reference, hypotheses, unit=unit, alignment=alignment)
    return [Text(show_label(segment_id), "bold") + Text(show_label(f"   {numbers}")), *grid_text(grid, style)]
