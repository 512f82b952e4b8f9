"""Table of what a correction has made better and worse."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from misread.features.corrections.metric import COLUMNS, CorrectionBalance
from misread.tables import Column, ReportSettings, SystemView, ViewInput, in_files
from misread.tally import ScoredSystem


@dataclass(frozen=True)
class Corrections(SystemView):
    """Segments, characters and words before and after a correction."""

    def caption(self, dataset: str) -> str:
        """Data set whose recognized text was corrected."""
        return f"What each system made of the recognized text on {dataset}."

    def count(self, system: ScoredSystem) -> Sequence[Mapping[str, int]]:
        """Sums of all counts of `CorrectionBalance`, in one row."""
        counts = CorrectionBalance(f"the view {self.id}", "error_reduction").count(system.normalized)
        return [dict(zip(COLUMNS, counts.sum(axis=0).tolist(), strict=True))]

    def columns(self, settings: ReportSettings) -> Sequence[Column]:  # noqa: ARG002 - counts are shown as they are
        """Counts that belong together, side by side."""
        return [
            in_files(COLUMNS, itemgetter(*COLUMNS)),
            Column("segments better/worse/same", itemgetter("improved", "worsened", "same")),
            Column("character errors before/after", itemgetter("errors_before", "errors_after")),
            Column("wrong words corrected/left", itemgetter("corrected", "left_wrong")),
            Column("right words damaged/kept", itemgetter("damaged", "kept")),
            Column("words inserted before/after", itemgetter("inserted_before", "inserted_after")),
        ]

    def notes(self, source: ViewInput) -> Sequence[str]:  # noqa: ARG002 - all data sets have the same
        """Definition of a right word."""
        return [
            "A word of the reference is right if it is a hit of the alignment of words.",
            "error_reduction, corrected_words, damaged_words, improved_segments and worsened_segments have intervals.",
        ]
