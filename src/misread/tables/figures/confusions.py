"""Heat map of the characters that one system confuses most often."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from misread.metrics.confusion_table import Confusion, Confusions, ConfusionTable
from misread.tables.confusions import NOTHING, show_confused
from misread.tables.figures.canvas import LINE_HEIGHT, drawing, plain
from misread.tables.settings import ReportSettings
from misread.text.display import file_stem
from misread.types import IntArray

MOST_CHARACTERS: Final = 12
"""Rows and columns that are readable in one column of a paper."""

_SPACE_FOR_LABELS: Final = 0.8
_CELL: Final = 1.3 * LINE_HEIGHT
_ISOLATES: Final = str.maketrans("", "", "\u2068\u2069")
_DARK: Final = 0.6


def draw_confusions(
    dataset: str, system: str, table: ConfusionTable, settings: ReportSettings, folder: Path
) -> list[Path]:
    """Draw counts of the confusions of the characters with most errors; no files if there is no error."""
    confusions = table.confusions.get("character")
    if not confusions:
        return []
    references, hypotheses, counts = choose_cells(confusions)
    height = _CELL * len(references) + _SPACE_FOR_LABELS
    with drawing(folder / file_stem(dataset, "confusions", system), settings.figure_formats, height) as (figure, paths):
        axes = figure.add_subplot()
        axes.imshow(np.where(counts, counts, np.nan), cmap="Blues", vmin=0, vmax=counts.max(), aspect="auto")
        axes.grid(visible=False)
        axes.tick_params(length=0)
        axes.set_xticks(range(len(hypotheses)), [plain(label(unit)) for unit in hypotheses])
        axes.set_yticks(range(len(references)), [plain(label(unit)) for unit in references])
        if max(len(label(unit)) for unit in hypotheses) > 1:
            axes.tick_params("x", labelrotation=90)
        for row, column in np.argwhere(counts).tolist():
            count = int(counts[row, column])
            colour = "white" if count > _DARK * counts.max() else "black"
            axes.text(column, row, f"{count:,}", ha="center", va="center", fontsize="small", color=colour)
        axes.set_xlabel("read as")
        axes.set_ylabel("reference")
        axes.set_title(plain(f"{settings.name(system)} on {settings.name(dataset)}"), fontsize="medium")
    return paths


def choose_cells(confusions: Confusions) -> tuple[list[str], list[str], IntArray]:
    """References with most errors, their most frequent readings, and counts, shape (references, hypotheses)."""
    references = _most(confusions, lambda confusion: confusion.reference)
    hypotheses = _most(
        [confusion for confusion in confusions if confusion.reference in references],
        lambda confusion: confusion.hypothesis,
    )
    counts = np.zeros((len(references), len(hypotheses)), np.int64)
    for confusion in confusions:
        if confusion.reference in references and confusion.hypothesis in hypotheses:
            counts[references.index(confusion.reference), hypotheses.index(confusion.hypothesis)] += confusion.count
    return references, hypotheses, counts


def label(unit: str) -> str:
    """A character as shown on an axis, or its code points if the font lacks it."""
    shown = show_confused(unit).translate(_ISOLATES)
    if shown != NOTHING and any(ord(character) not in _glyphs() for character in shown):
        return " ".join(f"U+{ord(character):04X}" for character in unit)
    return shown


def _most(confusions: Confusions | list[Confusion], side: Callable[[Confusion], str]) -> list[str]:
    sums: Counter[str] = Counter()
    for confusion in confusions:
        sums[side(confusion)] += confusion.count
    return [unit for unit, _ in sums.most_common(MOST_CHARACTERS)]


@cache
def _glyphs() -> frozenset[int]:
    """Code points that the font of the figures has."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return frozenset(get_font(findfont(FontProperties())).get_charmap())
