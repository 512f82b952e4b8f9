"""Parts of a corpus, each scored by itself, and the whole that they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, cast

import numpy as np

from misread.data.segment_table import MissingPolicy
from misread.errors import MisreadError
from misread.execution.executor import MapTasks, plain_results
from misread.metrics.base import Metric
from misread.metrics.confusion_table import ConfusionTable
from misread.pipeline.crosscheck import CrossCheckSettings, cross_check, sample_rows
from misread.storage import (
    alignment_columns,
    alignment_note,
    normalized_row_groups,
    read_normalized,
    score_columns,
    score_note,
    table_writer,
)
from misread.storage.confusion_parts import ConfusionSums, OrderedCells, write_ordered
from misread.storage.explanation_files import write_confusion_parts
from misread.storage.parquet_writer import GROUP_ROWS
from misread.storage.part_files import move_part, write_part
from misread.tally.alignments import SegmentAlignments, rates_to_explain
from misread.tally.confusion_sums import add_facts
from misread.tally.equivalents import Equivalents
from misread.tally.missing_texts import MissingTexts, require_segments
from misread.tally.reference_digests import AnnotationSums, add_sums
from misread.tally.run_facts import RunFacts, conclude
from misread.tally.scored_system import ScoredSystem
from misread.tally.scores import Counts, RunCounts, Scores

# Of the errors in all parts, the one that the whole at once would raise is raised: the first in this order.
_ALIGN: Final = 0
_COUNT: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringTask:
    """Rows of a file of normalized texts, and how they are scored."""

    path: Path
    rows: range
    target: Path  # the files of a part are called so, with ends of their own
    metrics: Sequence[Metric]
    missing: MissingPolicy = "error"
    equivalents: Equivalents | None = None
    checked: int = 0  # segments of these rows that are scored twice


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a part cannot be scored, and how early the whole would have found it."""

    place: tuple[int, ...]
    error: MisreadError


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPart:
    """What was found in some of the segments: sums. What there is for each of them is in files."""

    scores: Scores  # without rows, and without what is said of a whole system
    alignments: SegmentAlignments  # without rows
    target: Path | None = None  # of the files with rows and confusions; None where no segment counts
    runs: Sequence[str]
    confusions: ConfusionTable | None = None  # without confusions; None where no segment counts
    cells: Mapping[str, OrderedCells] = field(default_factory=dict)  # confusions of each kind, in a file
    missing: MissingTexts | None = None  # None where the system cannot read the data set
    facts: Sequence[RunFacts] = ()  # of every run
    annotations: AnnotationSums = field(default_factory=dict)
    failure: Failure | None = None  # then nothing else is whole


def plan_parts(
    path: Path,
    metrics: Sequence[Metric],
    folder: Path,
    *,
    missing: MissingPolicy = "error",
    equivalents: Equivalents | None = None,
    checked: int = 0,
    most_rows: int = GROUP_ROWS,
) -> list[ScoringTask]:
    """Cut a file of normalized texts into parts, of a row group at most, whose files go into a folder.

    Results do not depend on how it is cut.

    So many segments, of all parts together, are scored again by `cross_check`.
    """
    parts = [
        range(start, min(start + most_rows, group.stop))
        for group in normalized_row_groups(path)
        for start in range(group.start, group.stop, most_rows)
    ] or [range(0)]
    sample = sample_rows(parts[-1].stop, checked)
    return [
        ScoringTask(
            path=path,
            rows=rows,
            target=folder / str(number),
            metrics=metrics,
            missing=missing,
            equivalents=equivalents,
            checked=sum(row in rows for row in sample),
        )
        for number, rows in enumerate(parts)
    ]


def score_part(task: ScoringTask) -> ScoredPart:
    """Score some rows of a file; what there is for each of them goes into files of the part.

    What goes wrong with their texts is told in the part, and raised by `JoinedParts`.
    """
    texts = read_normalized(task.path, task.rows)
    system = ScoredSystem(texts, task.metrics, task.missing, task.equivalents)
    runs = [of.run for of in (texts, *texts.further_runs)]
    if texts.origin.not_applicable:
        return ScoredPart(scores=system.counted, alignments=system.alignments, runs=runs, confusions=system.confusions)
    if not system.missing_texts.scored:
        return _without_rows(system, runs)
    place: tuple[int, ...] = ()
    try:
        for place in _work(system, task.checked):  # noqa: B007 - where it failed
            pass
    except MisreadError as error:
        return replace(_without_rows(system, runs), failure=Failure(place, error), facts=_known_facts(system, place))
    counted, alignments = system.counted, system.alignments
    confusions, cells = system.ordered_confusions
    write_part(_file(task.target, "scores"), score_columns(counted), kind="scores")
    write_part(_file(task.target, "alignments"), alignment_columns(alignments), kind="alignments")
    return ScoredPart(
        scores=_scores_without_rows(counted),
        alignments=_alignments_without_rows(alignments),
        target=task.target,
        runs=runs,
        confusions=confusions,
        cells={kind: write_ordered(_file(task.target, kind), of_kind) for kind, of_kind in cells.items()},
        missing=system.missing_texts,
        facts=[run.facts for run in system.single_runs],
        annotations=system.annotations,
    )


class JoinedParts:
    """What the parts of a corpus say together; they are added in their order, and their rows are not kept."""

    def __init__(self, folder: Path) -> None:
        self.confusions = ConfusionSums(folder)
        self._first: ScoredPart | None = None
        self._missing = MissingTexts()
        self._facts: list[Sequence[RunFacts]] = []
        self._explained: dict[str, dict[str, str | int]] = {}
        self._failures: list[Failure] = []
        self._annotations: AnnotationSums = {}

    def add(self, part: ScoredPart) -> None:
        """Take a part."""
        self._first = self._first or part
        self._missing += part.missing or MissingTexts()
        self._annotations = add_sums(self._annotations, part.annotations)
        if part.failure:
            self._failures.append(part.failure)
        if part.failure or part.confusions is not None:
            self._facts.append(part.facts)
        if part.confusions is not None:
            self.confusions.add(part.confusions, part.cells)
            self._explained = add_facts(self._explained, part.alignments.facts)

    @property
    def failed(self) -> bool:
        """Whether a part could not be scored, so that no rows are needed any more."""
        return bool(self._failures)

    def total(self) -> tuple[Scores, SegmentAlignments]:
        """Scores and alignments as of the whole at once, but for their rows.

        Raises what scoring the whole at once raises.
        """
        first = self._first
        if first is None:
            raise ValueError("no part was added.")
        if first.scores.origin.not_applicable:
            return first.scores, first.alignments
        require_segments(self._missing, first.scores.origin, first.runs, cast("MissingPolicy", first.scores.missing))
        failure = min(self._failures, key=lambda each: each.place, default=None)
        facts = []
        for run in range(len(first.runs)):
            if failure and failure.place < (_COUNT, run):
                break
            facts.append(RunFacts.joined([of[run] for of in self._facts]))
            facts[-1].require_usable(self._missing.scored)
        if failure:
            raise failure.error
        alignments = replace(first.alignments, facts=self._explained)
        return conclude(first.scores, self._missing, facts, self._annotations), alignments


def write_parts(
    parts: Iterable[ScoredPart],
    folder: Path,
    *,
    scores: Path,
    alignments: Path,
    confusions: Path,
    map_tasks: MapTasks = plain_results,
) -> None:
    """Write the files of the score stage from parts in their order, whose files in the folder are taken away.

    Many confusions are put together by tasks, of which `map_tasks` gives the results, as that of an executor does.

    Nothing is written if one of them failed: raises what scoring the whole at once raises.
    """
    whole = JoinedParts(folder)
    with table_writer(scores, kind="scores") as counts, table_writer(alignments, kind="alignments") as letters:
        for part in parts:
            whole.add(part)
            if whole.failed:
                continue
            if part.target is None:
                counts.write(score_columns(part.scores))
                letters.write(alignment_columns(part.alignments))
            else:
                move_part(_file(part.target, "scores"), counts)
                move_part(_file(part.target, "alignments"), letters)
        of_all, explained = whole.total()
        counts.note, letters.note = score_note(of_all), alignment_note(explained)
    write_confusion_parts(confusions, whole.confusions.facts(), whole.confusions.confusions(map_tasks))


def _file(target: Path, name: str) -> Path:
    return target.with_suffix(f".{name}")


def _work(system: ScoredSystem, checked: int) -> Iterator[tuple[int, ...]]:
    """Do all that may fail, and give before each step its place among those of the whole."""
    rates = rates_to_explain(system.metrics)
    for number, run in enumerate(system.single_runs):
        yield _ALIGN, number, 0
        run.read_alternatives()
        for index, rate in enumerate(rates, start=1):
            yield _ALIGN, number, index
            run.align(rate)
    for number, run in enumerate(system.single_runs):
        yield _COUNT, number, 0
        _ = run.facts
        for index, metric in enumerate(system.metrics, start=1):
            yield _COUNT, number, index
            run.count(metric)
        yield _COUNT, number, len(system.metrics) + 1
        cross_check(run.counted, run.texts, run.metrics, CrossCheckSettings(checked))


def _known_facts(system: ScoredSystem, place: tuple[int, ...]) -> list[RunFacts]:
    """Facts of the runs that were found before the place where the part failed."""
    return [run.facts for number, run in enumerate(system.single_runs) if (_COUNT, number, 0) < place]


def _scores_without_rows(scores: Scores) -> Scores:
    none = np.zeros(0, np.int64)
    return replace(
        scores,
        segments=scores.segments.take([]),
        counts={metric: counts.take(none) for metric, counts in scores.counts.items()},
        reference_digest=(),
        runs=scores.runs and scores.runs.take(none),
    )


def _alignments_without_rows(alignments: SegmentAlignments) -> SegmentAlignments:
    return replace(alignments, segment_id=[], characters=[], words=[])


def _without_rows(system: ScoredSystem, runs: Sequence[str]) -> ScoredPart:
    """A part of which no segment counts."""
    texts = system.texts
    empty = {metric.id: np.zeros((0, len(metric.columns)), np.int64) for metric in system.metrics}
    counts = {metric.id: Counts(metric.columns, empty[metric.id]) for metric in system.metrics}
    of_runs = {metric: np.stack([values] * len(runs)) for metric, values in empty.items()}
    return ScoredPart(
        scores=Scores(
            texts.origin,
            texts.segments.take([]),
            counts=counts,
            signatures=system.signatures,
            normalizer=texts.normalizer,
            missing=system.missing,
            runs=RunCounts(runs, of_runs, np.zeros(0, np.bool_)) if texts.further_runs else None,
        ),
        alignments=SegmentAlignments(texts.origin, [], [], [], {}),
        runs=runs,
        missing=system.missing_texts,
        annotations=system.annotations,
    )
