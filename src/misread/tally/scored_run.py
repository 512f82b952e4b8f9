"""One run of a system on some segments: its texts as metrics count on them, its counts and its alignments."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from misread.alignment import AlternativesIn, align_readings, paired_operations, parse_sides
from misread.data.segment_table import MissingPolicy, SegmentKeys, TextPairs
from misread.errors import TooDifferentError, UndefinedResultError
from misread.metrics import ErrorRate
from misread.metrics.base import Metric, ScoredText, Survey, TextForm, WrittenAlternatives
from misread.metrics.confusion_table import ConfusionTable
from misread.normalize.normalized_texts import NormalizedTexts
from misread.provenance.plugins import describe_plugin
from misread.provenance.signature import Signature
from misread.tally.adding import Adding
from misread.tally.alignments import SegmentAlignments, explain, rates_to_explain
from misread.tally.invisible import count_invisible_differences
from misread.tally.missing_texts import EmptyTexts, find_empty_texts
from misread.tally.reference_digests import ReferenceDigests
from misread.tally.scores import Counts, RunCounts, Scores
from misread.text.lazy_texts import ClosedLines

Text = TypeVar("Text")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts(Adding):
    """Facts of one run in some segments."""

    empty_references: EmptyTexts = field(default_factory=EmptyTexts)
    empty_hypotheses: EmptyTexts = field(default_factory=EmptyTexts)
    invisible: Mapping[str, int] = field(default_factory=dict)  # as in `Scores`, as are problems
    problems: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    surveys: Mapping[str, Survey] = field(default_factory=dict)  # by metric
    explained: Mapping[str, Mapping[str, str | int]] = field(default_factory=dict)  # as facts of `SegmentAlignments`
    reference_units: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # as in `ConfusionTable`

    def require_usable(self, segments: int) -> None:
        """Raise UndefinedResultError if a metric can score none of the segments."""
        for metric, problems in self.problems.items():
            if len(problems) == segments:
                segment_id, problem = next(iter(problems.items()))
                raise UndefinedResultError(
                    f"{metric} can score none of the {segments} segments; the first, {segment_id!r}: {problem}"
                )


@dataclass(frozen=True)
class ScoredRun:
    """One run on the segments that count; everything is computed at its first use, and texts are aligned once."""

    texts: NormalizedTexts
    rows: Sequence[int]  # of the texts, those that count
    metrics: Sequence[Metric]
    missing: MissingPolicy

    def read_alternatives(self) -> None:
        """Bring the texts into the forms that metrics count on, by the readings that fit best."""
        _ = self.forms

    def count(self, metric: Metric) -> Counts:
        """Counts of one metric."""
        if metric.id not in self._counts:
            with self._naming(metric):
                self._counts[metric.id] = Counts(metric.columns, metric.count(self.forms[metric.text]))
        return self._counts[metric.id]

    def align(self, rate: ErrorRate) -> None:
        """Align the texts for an error rate, which then takes its counts from this alignment."""
        with self._naming(rate):
            paired_operations(self.forms[rate.text].paired, unit=rate.unit, alignment=rate.alignment)

    @cached_property
    def counted(self) -> Scores:
        """Counts of every metric, without statements on a whole system."""
        return replace(
            describe_scoring(self.texts, self.metrics, self.missing),
            segments=self.segments,
            counts={metric.id: self.count(metric) for metric in self.metrics},
            reference_digest=ReferenceDigests(_at(self.texts.raw.references, self.rows)),
        )

    @cached_property
    def facts(self) -> RunFacts:
        """Facts other than counts, without those that need alignments."""
        normalized = self.forms["normalized"]
        problems_by_metric = {
            metric.id: {
                self.segments.segment_id[row]: problem
                for row, problem in metric.problems(self.forms[metric.text].references).items()
            }
            for metric in self.metrics
        }
        empty_references, empty_hypotheses = find_empty_texts(
            self.segments.segment_id,
            normalized.references,
            normalized.hypotheses,
            _at(self.texts.raw.hypotheses, self.rows),
        )
        return RunFacts(
            empty_references=empty_references,
            empty_hypotheses=empty_hypotheses,
            invisible=count_invisible_differences(normalized),
            problems={metric: problems for metric, problems in problems_by_metric.items() if problems},
            surveys={metric.id: metric.survey(self.forms[metric.text]) for metric in self.metrics},
        )

    def operations(self, metric: Metric) -> Sequence[str] | None:
        """Letters of every segment, if the metric aligns."""
        with self._naming(metric):
            return metric.operations(self.forms[metric.text])

    @cached_property
    def explanation(self) -> tuple[SegmentAlignments, ConfusionTable]:
        """Alignments of the rates of `rates_to_explain`, and their confusions."""
        for rate in (rates := rates_to_explain(self.metrics)):
            self.align(rate)
        return explain(self.texts, self.forms, self.segments.segment_id, *rates)

    @cached_property
    def segments(self) -> SegmentKeys:
        """Ids, clusters and groups of the rows that count."""
        segments = self.texts.segments
        return segments if len(self.rows) == len(segments) else segments.take(self.rows)

    @cached_property
    def forms(self) -> Mapping[TextForm, ScoredText]:
        """Texts in the forms that metrics count on; normalized ones always."""
        return forms_to_score(self.texts, self.metrics, self.rows, self.missing)

    @cached_property
    def _counts(self) -> dict[str, Counts]:
        return {}

    @contextmanager
    def _naming(self, metric: Metric) -> Iterator[None]:
        """Name metric, segment and system where texts are too different to be aligned."""
        try:
            yield
        except TooDifferentError as error:
            origin, segment_id = self.texts.origin, self.texts.segments.segment_id[self.rows[error.pair]]
            name = f"{metric.id}, segment {segment_id!r} of {origin.dataset!r}, system {origin.system!r}"
            raise error.named(name) from None


def describe_scoring(texts: NormalizedTexts, metrics: Sequence[Metric], missing: MissingPolicy) -> Scores:
    """Scores of no segment: columns, signatures, names of runs, and where the texts come from."""
    described = Scores(texts.origin, texts.segments.take([]), normalizer=texts.normalizer, missing=missing)
    if texts.origin.not_applicable:
        return described
    counts = {metric.id: Counts(metric.columns, np.zeros((0, len(metric.columns)), np.int64)) for metric in metrics}
    runs = [outputs.run for outputs in (texts, *texts.further_runs)]
    run_counts = {metric: np.stack([metric_counts.values] * len(runs)) for metric, metric_counts in counts.items()}
    return replace(
        described,
        counts=counts,
        signatures={metric.id: _signature(metric, texts) for metric in metrics},
        runs=RunCounts(runs, run_counts, np.zeros(0, np.bool_)) if texts.further_runs else None,
    )


def forms_to_score(
    texts: NormalizedTexts, metrics: Sequence[Metric], rows: Sequence[int], missing: MissingPolicy
) -> Mapping[TextForm, ScoredText]:
    """Texts of these rows in the forms that metrics count on; normalized ones always."""
    wanted = {metric.text for metric in metrics}
    sides = texts.origin.facts.alternatives
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
    """Whether both share their texts in memory, as those read from one file do if no text differs."""
    return pairs.references is others.references and pairs.hypotheses is others.hypotheses


def _scored_lines(
    texts: NormalizedTexts, rows: Sequence[int], missing: MissingPolicy, whole: ScoredText, known: Mapping[str, Any]
) -> ScoredText:
    if texts.origin.facts.alternatives:
        # Line breaks mean nothing there.
        return whole
    lines = _scored(texts.normalized_lines, rows, missing, "", known)
    sides = (lines.references, whole.references), (lines.hypotheses, whole.hypotheses)
    if all(isinstance(closed, ClosedLines) and closed.texts is other for closed, other in sides):
        return replace(lines, without_line_feeds=whole)
    return lines


def _signature(metric: Metric, texts: NormalizedTexts) -> Signature:
    facts = dict(texts.origin.facts.signed(chooses_readings=metric.chooses_readings))
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


def _at(texts: Sequence[Text], rows: Sequence[int]) -> Sequence[Text]:
    """Texts of these ascending rows; the same sequence if these are all rows."""
    return texts if len(rows) == len(texts) else [texts[row] for row in rows]
