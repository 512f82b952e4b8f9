"""A column grid in a terminal: every system under the reference, visible only where it differs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from rich.text import Text

from misread.alignment import ColumnGrid, GridRow
from misread.text.display import cell_width, show_label, show_unit
from misread.text.nouns import count_of

REFERENCE: Final = "REF"
"""Label of the reference's row."""

NO_OUTPUT: Final = "(no output)"
EMPTY: Final = "(empty)"

# Colour comes on top of letters and gaps, so that a reader without it loses nothing.
_STYLES: Final = {"S": "yellow underline", "D": "red reverse", "I": "blue bold", "T": "magenta underline"}
_SAME_STYLE: Final = "dim"
_CONTEXT: Final = 20
# A screen has room for a few segments of this many lines.
_MOST_LINES: Final = 12
# A shorter stretch is not left out: the mark in its place would be as long.
_SHORTEST_LEFT_OUT: Final = 8


@dataclass(frozen=True)
class GridStyle:
    """Width and marks of a grid."""

    # Columns of the terminal.
    width: int = 80
    # Whether units that equal the reference are written out, too, and all parts of a long text.
    is_full: bool = False
    is_ascii: bool = False
    # Columns on either side of an error where a longer stretch without one is left out.
    context: int | None = None

    @property
    def ellipsis(self) -> str:
        """Mark on either side of the number of columns that are left out."""
        return ".." if self.is_ascii else "⋯"

    @property
    def gap(self) -> str:
        """Mark of a place where one side has nothing."""
        return "_" if self.is_ascii else "▁"

    @property
    def same(self) -> str:
        """Mark of a unit that equals the reference."""
        return "." if self.is_ascii else "·"

    @property
    def missing(self) -> str:
        """Mark of a system without output."""
        return f"- {NO_OUTPUT}" if self.is_ascii else f"— {NO_OUTPUT}"

    @property
    def empty(self) -> str:
        """Mark of a hypothesis without a unit."""
        return EMPTY if self.is_ascii else f"∅ {EMPTY}"


@dataclass(frozen=True)
class _Line:
    """One row of the grid: a label, and in every column a text with its style."""

    label: str
    cells: Sequence[str]
    styles: Sequence[str]


def grid_text(grid: ColumnGrid, style: GridStyle) -> list[Text]:
    """Write a grid as lines no wider than the terminal.

    The whole block is wrapped between columns, and every part repeats the labels, so that related cells stay
    together. A line of letters follows each system that has errors in the part; blank lines separate the parts. Of a
    long text the first parts with errors are shown, and a last line counts the errors in the others.
    """
    labels = {name: show_label(name) for name in grid.rows}
    rows = [(labels[name], row) for name, row in grid.rows.items() if row is not None and row.text_units]
    lines = [_reference_line(grid, style), *(_system_line(grid, name, row, style) for name, row in rows)]
    stretches = _equal_stretches(grid, [row for _, row in rows], style)
    lines = [_leave_out(line, stretches, style) for line in lines]
    letters = [None, *("".join(_replace(row.letters, stretches, " " * len(stretches))) for _, row in rows)]
    widths = [max(cell_width(line.cells[column]) for line in lines) for column in range(len(lines[0].cells))]
    label_width = max(cell_width(label) for label in [REFERENCE, *labels.values()]) + 2
    # Labels wider than half the terminal get lines of their own.
    indent = label_width if label_width <= style.width // 2 else 0
    parts = [slice(start, end) for start, end in _parts(widths, style.width - indent)]
    shown = range(len(parts)) if style.is_full else _first_with_errors(letters, parts, 1 if indent else 2)
    text: list[Text] = []
    for position in shown:
        text += [*([Text()] if text else []), *_block(lines, letters, parts[position], widths, indent)]
    text += _count_hidden(lines, letters, [part for position, part in enumerate(parts) if position not in shown], style)
    for name, row in grid.rows.items():
        if row is None or not row.text_units:
            # A row of gaps would say the same at length.
            text += _labelled(labels[name], Text(style.missing if row is None else style.empty), indent)
    return text


def _block(
    lines: Sequence[_Line], letters: Sequence[str | None], part: slice, widths: Sequence[int], indent: int
) -> list[Text]:
    text: list[Text] = []
    for line, row_letters in zip(lines, letters, strict=True):
        text.extend(_labelled(line.label, _join(line, part, widths), indent))
        if row_letters and _errors_in(row_letters, part):
            text.append(_letters(row_letters, part, widths, indent))
    return text


def _count_hidden(
    lines: Sequence[_Line], letters: Sequence[str | None], parts: Sequence[slice], style: GridStyle
) -> Iterator[Text]:
    """A line with the number of errors in parts that are not shown, of every system where there is room."""
    rows = zip(lines, letters, strict=True)
    counts = {line.label: sum(_errors_in(row_letters, part) for part in parts) for line, row_letters in rows}
    if total := sum(counts.values()):
        counted = f"{style.ellipsis} {count_of(total, 'more error')}"
        by_system = f"{counted} ({', '.join(f'{label} {count:,}' for label, count in counts.items() if count)})"
        yield Text(by_system if cell_width(by_system) <= style.width else counted, _SAME_STYLE)


def _errors_in(letters: str | None, part: slice) -> int:
    return sum(letter in _STYLES for letter in (letters or "")[part])


def _first_with_errors(letters: Sequence[str | None], parts: Sequence[slice], height: int) -> Sequence[int]:
    """Positions of all parts where they fit on a screen, else of the first ones with errors that do; at least one.

    A row has a `height`, and one line more where it has errors.
    """
    errors = [[_errors_in(row_letters, part) for row_letters in letters] for part in parts]
    heights = [sum(height + bool(number) for number in numbers) for numbers in errors]
    if sum(heights) + len(heights) <= _MOST_LINES + 1:
        return range(len(parts))
    wanted = [position for position, numbers in enumerate(errors) if any(numbers)] or [0]
    used = list(accumulate(heights[position] + 1 for position in wanted))
    return [position for position, lines in zip(wanted, used, strict=True) if lines <= _MOST_LINES + 1] or wanted[:1]


def _equal_stretches(grid: ColumnGrid, rows: Sequence[GridRow], style: GridStyle) -> list[tuple[int, int]]:
    """Begin and end of the columns to leave out: those that equal the reference in all rows, far from any error."""
    if style.context is None and style.is_full:
        return []
    context = _CONTEXT if style.context is None else style.context
    errors = [
        column
        for column, reference in enumerate(grid.reference)
        if any(row.letters[column] != " " and row.units[column] != reference for row in rows)
    ]
    stretches = []
    for before, after in pairwise([None, *errors, None]):
        start = 0 if before is None else before + 1 + context
        end = len(grid) if after is None else after - context
        if before is after is None:
            start = context
        if end - start >= _SHORTEST_LEFT_OUT:
            stretches.append((start, end))
    return stretches


def _leave_out(line: _Line, stretches: Sequence[tuple[int, int]], style: GridStyle) -> _Line:
    dots, is_reference = style.ellipsis, line.label == REFERENCE
    marks = [f"{dots}{end - start:,}{dots}" if is_reference else dots for start, end in stretches]
    cells = _replace(line.cells, stretches, marks)
    return _Line(line.label, cells, _replace(line.styles, stretches, [_SAME_STYLE] * len(stretches)))


def _replace(cells: Sequence[str], stretches: Sequence[tuple[int, int]], marks: Sequence[str]) -> list[str]:
    """Cells with one mark in place of each stretch."""
    replaced, position = list[str](), 0
    for (start, end), mark in zip(stretches, marks, strict=True):
        replaced += [*cells[position:start], mark]
        position = end
    return [*replaced, *cells[position:]]


def legend(style: GridStyle, *, with_transpositions: bool = False) -> Text:
    """Say what the marks mean, in one line."""
    parts = [
        ("S substitution", _STYLES["S"]),
        (f"D deletion ({style.gap} in hypothesis)", ""),
        (f"I insertion ({style.gap} in reference)", _STYLES["I"]),
    ]
    if with_transpositions:
        parts.append(("T transposition", _STYLES["T"]))
    if not style.is_full:
        parts.append((f"{style.same} same as reference", _SAME_STYLE))
    return Text("  ").join([Text(title, mark) for title, mark in parts])


def _reference_line(grid: ColumnGrid, style: GridStyle) -> _Line:
    cells = [style.gap if unit is None else show_unit(unit, is_ascii=style.is_ascii) for unit in grid.reference]
    return _Line(REFERENCE, cells, ["" if unit is not None else _SAME_STYLE for unit in grid.reference])


def _system_line(grid: ColumnGrid, name: str, row: GridRow, style: GridStyle) -> _Line:
    cells = []
    for reference, unit, letter in zip(grid.reference, row.units, row.letters, strict=True):
        # Canonically equivalent graphemes are equal but may be encoded differently: that is worth seeing.
        is_same = letter == " " or (letter == "C" and unit == reference)
        if letter == "D":
            cells.append(style.gap)
        elif is_same and not (style.is_full and unit):
            cells.append(style.same)
        else:
            cells.append(show_unit(unit, is_ascii=style.is_ascii))
    return _Line(name, cells, [_STYLES.get(letter, _SAME_STYLE) for letter in row.letters])


def _parts(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """Cut the columns into parts that fit; a column that is too wide by itself is a part of its own."""
    start, used = 0, 0
    for column, width in enumerate(widths):
        needed = width if column == start else used + 1 + width
        if column > start and needed > room:
            yield start, column
            start, needed = column, width
        used = needed
    yield start, len(widths)


def _join(line: _Line, part: slice, widths: Sequence[int]) -> Text:
    joined = Text()
    for position, (cell, mark, width) in enumerate(zip(line.cells[part], line.styles[part], widths[part], strict=True)):
        if position:
            joined.append(" ")
        joined.append(cell, mark)
        joined.append(" " * (width - cell_width(cell)))
    joined.rstrip()
    return joined


def _letters(letters: str, part: slice, widths: Sequence[int], indent: int) -> Text:
    shown = [letter if letter in _STYLES else " " for letter in letters[part]]
    cells = [letter.ljust(width) for letter, width in zip(shown, widths[part], strict=True)]
    line = _join(_Line("", cells, [_STYLES.get(letter, "") for letter in shown]), part=slice(None), widths=widths[part])
    return Text(" " * indent) + line


def _labelled(label: str, content: Text, indent: int) -> list[Text]:
    if not indent:
        return [Text(label, "bold"), content]
    return [Text(label, "bold") + Text(" " * (indent - cell_width(label))) + content]
