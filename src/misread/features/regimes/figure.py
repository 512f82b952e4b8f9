"""Ranks of all systems under every regime: lines that cross where the ranking depends on the regime."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from misread.features.regimes.changes import title_of
from misread.features.regimes.schema import RegimeScore, RegimesResult
from misread.tables import ReportSettings
from misread.tables.figures.canvas import (
    COLUMN_WIDTH,
    LINE_HEIGHT,
    add_legend,
    drawing,
    fold,
    height_with_legend,
    mark_of,
)
from misread.text.display import file_stem

_ROW_HEIGHT = 1.5
"""Lines."""
_AXIS_HEIGHT = 3.5
"""Lines of the axis below the rows, with its title."""
_LETTERS = 24


def draw_regimes(result: RegimesResult, settings: ReportSettings, folder: Path) -> list[Path]:
    """Draw a row per regime and a line per system, a figure for each unit; none for one regime or system."""
    paths = []
    for unit in dict.fromkeys(score.unit for score in result.scores):
        scores = [score for score in result.scores if score.unit == unit]
        if len(scores) > 1 and len(scores[0].systems) > 1:
            paths += _draw(scores, settings, folder / file_stem(result.dataset, "regimes", unit))
    return paths


def _draw(scores: Sequence[RegimeScore], settings: ReportSettings, stem: Path) -> list[Path]:
    systems = list(scores[0].systems)
    names = [settings.name(system) for system in systems]
    rows = range(len(scores))
    height = LINE_HEIGHT * (_AXIS_HEIGHT + _ROW_HEIGHT * len(scores))
    with drawing(stem, settings.figure_formats, height_with_legend(names, height), COLUMN_WIDTH) as (figure, paths):
        axes = figure.add_subplot()
        marks = []
        for place, system in enumerate(systems):
            ranks = [score.systems[system].rank for score in scores]
            x = [math.nan if rank is None else rank for rank in ranks]
            marks += axes.plot(x, list(rows), **mark_of(place), markersize=4, linewidth=1)
        axes.set_yticks(list(rows), [fold(title_of(score, scores), _LETTERS) for score in scores])
        axes.set_ylim(len(scores) - 0.5, -0.5)
        axes.set_xticks(range(1, len(systems) + 1))
        axes.set_xlim(0.7, len(systems) + 0.3)
        axes.grid(axis="y", visible=False)
        axes.grid(axis="x", visible=True)
        axes.set_xlabel(f"rank by errors of {scores[0].unit}")
        add_legend(figure, marks, names)
    return paths
