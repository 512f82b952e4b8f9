"""Segments on a screen, the worst first: each a line of numbers and its grid."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rich.console import Console
from rich.text import Text

from misread.alignment import AlignmentPolicy, Unit, column_grid
from misread.errors import ConfigurationError
from misread.normalize.normalized_texts import NormalizedTexts
from misread.tables.selected_segments import SegmentTexts, Selection
from misread.tables.terminal.grid import GridStyle, grid_text, legend
from misread.tables.terminal.output import print_lines
from misread.text.display import cell_width, show_label

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


def print_segments(
    selection: Selection,
    console: Console,
    style: GridStyle,
    *,
    unit: Unit = "char",
    alignment: AlignmentPolicy = "unit",
    done: str,
    facts: Mapping[str, Sequence[Text]] = MappingProxyType({}),
) -> None:
    """Print every segment with its grid and its facts, and the legend; `done` is the normalizer, or "raw"."""
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
        print_lines([*lines, *facts.get(segment.segment_id, ()), Text()], console)
    folded = f"{len(selection.segments):,} of {selection.total:,} segments"
    if selection.exact:
        folded += f", {selection.exact:,} exact"
    choices = Text(f"[{unit}, {done}, {alignment}]   {folded}", "dim")
    print_lines([legend(style, with_transpositions=alignment == "transpositions"), choices], console)


def lay_out_facts(segment_id: str, texts: Mapping[str, NormalizedTexts], source: str) -> list[Text]:
    """Where a segment belongs and, as they came, texts that the normalizer changed; `source` is its image or audio."""
    facts: list[tuple[str, str]] = []
    for system, outputs in texts.items():
        if segment_id not in outputs.segments.segment_id:
            continue
        row, origin = outputs.segments.segment_id.index(segment_id), outputs.origin
        (raw, reading), (reference, hypothesis) = (
            (pairs.references[row], pairs.hypotheses[row]) for pairs in (outputs.raw, outputs.normalized)
        )
        if not facts:
            facts.append(("data set", origin.dataset))
            if outputs.segments.cluster is not None:
                facts.append((origin.cluster_name or "cluster", outputs.segments.cluster[row]))
            facts += [(name, column[row]) for name, column in outputs.segments.groups.items()]
            facts += [("source", source)] if source else []
            facts += [("reference", f"{raw!r} as it came")] if raw != reference or origin.facts.alternatives else []
        if hypothesis is None:
            facts.append((system, f"no output: {outputs.reasons[row] or 'no reason was recorded'}"))
        elif reading != hypothesis:
            facts.append((system, f"{reading!r} as it came"))
    names = [show_label(name) for name, _ in facts]
    width = max(map(cell_width, names), default=0)
    return [
        Text(f"  {name}{' ' * (width - cell_width(name))}  {show_label(value)}")
        for name, (_, value) in zip(names, facts, strict=True)
    ]
