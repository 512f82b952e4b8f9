"""Sizes, colours, marks and files of all figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from misread.extras import needed_for
from misread.files.atomic import replacing
from misread.text.labels import show_label

if TYPE_CHECKING:
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

STYLE = Path(__file__).with_name("paper.mplstyle")
_PNG_DOTS_PER_INCH = 200

# A date in the file would make every run differ, and so would the version of Matplotlib.
_ENDINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    (".pdf", {"metadata": {"CreationDate": None}}),
    (".svg", {"metadata": {"Date": None}}),
    (".png", {"metadata": {"Software": None}, "dpi": _PNG_DOTS_PER_INCH}),
)


def plain(name: str) -> str:
    """Keep a name from being read as a formula, and show invisible characters."""
    return show_label(name).replace("$", r"\$")


def _legend_columns(names: Sequence[str]) -> int:
    """Columns of a legend: a mark is as wide as about 7 letters, and a line has 46 letters."""
    longest = max(len(name) for name in names)
    return max(1, min(3, len(names), 46 // (longest + 7)))


@contextmanager
def drawing(stem: Path, height: float, width: float = COLUMN_WIDTH) -> Iterator[tuple[Figure, list[Path]]]:
    """A figure in the common style, sizes in inches, and its files: PDF, SVG and PNG of reproducible bytes."""
    with needed_for("figures need", "Matplotlib", "report"):
        from matplotlib import style
        from matplotlib.figure import Figure

    paths = [stem.with_name(stem.name + ending) for ending, _ in _ENDINGS]
    with style.context(STYLE):
        figure = Figure(figsize=(width, height))
        yield figure, paths
        for path, (ending, options) in zip(paths, _ENDINGS, strict=True):
            with replacing(path) as temporary:
                figure.savefig(temporary, format=ending[1:], **options)


def height_with_legend(names: Sequence[str]) -> float:
    """Inches of axes below a legend of these names."""
    return AXES_HEIGHT + LINE_HEIGHT * math.ceil(len(names) / _legend_columns(names))


def add_legend(figure: Figure, marks: Sequence[Any], names: Sequence[str]) -> None:
    """Names of the marks above the axes."""
    figure.legend(handles=marks, labels=names, loc="outside upper center", ncols=_legend_columns(names))


def mark_of(place: int) -> dict[str, Any]:
    """Colour and marker of a system by its place."""
    return {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)]}
