"""Tables and figures of confidences: how many words of one are right, and how many must be checked by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from misread.features.confidence.confidences import Reliability, review, sort_into_bins
from misread.stats import ConfidenceInterval, ratio_interval
from misread.tables import Column, ReportSettings, SystemView, ViewInput, in_files, rate_column
from misread.tables.figures.canvas import add_legend, drawing, height_with_legend, mark_of
from misread.tables.view import ABOUT_INTERVALS, CONFIDENCE, column_with_interval
from misread.tally import ScoredSystem
from misread.text.display import file_stem


class Bin(NamedTuple):
    """Words of one system whose confidence lies between two ends, and the share of them that is right."""

    low: float
    high: float
    words: int
    share: float
    mean_confidence: float
    interval: ConfidenceInterval | None


def describe_bins(reliability: Reliability) -> list[Bin]:
    """All bins that have words."""
    number = reliability.words.shape[1]
    bins = []
    for index in np.flatnonzero(reliability.words.sum(axis=0)).tolist():
        words, correct = reliability.words[:, index], reliability.correct[:, index]
        total = int(words.sum())
        interval = ratio_interval(correct, words, reliability.clusters, CONFIDENCE, highest=1.0)
        mean = float(reliability.confidence[:, index].sum() / total)
        bins.append(Bin(index / number, (index + 1) / number, total, float(correct.sum() / total), mean, interval))
    return bins


@dataclass(frozen=True)
class ReliabilityBins(SystemView):
    """Words by bins of confidence: their mean confidence and the share that is right, with intervals by cluster."""

    def caption(self, dataset: str) -> str:
        """Words with their confidence and the share of right ones."""
        return f"Words on {dataset} by confidence: how sure the system was, and how many are right."

    def count(self, system: ScoredSystem) -> Sequence[Bin]:
        """One row per bin that has words."""
        return describe_bins(system.once(sort_into_bins))

    def columns(self, settings: ReportSettings) -> Sequence[Column]:
        """Ends of the bin, its words, how sure the system was of them, and how many are right."""
        return [
            Column(
                "confidence",
                lambda row: (row.low, row.high),
                lambda ends: f"{ends[0]:g} to {ends[1]:g}",
                kind="name",
                name=("from", "to"),
            ),
            Column("words", lambda row: row.words, name="words"),
            rate_column("mean confidence", lambda row: row.mean_confidence, settings.rates, name="mean_confidence"),
            column_with_interval("right", lambda row: row.share, settings.rates),
        ]

    def notes(self, source: ViewInput) -> Sequence[str]:  # noqa: ARG002 - all data sets have the same
        """Source of the intervals."""
        return [ABOUT_INTERVALS]

    def draw(self, source: ViewInput, folder: Path) -> list[Path]:
        """Draw for every system the share of right words over their mean confidence, bin by bin, with intervals."""
        settings = source.settings
        names = [settings.name(system) for system in source.scored]
        stem = folder / file_stem(source.dataset, "reliability")
        with drawing(stem, settings.figure_formats, height_with_legend(names)) as (figure, paths):
            axes = figure.add_subplot()
            axes.plot([0, 1], [0, 1], color="black", linewidth=0.8, linestyle=":")
            marks = []
            for number, scored in enumerate(source.scored.values()):
                bins = describe_bins(scored.once(sort_into_bins))
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


@dataclass(frozen=True)
class Review(SystemView):
    """Share of the words to check by hand, the least sure ones first, until few enough wrong ones are left.

    Parameters
    ----------
    targets : sequence of float
        Shares of wrong words, from those that are reached soonest.
    """

    targets: Sequence[float] = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)

    def caption(self, dataset: str) -> str:
        """Words to check for an error rate."""
        return f"Words on {dataset} to check by hand to reach an error rate, the least sure first."

    def count(self, system: ScoredSystem) -> Sequence[tuple[float, float, float]]:
        """Wrong words before checking, those left and the words to check, for every target not yet reached."""
        reviewed = system.once(review)
        wrong = float(reviewed.left[0])
        return [(wrong, target, reviewed.share_for(target)) for target in self.targets if target < wrong]

    def columns(self, settings: ReportSettings) -> Sequence[Column]:
        """The target, and the words to check."""
        return [
            in_files("wrong_at_first", itemgetter(0)),
            rate_column("wrong words left", itemgetter(1), settings.rates, name="target"),
            rate_column("words to check", itemgetter(2), settings.rates, name="to_check"),
        ]

    def notes(self, source: ViewInput) -> Sequence[str]:
        """The whole of each rate, and the number of wrong words before checking."""
        settings, rates = source.settings, source.settings.rates
        wrong = {system: scored.once(review).left[0] for system, scored in source.scored.items()}
        return [
            "Rates are shares of the words that the system wrote; words that it left out are not found by checking.",
            *(
                f"{settings.name(system)}: {rates.rate(share)}{rates.sign} of its words are wrong."
                for system, share in wrong.items()
            ),
            "The metric review_share has an interval by cluster.",
        ]

    def draw(self, source: ViewInput, folder: Path) -> list[Path]:
        """Draw for every system the wrong words that are left over the share of words that were checked."""
        settings = source.settings
        names = [settings.name(system) for system in source.scored]
        rates = settings.rates
        stem = folder / file_stem(source.dataset, "review")
        with drawing(stem, settings.figure_formats, height_with_legend(names)) as (figure, paths):
            axes = figure.add_subplot()
            marks = []
            for index, scored in enumerate(source.scored.values()):
                curve = scored.once(review)
                (line,) = axes.step(
                    [rates.scaled(share) for share in curve.checked.tolist()],
                    [rates.scaled(share) for share in curve.left.tolist()],
                    where="post",
                    linewidth=1.2,
                    color=mark_of(index)["color"],
                )
                marks.append(line)
            axes.set_ylim(bottom=0)
            axes.set_xlabel(f"words checked, the least sure first{rates.axis}")
            axes.set_ylabel(f"wrong words left{rates.axis}")
            add_legend(figure, marks, names)
        return paths
