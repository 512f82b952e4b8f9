"""Sizes, colours, marks and files of all figures."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from misread.errors import needed_for
from misread.io.atomic import replacing
from misread.text.display import show_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito (2008), distinct for colour-blind readers; markers are distinct in black and white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
COLUMN_WIDTH = 3.4
"""Inches: one column of a two-column paper."""
AXES_HEIGHT = 2.2
"""Inches without the legend."""
LINE_HEIGHT = 0.17
"""Inches of one line of text, in the legend and between rows."""

PAGE_WIDTH = 7.0
"""Inches: both columns of such a paper."""
LETTERS_ON_THE_AXIS = 36
"""Names with more letters would overlap side by side."""
_COLUMN_LETTERS = 24
_PAGE_LETTERS = 52
"""Letters of one line of a name next to the axes."""
_AXIS_LINES = 3.5
"""Lines of the axis below rows, with its title."""
_LEGEND_LETTERS = 46
_MARK_LETTERS = 7

STYLE = Path(__file__).with_name("paper.mplstyle")
_PNG_DOTS_PER_INCH = 200

# A date in the file would make every run differ, and so would the version of Matplotlib.
_OPTIONS: Mapping[str, dict[str, Any]] = {
    "pdf": {"metadata": {"CreationDate": None}},
    "svg": {"metadata": {"Date": None}},
    "png": {"metadata": {"Software": None}, "dpi": _PNG_DOTS_PER_INCH},
}


def plain(name: str) -> str:
    """Keep a name from being read as a formula, and show invisible characters."""
    return show_label(name).replace("$", r"\$")


def fold(name: str, width: int) -> str:
    """A name as `plain` gives it, in lines of at most `width` letters."""
    return "\n".join(map(plain, textwrap.wrap(show_label(name), width))) or " "


@dataclass(frozen=True)
class Places:
    """Names along one axis: side by side below it, or where they would overlap below each other, each in a row.

    `lines` is the least height of a row.
    """

    names: Sequence[str]
    lines: float = 0.0

    @property
    def are_rows(self) -> bool:
        """Whether the axis is the vertical one."""
        return sum(map(len, self.names)) > LETTERS_ON_THE_AXIS

    @property
    def width(self) -> float:
        """Inches of the figure: names too long for a line next to the axes get the width of a page."""
        return PAGE_WIDTH if self.are_rows and self._are_long else COLUMN_WIDTH

    @property
    def height(self) -> float:
        """Inches of the axes."""
        if not self.are_rows:
            return AXES_HEIGHT
        lines = 1.3 + max(label.count("\n") for label in self.labels)
        return LINE_HEIGHT * (_AXIS_LINES + len(self.names) * max(lines, self.lines))

    @property
    def labels(self) -> list[str]:
        """Names as shown at the axis."""
        if not self.are_rows:
            return list(map(plain, self.names))
        return [fold(name, _PAGE_LETTERS if self._are_long else _COLUMN_LETTERS) for name in self.names]

    def label(self, axes: Axes, *, title: str, rates: str) -> None:
        """Write the names and the titles of this axis and of that of the rates, which begins at 0."""
        if self.are_rows:
            label_rows(axes, self.labels)
            axes.set_xlim(left=0)
            axes.set_xlabel(rates)
            axes.set_ylabel(plain(title))
        else:
            axes.set_xticks(range(len(self.names)), self.labels)
            axes.set_ylim(bottom=0)
            axes.set_xlabel(plain(title))
            axes.set_ylabel(rates)

    @property
    def _are_long(self) -> bool:
        return max(map(len, self.names)) > _COLUMN_LETTERS


def label_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Name rows from the top down; lines of the grid are for the numbers below them."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", visible=True)


def _legend_columns(names: Sequence[str]) -> int:
    """Columns of a legend: a mark is as wide as about 7 letters, and a line has 46 letters."""
    longest = max(len(line) for name in names for line in name.split("\n"))
    return max(1, min(3, len(names), _LEGEND_LETTERS // (longest + _MARK_LETTERS)))


@contextmanager
def drawing(
    stem: Path, formats: Sequence[str], height: float, width: float = COLUMN_WIDTH
) -> Iterator[tuple[Figure, list[Path]]]:
    """A figure in the common style, sizes in inches, and its files of reproducible bytes: SVG and these formats."""
    with needed_for("figures need", "Matplotlib", "report"):
        from matplotlib import style
        from matplotlib.figure import Figure

    files = {stem.with_name(f"{stem.name}.{ending}"): ending for ending in _OPTIONS if ending in {"svg", *formats}}
    with style.context(STYLE):
        figure = Figure(figsize=(width, height))
        yield figure, list(files)
        for path, ending in files.items():
            # In memory first: where a PDF cannot be written, Matplotlib ends in another error than that of the disk.
            content = BytesIO()
            figure.savefig(content, format=ending, **_OPTIONS[ending])
            with replacing(path) as temporary:
                temporary.write_bytes(content.getvalue())


def height_with_legend(names: Sequence[str], axes_height: float = AXES_HEIGHT) -> float:
    """Inches of axes below a legend of these names."""
    folded = _fold_for_legend(names)
    lines = max(name.count("\n") + 1 for name in folded)
    return axes_height + LINE_HEIGHT * lines * math.ceil(len(names) / _legend_columns(folded))


def add_legend(figure: Figure, marks: Sequence[Any], names: Sequence[str]) -> None:
    """Names of the marks above the axes."""
    names = _fold_for_legend(names)
    figure.legend(handles=marks, labels=names, loc="outside upper center", ncols=_legend_columns(names))


def _fold_for_legend(names: Sequence[str]) -> list[str]:
    return [fold(name, _LEGEND_LETTERS - _MARK_LETTERS) for name in names]


def mark_of(index: int) -> dict[str, Any]:
    """Colour and marker of a system by its place; the same pair comes again after 64 systems."""
    turns = index // len(COLOURS)
    return {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[(index + turns) % len(MARKERS)]}
