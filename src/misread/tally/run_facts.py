"""What is found in one run beside its counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from misread.errors import UndefinedResultError
from misread.tally.adding import Adding
from misread.tally.missing_texts import EmptyTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts(Adding):
    """Facts of one run in some segments."""

    empty_references: EmptyTexts = field(default_factory=EmptyTexts)
    empty_hypotheses: EmptyTexts = field(default_factory=EmptyTexts)
    invisible: Mapping[str, int] = field(default_factory=dict)  # as in `Scores`, as are problems
    problems: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    explained: Mapping[str, Mapping[str, str | int]] = field(default_factory=dict)  # as facts of `SegmentAlignments`
    reference_units: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # as in `ConfusionTable`

    def require_usable(self, segments: int) -> None:
        """Raise UndefinedResultError if a metric can score none of so many segments."""
        for metric, problems in self.problems.items():
            if len(problems) == segments:
                segment_id, problem = next(iter(problems.items()))
                raise UndefinedResultError(
                    f"{metric} can score none of the {segments} segments; the first, {segment_id!r}: {problem}"
                )
