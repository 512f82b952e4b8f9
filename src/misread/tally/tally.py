"""Counts of one system in any part of a corpus, as one additive record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, cast

from misread.data.segment_table import MissingPolicy
from misread.errors import MisreadError
from misread.metrics.base import Metric
from misread.metrics.confusion_table import ConfusionTable
from misread.tally.adding import Adding
from misread.tally.alignments import SegmentAlignments
from misread.tally.invisible import KINDS
from misread.tally.missing_texts import (
    MissingTexts,
    describe_counted_as_empty,
    describe_empty_texts,
    require_segments,
)
from misread.tally.reference_digests import AnnotationSums, sign_annotations
from misread.tally.scored_run import RunFacts
from misread.tally.scores import Scores
from misread.tally.step_changes import ChangesByLabel

Moment: TypeAlias = tuple[int, ...]
"""When the whole, counted at once, would come to something: of two errors it raises the one whose moment is lower."""

NORMALIZING: Final[Moment] = (0,)
ALIGNING: Final = 1  # then the number of a run, and of a rate
COUNTING: Final = 2  # then the number of a run, and of a metric


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally(Adding):
    """Sums, facts and notes of counts in some segments; those of a corpus are the sum over its parts.

    `Tally()` is zero. Rows of segments are never in it, nor confusions, which are as many as the errors.
    """

    # Scores of no segment, without statements on a whole system: the same in every part.
    described: Scores | None = field(default=None, compare=False)
    metrics: Sequence[Metric] | None = field(default=None, compare=False)
    missing: MissingTexts = field(default_factory=MissingTexts)
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # over all runs, by metric and column
    runs: Mapping[str, RunFacts] = field(default_factory=dict)  # by the name of the run, in their order
    annotations: AnnotationSums = field(default_factory=dict)
    changes: ChangesByLabel = field(default_factory=dict)
    # If there are any, a part that failed lacks what comes after.
    failures: Mapping[Moment, MisreadError] = field(default_factory=dict)

    def conclude(self) -> Scores:
        """Scores of no segment, with all statements on the whole: warnings, segments left out, invisible differences.

        Raises what counting the whole at once raises.
        """
        self._raise_failure()
        described = self._described
        origin, missing, runs = described.origin, self.missing, self.runs.values()
        if origin.not_applicable:
            return described
        empty = [
            sentence
            for run in runs
            for sentence in describe_empty_texts(
                origin.system, missing.scored, run.empty_references, run.empty_hypotheses
            )
        ]
        surveys = sum(runs, RunFacts()).surveys
        doubts = [
            *describe_counted_as_empty(missing, origin.system, len(runs)),
            *(doubt for metric in self.metrics or () for doubt in metric.doubts(surveys[metric.id], origin.system)),
        ]
        return replace(
            described,
            origin=replace(origin, facts=origin.facts.with_notes(*empty).with_doubts(*doubts)),
            excluded=missing.segments - missing.scored,
            missing_outputs=missing.outputs(self.runs),
            # Segments of the worst run: the same ones may be concerned in all.
            invisible={kind: number for kind in KINDS if (number := max(run.invisible.get(kind, 0) for run in runs))},
            problems=next(iter(runs)).problems,
            signatures=sign_annotations(described.signatures, self.annotations),
        )

    def explain(self) -> tuple[SegmentAlignments, ConfusionTable]:
        """Facts of the alignments of the first run and of the confusions of all runs, without their rows."""
        origin, total = self._described.origin, sum(self.runs.values(), RunFacts())
        units = {kind: dict(sorted(occurrences.items())) for kind, occurrences in total.reference_units.items()}
        return (
            SegmentAlignments(origin, [], [], [], next(iter(self.runs.values())).explained),
            ConfusionTable(origin, {}, total.explained, units),
        )

    @property
    def _described(self) -> Scores:
        if self.described is None:
            raise ValueError("nothing was counted.")
        return self.described

    def _raise_failure(self) -> None:
        """Raise the error that counting the whole at once would come to first."""
        first = min(self.failures, default=None)
        if first == NORMALIZING:
            raise self.failures[first]
        described = self._described
        if not described.origin.not_applicable:
            require_segments(self.missing, described.origin, [*self.runs], cast("MissingPolicy", described.missing))
            for number, run in enumerate(self.runs.values()):
                if first is None or first > (COUNTING, number, 0):
                    run.require_usable(self.missing.scored)
        if first is not None:
            raise self.failures[first]
