"""Segments for print and without JavaScript: the grids of the explorer, wrapped into lines."""

import heapq
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final, NamedTuple

from misread.report.page.display_grid import NOTHING, SAME, DisplayGrid, DisplayRow
from misread.report.page.media import Medium
from misread.report.page.segments import SegmentView, SegmentViews, SystemOutput
from misread.text.display import cell_width, show_unit

LINE_WIDTH: Final = 76
"""Width of one line of a grid in terminal columns; fits a printed page."""

PLUS: Final = 0.6
"""Letters that the plus sign before an insertion takes."""

LONGEST_SAME: Final = 40
"""Longer stretches on which all systems are right are folded."""

KEPT_SAME: Final = 12
"""Columns that remain on either side of an error if a stretch is folded."""

MOST_CELLS: Final = 4_000
"""Cells of all segments of a data set, each of some 120 bytes; pages of many systems would be a megabyte each."""

_NAMES: Final[Mapping[str, str]] = {"S": "substitution", "D": "deletion", "I": "insertion", "T": "transposition"}


class GridCell(NamedTuple):
    """One cell: `kind` is the letter of an operation, "C" for `span` correct columns, or a space."""

    text: str
    kind: str
    title: str
    span: int


class Line(NamedTuple):
    """One line of a grid: the reference ("" in slots, "⋯" for folded columns) and the cells of every system."""

    reference: tuple[str, ...]
    rows: tuple[tuple[str, tuple[GridCell, ...]], ...]


@dataclass(frozen=True)
class StaticSegment:
    """One segment."""

    position: int
    view: SegmentView
    labels: tuple[tuple[str, str], ...]
    systems: tuple[tuple[str, SystemOutput, int | None], ...]
    lines: tuple[Line, ...]
    left_out: int  # further lines, which the explorer has
    medium: Medium | None

    @property
    def direction(self) -> str:
        """Direction of the columns, from the first letter of the reference."""
        letters = (unicodedata.bidirectional(letter) for letter in self.view.scored)
        return "rtl" if next((kind for kind in letters if kind in ("L", "R", "AL")), "L") != "L" else "ltr"


def choose_static_segments(
    views: SegmentViews, media: Mapping[str, Medium], names: Mapping[str, str], *, count: int
) -> tuple[StaticSegment, ...]:
    """Up to `count` segments with errors, those with the most disagreement first, and of long ones the first lines.

    What short segments leave of `MOST_CELLS` is for those after them.
    """
    chosen = heapq.nsmallest(
        count,
        (position for position, segment in enumerate(views.segments) if segment.errors),
        key=lambda position: (*views.segments[position].interest, position),
    )
    segments = [_static_segment(position, views, media, names) for position in chosen]
    room = _share([sum(map(_size, segment.lines)) for segment in segments])
    return tuple(_shortened(segment, room) for segment in segments)


def _share(sizes: Sequence[int]) -> int:
    """Largest size that each may have so that all together have `MOST_CELLS`, or less if they are smaller."""
    room = MOST_CELLS
    for number, size in enumerate(sorted(sizes)):
        if size * (len(sizes) - number) > room:
            return room // (len(sizes) - number)
        room -= size
    return max(sizes, default=0)


def _shortened(segment: StaticSegment, room: int) -> StaticSegment:
    """The segment with the lines that have no more cells than this; with one in any case."""
    number = max(1, sum(size <= room for size in accumulate(map(_size, segment.lines))))
    return replace(segment, lines=segment.lines[:number], left_out=max(0, len(segment.lines) - number))


def _size(line: Line) -> int:
    """Cells of a line."""
    return len(line.reference) + sum(len(cells) for _, cells in line.rows)


def _static_segment(
    position: int, views: SegmentViews, media: Mapping[str, Medium], names: Mapping[str, str]
) -> StaticSegment:
    segment = views.segments[position]
    aligned = segment.aligned["characters"]
    shown = [names.get(system, system) for system in views.systems]
    return StaticSegment(
        position,
        segment,
        tuple(zip(views.columns, segment.labels, strict=True)),
        tuple(
            (name, output, None if counts is None else counts.errors)
            for name, output, counts in zip(shown, segment.outputs, aligned.counts, strict=True)
        ),
        tuple(line for grid in aligned.grids for line in _lines(grid, shown)),
        0,
        media.get(segment.segment_id),
    )


def _lines(grid: DisplayGrid, names: Sequence[str]) -> Iterator[Line]:
    rows = [(name, row, _texts(row)) for name, row in zip(names, grid.rows, strict=True) if row is not None]
    for columns in _wrap(_folded([row for _, row, _ in rows], len(grid.reference)), grid, rows):
        yield Line(
            tuple(_reference_text(column, grid) for column in columns),
            tuple((name, tuple(_cells(columns, row, texts, grid.reference))) for name, row, texts in rows),
        )


def _reference_text(column: int | None, grid: DisplayGrid) -> str:
    """Reference text of a column; white space is shown as a sign if it is part of an error."""
    if column is None:
        return "⋯"
    text = grid.reference[column]
    is_wrong = any(row is not None and row.letters[column] != SAME for row in grid.rows)
    return visible(text) if is_wrong else text


def _texts(row: DisplayRow | None) -> dict[int, str]:
    """Texts of the columns that differ from the reference."""
    if row is None:
        return {}
    texts = iter(row.texts)
    return {column: next(texts) for column, letter in enumerate(row.letters) if letter not in (SAME, "D", NOTHING)}


def _folded(rows: Sequence[DisplayRow], width: int) -> list[int | None]:
    """Columns to show; None for a stretch that all systems read correctly."""
    wrong = [column for column in range(width) if any(row.letters[column] != SAME for row in rows)]
    columns: list[int | None] = []
    start = 0
    for column in [*wrong, width]:
        same = column - start
        if same > LONGEST_SAME:
            before = KEPT_SAME if start else 0
            after = KEPT_SAME if column < width else 0
            columns += [*range(start, start + before), None, *range(column - after, column)]
        else:
            columns += range(start, column)
        if column < width:
            columns.append(column)
        start = column + 1
    return columns


def _wrap(
    columns: Sequence[int | None], grid: DisplayGrid, rows: Sequence[tuple[str, DisplayRow, dict[int, str]]]
) -> Iterator[list[int | None]]:
    line: list[int | None] = []
    used = 0.0
    for column in columns:
        texts = ["⋯"] if column is None else [grid.reference[column], *(texts.get(column, "") for _, _, texts in rows)]
        is_added = column is not None and any(row.letters[column] == "I" for _, row, _ in rows)
        width = max(1, *map(cell_width, texts)) + (PLUS if is_added else 0)
        if line and used + width > LINE_WIDTH:
            yield line
            line, used = [], 0.0
        line.append(column)
        used += width
    if line:
        yield line


def _cells(
    columns: Sequence[int | None], row: DisplayRow, texts: Mapping[int, str], reference: Sequence[str]
) -> Iterator[GridCell]:
    same = 0
    for column in columns:
        kind = SAME if column is None else row.letters[column]
        if kind == SAME:
            same += 1
            continue
        if same:
            yield GridCell("", SAME, "", same)
            same = 0
        text = texts.get(column, "") if column is not None else ""
        expected = reference[column] if column is not None else ""
        yield GridCell(text, kind, _title(kind, expected, text), 1)
    if same:
        yield GridCell("", SAME, "", same)


def _title(kind: str, expected: str, text: str) -> str:
    if kind == NOTHING:
        return ""
    expected, text = visible(expected), visible(text)
    said = {"D": f"{expected} is missing", "I": f"{text} was added"}.get(kind, f"{expected} is read as {text}")
    return f"{_NAMES[kind]}: {said}"


def visible(text: str) -> str:
    """White space and invisible characters as signs, for texts that are part of an error."""
    return show_unit(text) if text else ""
