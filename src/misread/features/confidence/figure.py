"""Reliability diagram, and what checking by hand would leave."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from misread.features.confidence.table import describe_bin
from misread.tables import ReportSettings
from misread.tables.figures.canvas import add_legend, drawing, height_with_legend, mark_of
from misread.tally import ScoredSystem
from misread.text.display import file_stem


def draw_reliability(
    dataset: str, scored: Mapping[str, ScoredSystem], settings: ReportSettings, folder: Path
) -> list[Path]:
    """Draw for every system the share of right words over their mean confidence, bin by bin, with intervals."""
    names = [settings.name(system) for system in scored]
    with drawing(folder / file_stem(dataset, "reliability"), settings.figure_formats, height_with_legend(names)) as (
        figure,
        paths,
    ):
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color="black", linewidth=0.8, linestyle=":")
        marks = []
        for place, of in enumerate(scored.values()):
            found = of.reliability
            bins = [describe_bin(found, each) for each in np.flatnonzero(found.words.sum(axis=0)).tolist()]
            means, shares = [each[2] for each in bins], [each[1] for each in bins]
            ends = [
                (share - interval.low, interval.high - share) if interval else (0.0, 0.0)
                for _, share, _, interval in bins
            ]
            errors = np.maximum(np.array(ends).T, 0) if ends else None
            marks.append(axes.errorbar(means, shares, errors, linewidth=1, markersize=4, **mark_of(place)))
        axes.set_xlabel("mean confidence of the words of a bin")
        axes.set_ylabel("share that is right")
        add_legend(figure, marks, names)
    return paths


def draw_review(dataset: str, scored: Mapping[str, ScoredSystem], settings: ReportSettings, folder: Path) -> list[Path]:
    """Draw for every system the wrong words that are left over the share of words that were checked."""
    names = [settings.name(system) for system in scored]
    rates = settings.rates
    with drawing(folder / file_stem(dataset, "review"), settings.figure_formats, height_with_legend(names)) as (
        figure,
        paths,
    ):
        axes = figure.add_subplot()
        marks = []
        for place, of in enumerate(scored.values()):
            found = of.review
            (line,) = axes.step(
                [rates.scaled(share) for share in found.checked.tolist()],
                [rates.scaled(share) for share in found.left.tolist()],
                where="post",
                linewidth=1.2,
                color=mark_of(place)["color"],
            )
            marks.append(line)
        axes.set_ylim(bottom=0)
        axes.set_xlabel(f"words checked, the least sure first{rates.axis}")
        axes.set_ylabel(f"wrong words left{rates.axis}")
        add_legend(figure, marks, names)
    return paths
