"""One look for all figures: sizes, colours, marks, and files that are the same bytes for the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from misread.files.atomic import replacing
from misread.text.labels import show_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe & Ito (2008), told apart by colour-blind readers; markers tell them apart in print.
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

# A date in the file would make every run differ, and so would the version of what drew it.
_ENDINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    (".pdf", {"metadata": {"CreationDate": None}}),
    (".svg", {"metadata": {"Date": None}}),
    (".png", {"metadata": {"Software": None}, "dpi": _PNG_DOTS_PER_INCH}),
)


def plain(name: str) -> str:
    """Keep a name from being read as a formula, and show all of it."""
    return show_label(name).replace("$", r"\$")


def legend_columns(names: Sequence[str]) -> int:
    """Give each name its room: a mark takes that of about 7 letters, and 46 letters make a line."""
    longest = max(len(name) for name in names)
    return max(1, min(3, len(names), 46 // (longest + 7)))


def save(figure: Figure, stem: Path) -> list[Path]:
    """Write a figure as PDF, SVG and PNG.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        What to write; drawn inside `style.context(STYLE)`.
    stem : Path
        Where to, without an ending.

    Returns
    -------
    list of Path
        The files.
    """
    from matplotlib import style

    paths = []
    for ending, options in _ENDINGS:
        path = stem.with_name(stem.name + ending)
        with style.context(STYLE), replacing(path) as temporary:
            figure.savefig(temporary, format=ending[1:], **options)
        paths.append(path)
    return paths
