"""Tables and figures of confidences: how many words of one are right, and how many must be checked by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from misread.features.confidence.confidences import Reliability, review, sort_into_bins
from misread.stats import ConfidenceInterval, ratio_interval
from misread.tables import Cell, Column, Table
from misread.tables.figures.canvas import add_legend, drawing, height_with_legend, mark_of
from misread.tables.number_text import interval_ends
from misread.tables.view import View, ViewInput
from misread.text.display import file_stem

TARGETS: Final = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
"""Shares of wrong words, from those that are reached soonest."""

_CONFIDENCE: Final = 0.95


def lay_out_reliability(source: ViewInput) -> Table | None:
    """Words by bins of confidence: their mean confidence beside the share that is right, with intervals by cluster."""
    rows: list[list[Cell]] = []
    records: list[tuple[str | float | None, ...]] = []
    dataset, settings, rates = source.dataset, source.settings, source.settings.rates
    for system, scored in source.scored.items():
        found = scored.once(sort_into_bins)
        bins = found.words.shape[1]
        for place in np.flatnonzero(found.words.sum(axis=0)).tolist():
            words, share, mean, interval = describe_bin(found, place)
            low, high = place / bins, (place + 1) / bins
            cells = (settings.name(system), f"{low:g} to {high:g}", f"{words:,}", rates.rate(mean), rates.rate(share))
            rows.append([*(Cell(text) for text in cells[:-1]), Cell(cells[-1], rates.interval_of(share, interval))])
            records.append((dataset, system, low, high, words, mean, share, *interval_ends(interval)))
    if not rows:
        return None
    return Table(
        stem=file_stem(dataset, "reliability"),
        caption=f"Words on {settings.name(dataset)} by confidence: how sure the system was, and how many are right.",
        columns=[
            Column("system", kind="name"),
            Column("confidence", kind="name"),
            Column("words"),
            Column(f"mean confidence{rates.sign}", kind="decimal"),
            Column(f"right{rates.sign}", f"[{100 * _CONFIDENCE:g} %]"),
        ],
        rows=rows,
        notes=["Intervals: Student's t with the jackknife error over clusters, over segments where there are none."],
        record_names=("dataset", "system", "from", "to", "words", "mean_confidence", "right", "low", "high"),
        records=records,
    )


def describe_bin(found: Reliability, place: int) -> tuple[int, float, float, ConfidenceInterval | None]:
    """Words of a bin, the share of them that is right, their mean confidence, and an interval of that share."""
    words, correct = found.words[:, place], found.correct[:, place]
    total = int(words.sum())
    interval = ratio_interval(correct, words, found.clusters, _CONFIDENCE, highest=1.0)
    return total, float(correct.sum() / total), float(found.confidence[:, place].sum() / total), interval


def lay_out_review(source: ViewInput) -> Table | None:
    """Share of the words to check by hand, the least sure ones first, until few enough wrong ones are left."""
    dataset, settings, rates = source.dataset, source.settings, source.settings.rates
    rows: list[list[Cell]] = []
    records: list[tuple[str | float | None, ...]] = []
    reviews = {system: scored.once(review) for system, scored in source.scored.items()}
    for system, found in reviews.items():
        for target in TARGETS:
            if target < found.left[0]:
                share = found.share_for(target)
                rows.append([Cell(settings.name(system)), Cell(rates.rate(target)), Cell(rates.rate(share))])
                records.append((dataset, system, float(found.left[0]), target, share))
    if not rows:
        return None
    return Table(
        stem=file_stem(dataset, "review"),
        caption=f"Words on {settings.name(dataset)} to check by hand to reach an error rate, the least sure first.",
        columns=[
            Column("system", kind="name"),
            Column(f"wrong words left{rates.sign}", kind="decimal"),
            Column(f"words to check{rates.sign}", kind="decimal"),
        ],
        rows=rows,
        notes=[
            "Rates are shares of the words that the system wrote; words that it left out are not found by checking.",
            *(
                f"{settings.name(system)}: {rates.rate(found.left[0])}{rates.sign} of its words are wrong."
                for system, found in reviews.items()
            ),
            "The metric review_share has an interval by cluster.",
        ],
        record_names=("dataset", "system", "wrong_at_first", "target", "to_check"),
        records=records,
    )


def draw_reliability(source: ViewInput, folder: Path) -> list[Path]:
    """Draw for every system the share of right words over their mean confidence, bin by bin, with intervals."""
    settings = source.settings
    names = [settings.name(system) for system in source.scored]
    stem = folder / file_stem(source.dataset, "reliability")
    with drawing(stem, settings.figure_formats, height_with_legend(names)) as (figure, paths):
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color="black", linewidth=0.8, linestyle=":")
        marks = []
        for place, scored in enumerate(source.scored.values()):
            found = scored.once(sort_into_bins)
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


def draw_review(source: ViewInput, folder: Path) -> list[Path]:
    """Draw for every system the wrong words that are left over the share of words that were checked."""
    settings = source.settings
    names = [settings.name(system) for system in source.scored]
    rates = settings.rates
    stem = folder / file_stem(source.dataset, "review")
    with drawing(stem, settings.figure_formats, height_with_legend(names)) as (figure, paths):
        axes = figure.add_subplot()
        marks = []
        for place, scored in enumerate(source.scored.values()):
            found = scored.once(review)
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


RELIABILITY: Final = View(lay_out_reliability, draw_reliability)
REVIEW: Final = View(lay_out_review, draw_review)
