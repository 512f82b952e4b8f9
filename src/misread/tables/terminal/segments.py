"""Segments on a screen, the worst first: each a line of numbers and its grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from rich.text import Text

from misread.alignment import AlignmentPolicy, Unit, column_grid
from misread.errors import ConfigurationError
from misread.tables.selected_segments import Selection, gather_segments, select_worst
from misread.tables.terminal.grid import GridStyle, grid_text, legend
from misread.tables.terminal.output import print_lines
from misread.text.display import show_label

if TYPE_CHECKING:
    from rich.console import Console

    from misread.tables.selected_segments import SegmentTexts
    from misread.tally import ScoredSystem

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


MOST_CHARACTERS: Final = 1_000_000
"""Longest segment that is shown: it makes a table of a million columns."""


def gather_worst(
    scored: Mapping[str, ScoredSystem], number: int, *, alignment: AlignmentPolicy
) -> tuple[Selection, AlignmentPolicy]:
    """Segments with the most errors of characters, as `misread inspect align` shows them, and how they are aligned."""
    texts = {system: system_scores.texts for system, system_scores in scored.items()}
    return select_worst(gather_segments(texts, alignment=alignment), number), alignment


def list_segments(selection: Selection) -> list[dict[str, object]]:
    """The same for JSON."""
    return [asdict(segment) for segment in selection.segments]


def print_segments(
    selection: Selection,
    console: Console,
    style: GridStyle,
    *,
    unit: Unit = "char",
    alignment: AlignmentPolicy = "unit",
    done: str,
) -> None:
    """Print every segment with its grid, the legend and the facts; `done` is the normalizer, or "raw"."""
    for segment in selection.segments:
        characters = max(len(text or "") for text in (segment.reference, *segment.hypotheses.values()))
        if characters > MOST_CHARACTERS:
            raise ConfigurationError(
                f"segment {segment.segment_id!r} has {characters:,} characters, and at most {MOST_CHARACTERS:,} can "
                "be shown: give its pages or lines as segments. `misread score` counts longer ones."
            )
    if not selection.segments:
        print_lines([Text(f"All {selection.total:,} segments are exact; --all shows them.")], console)
        return
    for segment in selection.segments:
        lines = segment_text(segment, style, unit=unit, alignment=alignment)
        print_lines([*lines, Text()], console)
    folded = f"{len(selection.segments):,} of {selection.total:,} segments"
    if selection.exact:
        folded += f", {selection.exact:,} exact"
    facts = Text(f"[{unit}, {done}, {alignment}]   {folded}", "dim")
    print_lines([legend(style, with_transpositions=alignment == "transpositions"), facts], console)
