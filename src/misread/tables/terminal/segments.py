"""Several segments on a screen, the worst first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from rich.text import Text

from misread.alignment import AlignmentPolicy, Unit
from misread.errors import ConfigurationError
from misread.tables.selected_segments import Selection, gather_segments, select_worst
from misread.tables.terminal.grid import GridStyle, legend
from misread.tables.terminal.lines import print_lines
from misread.tables.terminal.segment import segment_text

if TYPE_CHECKING:
    from rich.console import Console

    from misread.tally import ScoredSystem

MOST_CHARACTERS: Final = 1_000_000
"""Longest segment that is shown: it makes a table of a million columns."""


def gather_worst(
    scored: Mapping[str, ScoredSystem], number: int, *, alignment: AlignmentPolicy
) -> tuple[Selection, AlignmentPolicy]:
    """Segments with the most errors of characters, as `misread align` shows them, and how they are aligned."""
    texts = {system: of.texts for system, of in scored.items()}
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
