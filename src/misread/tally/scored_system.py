"""One system on one data set: counts of every metric, and the alignments and confusions behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from misread.data.segment_table import MissingPolicy
from misread.errors import MisreadError
from misread.metrics.base import Metric, ScoredText
from misread.metrics.confusion_table import ConfusionTable
from misread.normalize.normalized_texts import NormalizedTexts
from misread.tally.alignments import SegmentAlignments, rates_to_explain
from misread.tally.confusion_sums import order_confusions, sum_confusions
from misread.tally.missing_texts import MissingTexts, find_rows, require_segments
from misread.tally.reference_digests import sum_annotations
from misread.tally.scored_run import RunFacts, ScoredRun, describe_scoring
from misread.tally.scores import Counts, RunCounts, Scores
from misread.tally.tally import ALIGNING, COUNTING, Moment, Tally

if TYPE_CHECKING:
    import pyarrow as pa


Result = TypeVar("Result")


class TextSource(Protocol):
    """Sources of a system's texts: in memory, as `NormalizedTexts`, or in a file that is read when needed."""

    def read(self) -> NormalizedTexts:
        """All texts."""

    def parts(self) -> Iterator[NormalizedTexts]:
        """All texts, a part at a time."""


@dataclass(frozen=True)
class ScoredSystem:
    """One system on one data set under some metrics: counts, alignments and confusions, made when they are asked for.

    Texts are aligned once: counts come from the alignments where these were asked for first. A system that cannot read
    the data set has no rows in any of them. Of a system that read everything several times, counts and confusions are
    sums over its runs; alignments are those of the first. All raise UndefinedResultError if hypotheses are missing
    against the policy, or there is no segment to score; TooDifferentError names the segment that cannot be aligned.
    """

    source: TextSource
    metrics: Sequence[Metric]
    missing: MissingPolicy = "error"
    # Counts that were made before, as the score stage keeps them.
    stored: Scores | None = None

    def __getstate__(self) -> dict[str, object]:
        # What was derived from them for aligning is made again where it is needed.
        state = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**state, "stored": self.__dict__.get("scores", self.stored)}

    @cached_property
    def texts(self) -> NormalizedTexts:
        """All texts."""
        return self.source.read()

    @cached_property
    def runs(self) -> Sequence[ScoredRun]:
        """Every run, on the segments that count: one that a run lacks may be left out of all."""
        rows, missing = self._rows
        _require_segments(missing, self.texts, self.missing)
        return [
            ScoredRun(replace(outputs, further_runs=()), rows, self.metrics, self.missing)
            for outputs in (self.texts, *self.texts.further_runs)
        ]

    def parts(self) -> Iterator[ScoredSystem]:
        """The system in parts, each with some of the texts.

        In memory there is one part, the system itself. Raises as `runs` after the last one.
        """
        missing, part = MissingTexts(), self
        for texts in self.source.parts():
            part = self if texts is self.source else replace(self, source=texts, stored=None)
            missing += part.missing_texts
            if part.missing_texts.scored:
                yield part
        _require_segments(missing, part.texts, self.missing)

    @cached_property
    def scores(self) -> Scores:
        """Counts of every metric; raises UndefinedResultError if one of them can score none of the segments."""
        if self.stored is not None:
            return self.stored
        whole = count_part(self).conclude()
        return whole if whole.origin.not_applicable else whole.with_rows(self.counted)

    @cached_property
    def counted(self) -> Scores:
        """Counts of the rows that count, without statements on the whole system."""
        first, *further = [run.counted for run in self.runs]
        return _sum_runs([first, *further], self.texts, self.runs[0].rows) if further else first

    @property
    def missing_texts(self) -> MissingTexts:
        """Numbers of segments, and hypotheses that are missing, in all runs."""
        return self._rows[1]

    @property
    def alignments(self) -> SegmentAlignments:
        """Alignments of the first error rate of characters or graphemes and the first of words, else of cer and wer."""
        origin = self.texts.origin
        return SegmentAlignments(origin, [], [], [], {}) if origin.not_applicable else self.runs[0].explanation[0]

    @property
    def confusions(self) -> ConfusionTable:
        """Confusions in these alignments and those of further runs."""
        origin = self.texts.origin
        if origin.not_applicable:
            return ConfusionTable(origin, {}, {}, {})
        return sum_confusions([run.explanation[1] for run in self.runs])

    @property
    def ordered_confusions(self) -> dict[str, pa.Table]:
        """Confusions by kind, in the order of their texts, to be added to those of other parts."""
        return order_confusions([run.explanation[1] for run in self.runs])

    @property
    def normalized(self) -> ScoredText:
        """Normalized texts and annotations of the segments that are scored; of several runs, those of the first."""
        return self.runs[0].forms["normalized"]

    @property
    def clusters(self) -> Sequence[str] | None:
        """Clusters of the segments that are scored."""
        return self.runs[0].segments.cluster

    def once(self, count: Callable[[ScoredSystem], Result]) -> Result:
        """Call a function on this system once, and return its result from then on."""
        if count not in self._results:
            self._results[count] = count(self)
        result: Result = self._results[count]
        return result

    def operations(self, metrics: Sequence[Metric]) -> dict[str, Sequence[str]]:
        """Alignments of those of some metrics that align, by id; these need not be among the metrics that count.

        There are none of a system with several runs, which has no one alignment.
        """
        if self.texts.further_runs:
            return {}
        letters_by_metric = {metric.id: self.runs[0].operations(metric) for metric in metrics}
        return {metric: letters for metric, letters in letters_by_metric.items() if letters is not None}

    @cached_property
    def _results(self) -> dict[Callable[..., Any], Any]:
        return {}

    @cached_property
    def _rows(self) -> tuple[Sequence[int], MissingTexts]:
        return find_rows(self.texts, self.missing)


def count_part(
    system: ScoredSystem, *, explains: bool = False, check: Callable[[ScoredRun], object] | None = None
) -> Tally:
    """Count all or some segments of a system: the tally of several parts is their sum.

    With `explains` texts are aligned first, and what alignments explain is in the tally too; `check` looks at the
    counts of each run. What goes wrong with the texts is in the tally, and raised by `Tally.conclude`.
    """
    texts, metrics = system.texts, system.metrics
    tally = Tally(
        described=describe_scoring(texts, metrics, system.missing),
        metrics=[*metrics],
        missing=system.missing_texts,
        runs={outputs.run: RunFacts() for outputs in (texts, *texts.further_runs)},
        annotations=sum_annotations(metrics, texts),
    )
    if texts.origin.not_applicable or not system.missing_texts.scored:
        return tally
    facts = dict(tally.runs)
    moment: Moment = ()
    try:
        for number, run in enumerate(system.runs if explains else ()):
            moment = ALIGNING, number, 0
            run.read_alternatives()
            for index, rate in enumerate(rates_to_explain(metrics), start=1):
                moment = ALIGNING, number, index
                run.align(rate)
        for number, run in enumerate(system.runs):
            moment = COUNTING, number, 0
            facts[run.texts.run] = run.facts
            for index, metric in enumerate(metrics, start=1):
                moment = COUNTING, number, index
                run.count(metric)
            moment = COUNTING, number, len(metrics) + 1
            if check:
                check(run)
    except MisreadError as error:
        return replace(tally, runs=facts, failures={moment: error})
    for run in system.runs if explains else ():
        table = run.explanation[1]
        facts[run.texts.run] = replace(
            facts[run.texts.run], explained=table.facts, reference_units=table.reference_units
        )
    totals = {
        metric: dict(zip(counts.columns, counts.total.tolist(), strict=True))
        for metric, counts in system.counted.counts.items()
    }
    return replace(tally, runs=facts, counts=totals)


def score(texts: NormalizedTexts, metrics: Sequence[Metric], *, missing: MissingPolicy = "error") -> Scores:
    """Counts alone, of metrics whose ids must differ; raises as `ScoredSystem`."""
    return ScoredSystem(texts, metrics, missing).scores


def _require_segments(missing: MissingTexts, texts: NormalizedTexts, policy: MissingPolicy) -> None:
    require_segments(missing, texts.origin, [outputs.run for outputs in (texts, *texts.further_runs)], policy)


def _sum_runs(runs: Sequence[Scores], texts: NormalizedTexts, rows: Sequence[int]) -> Scores:
    """Counts of several runs on the same segments, the `rows` of the texts: the mean of the runs once it is a rate."""
    first = runs[0]
    counts = {metric: np.stack([run.counts[metric].values for run in runs]) for metric in first.counts}
    hypotheses = [outputs.raw.hypotheses for outputs in (texts, *texts.further_runs)]
    same = [len({texts_of_run[row] for texts_of_run in hypotheses}) == 1 for row in rows]
    return replace(
        first,
        counts={metric: Counts(first.counts[metric].columns, values.sum(axis=0)) for metric, values in counts.items()},
        runs=RunCounts([outputs.run for outputs in (texts, *texts.further_runs)], counts, np.array(same, np.bool_)),
    )
