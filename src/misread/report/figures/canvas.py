"""Sizes, colours, marks and files of all figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

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


def legend_columns(names: Sequence[str]) -> int:
    """Columns of a legend: a mark is as wide as about 7 letters, and a line has 46 letters."""
    longest = max(len(name) for name in names)
    return max(1, min(3, len(names), 46 // (longest + 7)))


def save(figure: Figure, stem: Path) -> list[Path]:
    """Write a figure, drawn inside `style.context(STYLE)`, as PDF, SVG and PNG of reproducible bytes."""
    from matplotlib import style

    paths = []
    for ending, options in _ENDINGS:
        path = stem.with_name(stem.name + ending)
        with style.context(STYLE), replacing(path) as temporary:
            figure.savefig(temporary, format=ending[1:], **options)
        paths.append(path)
    return paths
