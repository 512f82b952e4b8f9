"""Tables and figures of confidences: how many words of one are right, and how many must be checked by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from misread.features.confidence.confidences import Reliability, review, sort_into_bins
from misread.stats import ConfidenceInterval, ratio_interval
from misread.tables import Column, Table, in_files, rate_column
from misread.tables.figures.canvas import add_legend, drawing, height_with_legend, mark_of
from misread.tables.number_text import confidence_title
from misread.tables.view import View, ViewInput
from misread.text.display import file_stem

TARGETS: Final = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
"""Shares of wrong words, from those that are reached soonest."""

_CONFIDENCE: Final = 0.95


def lay_out_reliability(source: ViewInput) -> Table | None:
    """Words by bins of confidence: their mean confidence beside the share that is right, with intervals by cluster."""
    settings, rates = source.settings, source.settings.rates
    rows = [
        bin_of_system
        for system, scored in source.scored.items()
        for bin_of_system in describe_bins(system, scored.once(sort_into_bins))
    ]
    if not rows:
        return None
    return Table(
        stem=file_stem(source.dataset, "reliability"),
        caption=(
            f"Words on {settings.name(source.dataset)} by confidence: how sure the system was, and how many are right."
        ),
        columns=[
            in_files("dataset", source.dataset),
            Column("system", lambda row: row.system, settings.name, kind="name", name="system"),
            Column(
                "confidence",
                lambda row: (row.low, row.high),
                lambda ends: f"{ends[0]:g} to {ends[1]:g}",
                kind="name",
                name=("from", "to"),
            ),
            Column("words", lambda row: row.words, name="words"),
            Column(
                f"mean confidence{rates.sign}",
                lambda row: row.mean_confidence,
                rates.rate,
                kind="decimal",
                name="mean_confidence",
            ),
            rate_column(
                "right", lambda row: row.share, lambda row: row.interval, rates, level=confidence_title(_CONFIDENCE)
            ),
        ],
        rows=rows,
        notes=["Intervals: Student's t with the jackknife error over clusters, over segments where there are none."],
    )


class Bin(NamedTuple):
    """Words of one system whose confidence lies between two ends, and the share of them that is right."""

    system: str
    low: float
    high: float
    words: int
    share: float
    mean_confidence: float
    interval: ConfidenceInterval | None


def describe_bins(system: str, reliability: Reliability) -> list[Bin]:
    """All bins that have words."""
    number = reliability.words.shape[1]
    bins = []
    for index in np.flatnonzero(reliability.words.sum(axis=0)).tolist():
        words, correct = reliability.words[:, index], reliability.correct[:, index]
        total = int(words.sum())
        interval = ratio_interval(correct, words, reliability.clusters, _CONFIDENCE, highest=1.0)
        mean = float(reliability.confidence[:, index].sum() / total)
        share = float(correct.sum() / total)
        bins.append(Bin(system, index / number, (index + 1) / number, total, share, mean, interval))
    return bins


def lay_out_review(source: ViewInput) -> Table | None:
    """Share of the words to check by hand, the least sure ones first, until few enough wrong ones are left."""
    dataset, settings, rates = source.dataset, source.settings, source.settings.rates
    reviews = {system: scored.once(review) for system, scored in source.scored.items()}
    rows = [
        (system, target, reviewed)
        for system, reviewed in reviews.items()
        for target in TARGETS
        if target < reviewed.left[0]
    ]
    if not rows:
        return None
    return Table(
        stem=file_stem(dataset, "review"),
        caption=f"Words on {settings.name(dataset)} to check by hand to reach an error rate, the least sure first.",
        columns=[
            in_files("dataset", dataset),
            Column("system", lambda row: row[0], settings.name, kind="name", name="system"),
            in_files("wrong_at_first", lambda row: float(row[2].left[0])),
            Column(f"wrong words left{rates.sign}", lambda row: row[1], rates.rate, kind="decimal", name="target"),
            Column(
                f"words to check{rates.sign}",
                lambda row: row[2].share_for(row[1]),
                rates.rate,
                kind="decimal",
                name="to_check",
            ),
        ],
        rows=rows,
        notes=[
            "Rates are shares of the words that the system wrote; words that it left out are not found by checking.",
            *(
                f"{settings.name(system)}: {rates.rate(reviewed.left[0])}{rates.sign} of its words are wrong."
                for system, reviewed in reviews.items()
            ),
            "The metric review_share has an interval by cluster.",
        ],
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
        for number, (system, scored) in enumerate(source.scored.items()):
            bins = describe_bins(system, scored.once(sort_into_bins))
            means, shares = [row.mean_confidence for row in bins], [row.share for row in bins]
            ends = [
                (row.share - row.interval.low, row.interval.high - row.share) if row.interval else (0.0, 0.0)
                for row in bins
            ]
            errors = np.maximum(np.array(ends).T, 0) if ends else None
            marks.append(axes.errorbar(means, shares, errors, linewidth=1, markersize=4, **mark_of(number)))
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
