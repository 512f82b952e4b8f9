"""What is said of a whole system beside its counts: sums of what was found in its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from misread.errors import UndefinedResultError
from misread.tally.invisible import KINDS
from misread.tally.missing_texts import EmptyTexts, MissingTexts, describe_counted_as_empty, describe_empty_texts
from misread.tally.reference_digests import AnnotationSums, sign_annotations
from misread.tally.scores import Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """Facts of one run; they add over parts of its segments."""

    empty: tuple[EmptyTexts, EmptyTexts] = (EmptyTexts(), EmptyTexts())  # references, hypotheses
    invisible: Mapping[str, int] = field(default_factory=dict)  # as in `Scores`, as are problems
    problems: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def joined(cls, parts: Sequence[RunFacts]) -> RunFacts:
        """Facts of all segments of several parts."""
        problems: dict[str, dict[str, str]] = {}
        for part in parts:
            for metric, of in part.problems.items():
                problems.setdefault(metric, {}).update(of)
        sides = zip(*(part.empty for part in parts), strict=True)
        references, hypotheses = (sum(side, EmptyTexts()) for side in sides)
        totals = {kind: sum(part.invisible.get(kind, 0) for part in parts) for kind in KINDS}
        return cls(
            empty=(references, hypotheses),
            invisible={kind: number for kind, number in totals.items() if number},
            problems=problems,
        )

    def require_usable(self, segments: int) -> None:
        """Raise UndefinedResultError if a metric can score none of so many segments."""
        for metric, problems in self.problems.items():
            if len(problems) == segments:
                segment_id, problem = next(iter(problems.items()))
                raise UndefinedResultError(
                    f"{metric} can score none of the {segments} segments; the first, {segment_id!r}: {problem}"
                )


def conclude(counted: Scores, missing: MissingTexts, runs: Sequence[RunFacts], annotations: AnnotationSums) -> Scores:
    """Counts with what is said of the whole system: warnings, segments that are left out, invisible differences."""
    origin = counted.origin
    of_runs = chain.from_iterable(
        (*origin.notes, *describe_empty_texts(origin.system, missing.scored, *run.empty)) for run in runs
    )
    notes = [*of_runs, *describe_counted_as_empty(missing, origin.system, len(runs))]
    return replace(
        counted,
        origin=replace(origin, notes=tuple(dict.fromkeys(notes)) if len(runs) > 1 else tuple(notes)),
        excluded=missing.segments - missing.scored,
        # Segments of the worst run: the same ones may be concerned in all.
        invisible={kind: number for kind in KINDS if (number := max(run.invisible.get(kind, 0) for run in runs))},
        problems=runs[0].problems,
        signatures=sign_annotations(counted.signatures, annotations),
    )
