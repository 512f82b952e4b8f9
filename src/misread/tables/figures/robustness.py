"""Rate against level of degradation: one curve per system, with intervals."""

from __future__ import annotations

import math
from pathlib import Path

from misread.stats import DatasetResult
from misread.tables.figures.canvas import Places, add_legend, drawing, height_with_legend, mark_of
from misread.tables.numbers import interval_ends
from misread.tables.rates_layout import metric_title
from misread.tables.settings import ReportSettings
from misread.text.display import file_stem


def draw_robustness(
    result: DatasetResult, metric: str, column: str, settings: ReportSettings, folder: Path
) -> list[Path]:
    """Draw rates by level of degradation, in the order of `settings.group_order`."""
    levels = settings.sort_groups(column, list(result.groups[column]))
    names = [settings.name(system) for system in result.systems]
    scaled = settings.rates.scaled
    places, numbers = Places(levels), range(len(levels))
    stem = file_stem(result.dataset, metric, "robustness", column)
    with drawing(folder / stem, settings.figure_formats, height_with_legend(names, places.height), places.width) as (
        figure,
        paths,
    ):
        axes = figure.add_subplot()
        marks = []
        for place, system in enumerate(result.systems):
            values = [result.groups[column][level][system][metric] for level in levels]
            rates = [math.nan if of.micro is None else scaled(of.micro) for of in values]
            curve = (rates, numbers) if places.are_rows else (numbers, rates)
            marks += axes.plot(*curve, **mark_of(place), markersize=4, linewidth=1)
            ends = [of.confidence_interval for of in values]
            low, high = (
                [math.nan if end is None else scaled(end) for end in side]
                for side in zip(*map(interval_ends, ends), strict=True)
            )
            fill = axes.fill_betweenx if places.are_rows else axes.fill_between
            fill(numbers, low, high, color=marks[-1].get_color(), alpha=0.15, linewidth=0)
        places.label(axes, title=column, rates=f"{metric_title(metric)}{settings.rates.axis}")
        add_legend(figure, marks, names)
    return paths
