"""One system on one data set: counts of every metric, and the alignments and confusions behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar, cast

import numpy as np

from misread.alignment import AlternativesIn, align_readings, paired_operations, parse_sides
from misread.data.segment_table import MissingPolicy, SegmentKeys, TextPairs
from misread.errors import TooDifferentError
from misread.metrics import ErrorRate
from misread.metrics.base import Metric, ScoredText, TextForm, WrittenAlternatives
from misread.metrics.confusion_table import ConfusionTable
from misread.normalize.normalized_texts import NormalizedTexts
from misread.provenance.plugins import describe_plugin
from misread.provenance.signature import Signature
from misread.tally.alignments import SegmentAlignments, explain, rates_to_explain
from misread.tally.confusion_sums import order_confusions, sum_confusions
from misread.tally.equivalents import Equivalents, uses_equivalents
from misread.tally.invisible import count_invisible_differences
from misread.tally.missing_texts import MissingTexts, find_empty_texts, find_rows, require_segments
from misread.tally.reference_digests import AnnotationSums, ReferenceDigests, sum_annotations
from misread.tally.run_facts import RunFacts, conclude
from misread.tally.scores import Counts, RunCounts, Scores
from misread.text.lazy_texts import ClosedLines

if TYPE_CHECKING:
    import pyarrow as pa


def sum_counts(runs: Sequence[Scores], texts: NormalizedTexts, rows: Sequence[int]) -> Scores:
    """Counts of several runs on the same segments, the `rows` of the texts: the mean of the runs once it is a rate."""
    first = runs[0]
    counts = {metric: np.stack([of.counts[metric].values for of in runs]) for metric in first.counts}
    hypotheses = [of.raw.hypotheses for of in (texts, *texts.further_runs)]
    same = [len({of[row] for of in hypotheses}) == 1 for row in rows]
    return replace(
        first,
        counts={metric: Counts(first.counts[metric].columns, of.sum(axis=0)) for metric, of in counts.items()},
        runs=RunCounts([of.run for of in (texts, *texts.further_runs)], counts, np.array(same, np.bool_)),
    )


Text = TypeVar("Text")
Result = TypeVar("Result")


class Adding(Protocol):
    """Counts of a part, which give those of the whole when they are added."""

    def __add__(self, later: Self, /) -> Self: ...


Sum = TypeVar("Sum", bound=Adding)


@dataclass(frozen=True)
class ScoredSystem:
    """One system on one data set under some metrics: counts, alignments and confusions, made when they are asked for.

    Texts are aligned once: counts come from the alignments where these were asked for first. A system that cannot read
    the data set has no rows in any of them. Of a system that read everything several times, counts and confusions are
    sums over its runs; alignments are those of the first. All raise UndefinedResultError if hypotheses are missing
    against the policy, or there is no segment to score; TooDifferentError names the segment that cannot be aligned.
    """

    texts: NormalizedTexts
    metrics: Sequence[Metric]
    missing: MissingPolicy = "error"
    # For error rates of words in normalized text.
    equivalents: Equivalents | None = None

    @classmethod
    def of_stored(cls, texts: NormalizedTexts, metrics: Sequence[Metric], scores: Scores) -> Self:
        """With counts that were made before."""
        made = cls(texts, metrics, cast("MissingPolicy", scores.missing))
        made.__dict__["scores"] = scores
        return made

    def __getstate__(self) -> dict[str, object]:
        # What was derived from them for aligning is made again where it is needed.
        kept = ("texts", "metrics", "missing", "equivalents", "scores")
        return {name: self.__dict__[name] for name in kept if name in self.__dict__}

    @property
    def single_runs(self) -> Sequence[Self]:
        """One for each run; itself where there is one."""
        # Not kept, as what holds itself stays in memory until the garbage collector comes round.
        return self._runs_apart if self.texts.further_runs else [self]

    @cached_property
    def _runs_apart(self) -> Sequence[Self]:
        runs = [replace(of, further_runs=()) for of in (self.texts, *self.texts.further_runs)]
        made = [type(self)(of, self.metrics, self.missing, self.equivalents) for of in runs]
        for each in made:
            # A segment that one run lacks is left out of all.
            each.__dict__["_rows"] = self._rows
        return made

    @cached_property
    def scores(self) -> Scores:
        """Counts of every metric; raises UndefinedResultError if one of them can score none of the segments."""
        origin = self.texts.origin
        if origin.not_applicable:
            return self.counted
        for run in self.single_runs:
            run.facts.require_usable(self.missing_texts.scored)
            _ = run.counted
        return conclude(self.counted, self.missing_texts, [run.facts for run in self.single_runs], self.annotations)

    @cached_property
    def counted(self) -> Scores:
        """Counts of the rows that count, without what is said of the whole system."""
        texts, metrics = self.texts, self.metrics
        if texts.origin.not_applicable:
            return Scores(texts.origin, texts.segments, normalizer=texts.normalizer, missing=self.missing)
        if texts.further_runs:
            return sum_counts([of.counted for of in self.single_runs], texts, self._rows)
        return Scores(
            texts.origin,
            self._segments,
            counts={metric.id: self.count(metric) for metric in metrics},
            signatures=self.signatures,
            normalizer=texts.normalizer,
            reference_digest=ReferenceDigests(_at(texts.raw.references, self._rows)),
            missing=self.missing,
        )

    @cached_property
    def signatures(self) -> dict[str, Signature]:
        """How the numbers of each metric come about."""
        return {metric.id: _signature(metric, self.texts, self.equivalents) for metric in self.metrics}

    @property
    def annotations(self) -> AnnotationSums:
        """Of all segments, scored or not, what metrics know of the references beside their texts."""
        return sum_annotations(self.metrics, self.texts)

    def read_alternatives(self) -> None:
        """Bring the texts of one run into the forms that metrics count on, by the readings that fit best."""
        _ = self._forms

    def count(self, metric: Metric) -> Counts:
        """Counts of one metric in one run."""
        if metric.id not in self._counts:
            with self._naming(metric):
                self._counts[metric.id] = Counts(metric.columns, metric.count(self._forms[metric.text]))
        return self._counts[metric.id]

    def align(self, rate: ErrorRate) -> None:
        """Align the texts of one run as an error rate does, whose counts then come from this alignment."""
        with self._naming(rate):
            paired_operations(self._forms[rate.text].paired, unit=rate.unit, alignment=rate.alignment)

    @cached_property
    def facts(self) -> RunFacts:
        """What is said of one run beside its counts."""
        normalized = self._forms["normalized"]
        problems = {
            metric.id: {
                self._segments.segment_id[row]: problem
                for row, problem in metric.problems(self._forms[metric.text].references).items()
            }
            for metric in self.metrics
        }
        return RunFacts(
            empty=find_empty_texts(
                self._segments.segment_id,
                normalized.references,
                normalized.hypotheses,
                _at(self.texts.raw.hypotheses, self._rows),
            ),
            invisible=count_invisible_differences(normalized),
            problems={metric: of for metric, of in problems.items() if of},
        )

    @property
    def missing_texts(self) -> MissingTexts:
        """Numbers of segments, and hypotheses that are missing, in all runs."""
        return self._found[1]

    @property
    def alignments(self) -> SegmentAlignments:
        """Alignments of the first error rate of characters or graphemes and the first of words, else of cer and wer."""
        return self.single_runs[0].explanation[0]

    @property
    def confusions(self) -> ConfusionTable:
        """What was read for what, in these alignments and those of further runs."""
        return sum_confusions([of.explanation[1] for of in self.single_runs])

    @property
    def ordered_confusions(self) -> tuple[ConfusionTable, dict[str, pa.Table]]:
        """The same for sums of parts, as `order_confusions` gives them."""
        return order_confusions([of.explanation[1] for of in self.single_runs])

    @property
    def normalized(self) -> ScoredText:
        """Normalized texts and annotations of the segments that are scored; of several runs, those of the first."""
        return self._forms["normalized"]

    @property
    def clusters(self) -> Sequence[str] | None:
        """Clusters of the segments that are scored."""
        return self._segments.cluster

    def once(self, count: Callable[[Self], Result]) -> Result:
        """What a function counts of this system, counted once for all that ask for it."""
        if count not in self._results:
            self._results[count] = count(self)
        result: Result = self._results[count]
        return result

    def summed(self, count: Callable[[ScoredSystem], Sum]) -> Sum:
        """The same of a function whose results add over segments, so that texts need not be in memory at once."""
        return self.once(count)

    def operations(self, metrics: Sequence[Metric]) -> dict[str, Sequence[str]]:
        """Alignments of those of some metrics that align, by id; these need not be among the metrics that count.

        There are none of a system with several runs, which has no one alignment.
        """
        found: dict[str, Sequence[str]] = {}
        if self.texts.further_runs:
            return found
        for metric in metrics:
            with self._naming(metric):
                letters = metric.operations(self._forms[metric.text])
            if letters is not None:
                found[metric.id] = letters
        return found

    @cached_property
    def explanation(self) -> tuple[SegmentAlignments, ConfusionTable]:
        """Alignments and confusions of the first run alone."""
        texts = self.texts
        if texts.origin.not_applicable:
            return SegmentAlignments(texts.origin, [], [], [], {}), ConfusionTable(texts.origin, {}, {}, {})
        for rate in (rates := rates_to_explain(self.metrics)):
            self.align(rate)
        return explain(texts, self._forms, self._segments.segment_id, *rates, equivalents=self.equivalents)

    @cached_property
    def _counts(self) -> dict[str, Counts]:
        return {}

    @cached_property
    def _results(self) -> dict[Callable[..., Any], Any]:
        return {}

    @cached_property
    def _found(self) -> tuple[Sequence[int], MissingTexts]:
        return find_rows(self.texts, self.missing)

    @cached_property
    def _rows(self) -> Sequence[int]:
        rows, missing = self._found
        require_segments(
            missing, self.texts.origin, [of.run for of in (self.texts, *self.texts.further_runs)], self.missing
        )
        return rows

    @cached_property
    def _segments(self) -> SegmentKeys:
        """Of the rows that count."""
        segments = self.texts.segments
        return segments if len(self._rows) == len(segments) else segments.take(self._rows)

    @cached_property
    def _forms(self) -> Mapping[TextForm, ScoredText]:
        forms = forms_to_score(self.texts, self.metrics, self._rows, self.missing)
        if self.equivalents is None:
            return forms
        # One text in two forms is read once.
        normalized = {id(form): form for name, form in forms.items() if name != "raw"}
        read = {key: _with_equivalents(form, self.equivalents) for key, form in normalized.items()}
        return {name: form if name == "raw" else read[id(form)] for name, form in forms.items()}

    @contextmanager
    def _naming(self, metric: Metric) -> Iterator[None]:
        """Name metric, segment and system where texts are too different to be aligned."""
        try:
            yield
        except TooDifferentError as error:
            origin, segment_id = self.texts.origin, self.texts.segments.segment_id[self._rows[error.pair]]
            name = f"{metric.id}, segment {segment_id!r} of {origin.dataset!r}, system {origin.system!r}"
            raise error.named(name) from None


def score(
    texts: NormalizedTexts,
    metrics: Sequence[Metric],
    *,
    missing: MissingPolicy = "error",
    equivalents: Equivalents | None = None,
) -> Scores:
    """Counts alone, of metrics whose ids must differ; raises as `ScoredSystem`."""
    return ScoredSystem(texts, metrics, missing, equivalents).scores


def forms_to_score(
    texts: NormalizedTexts, metrics: Sequence[Metric], rows: Sequence[int], missing: MissingPolicy
) -> Mapping[TextForm, ScoredText]:
    """Texts of these rows in the forms that metrics count on; normalized ones always."""
    wanted = {metric.text for metric in metrics}
    sides = texts.origin.alternatives
    known: dict[str, Any] = {
        "annotations": {name: _at(values, rows) for name, values in texts.annotations.items()},
        "segment_ids": _at(texts.segments.segment_id, rows),
    }
    forms: dict[TextForm, ScoredText] = {"normalized": _scored(texts.normalized, rows, missing, sides, known)}
    if "raw" in wanted:
        # A text that the normalizer leaves as it is is not counted twice.
        raw = _scored(texts.raw, rows, missing, sides, known)
        is_same = _share_texts(texts.raw, texts.normalized)
        forms["raw"] = forms["normalized"] if is_same else replace(raw, alike=forms["normalized"])
    if "normalized_lines" in wanted:
        forms["normalized_lines"] = _scored_lines(texts, rows, missing, forms["normalized"], known)
    return forms


def _share_texts(pairs: TextPairs, others: TextPairs) -> bool:
    """Whether both are the same texts in memory, as those of a file are where no text differs."""
    return pairs.references is others.references and pairs.hypotheses is others.hypotheses


def _scored_lines(
    texts: NormalizedTexts, rows: Sequence[int], missing: MissingPolicy, whole: ScoredText, known: Mapping[str, Any]
) -> ScoredText:
    if texts.origin.alternatives:
        # Line breaks mean nothing there.
        return whole
    lines = _scored(texts.normalized_lines, rows, missing, "", known)
    sides = (lines.references, whole.references), (lines.hypotheses, whole.hypotheses)
    if all(isinstance(closed, ClosedLines) and closed.texts is other for closed, other in sides):
        return replace(lines, without_line_feeds=whole)
    return lines


def _signature(metric: Metric, texts: NormalizedTexts, equivalents: Equivalents | None) -> Signature:
    facts = {}
    if equivalents is not None and uses_equivalents(metric):
        facts["equivalents"] = equivalents.label
    if texts.origin.alternatives:
        chosen = "aligned" if metric.chooses_readings else "read-by-words"
        facts["alternatives"] = f"{texts.origin.alternatives}-{chosen}"
    if texts.origin.empty_cells:
        facts["cells"] = f"empty-is-{texts.origin.empty_cells}"
    if texts.origin.resegmented:
        facts["segments"] = "cut-by-words"
    if texts.origin.part:
        facts["part"] = texts.origin.part
    if plugin := describe_plugin(metric):
        facts["plugin"] = plugin
    return metric.signature(texts.normalizer).with_facts(facts)


def _scored(
    pairs: TextPairs, rows: Sequence[int], missing: MissingPolicy, alternatives: str, known: Mapping[str, Any]
) -> ScoredText:
    hypotheses = _at(pairs.hypotheses, rows)
    if missing == "empty" and None in hypotheses:
        # The only policy that lets a missing hypothesis through to here, as an empty one.
        hypotheses = ["" if text is None else text for text in hypotheses]
    scored = ScoredText(_at(pairs.references, rows), cast("Sequence[str]", hypotheses), **known)
    if not alternatives:
        return scored
    sides = cast("AlternativesIn", alternatives)
    parsed = parse_sides(scored.references, scored.hypotheses, sides)
    read = align_readings(*parsed)
    written = WrittenAlternatives(*parsed, sides, read)
    return ScoredText(read.references, read.hypotheses, written=written, **known)


def _with_equivalents(form: ScoredText, equivalents: Equivalents) -> ScoredText:
    """The same texts, of which error rates of words may read the references otherwise; all others count them as is."""
    sides: AlternativesIn = "references"
    if form.written is None:
        parsed, heard = parse_sides(form.references, form.hypotheses, "")
    else:
        sides, parsed, heard = form.written.sides, [*form.written.references], [*form.written.hypotheses]
    parsed = [equivalents.add_to(items) for items in parsed]
    return replace(form, written=WrittenAlternatives(parsed, heard, sides, align_readings(parsed, heard)))


def _at(texts: Sequence[Text], rows: Sequence[int]) -> Sequence[Text]:
    """Texts of these rows, which ascend: the same sequence where they are all."""
    return texts if len(rows) == len(texts) else [texts[row] for row in rows]
