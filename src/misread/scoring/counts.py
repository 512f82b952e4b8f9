"""Counts of every metric for one system on one data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from misread.alignment import AlternativesIn, align_alternatives
from misread.errors import TooDifferentError, UndefinedResultError
from misread.metrics.base import Metric, ScoredText, TextForm, WrittenAlternatives
from misread.metrics.text.error_rate import ErrorRate
from misread.metrics.text.match_rates import MatchRate
from misread.provenance.plugins import describe_plugin
from misread.provenance.signature import Signature
from misread.records import Counts, MissingPolicy, NormalizedTexts, Origin, Scores, TextPairs
from misread.scoring.empty_texts import describe_empty_texts
from misread.scoring.invisible import count_invisible_differences
from misread.scoring.missing import rows_to_score
from misread.scoring.reference_digests import ReferenceDigests

Text = TypeVar("Text", bound="str | None")


def score(
    texts: NormalizedTexts,
    metrics: Sequence[Metric],
    *,
    missing: MissingPolicy = "error",
    operations: bool = False,
) -> Scores:
    """Count errors per segment; ids of metrics must differ, `operations` keeps the alignments of those that align.

    Raises UndefinedResultError if hypotheses are missing against the policy, there is no segment to score, or none that
    one of the metrics can score; TooDifferentError names the segment that is too long and too different to be aligned.
    """
    rows, forms = texts_to_score(texts, metrics, missing)
    segments = texts.segments if len(rows) == len(texts.segments) else texts.segments.take(rows)
    problems = {metric.id: _problems(metric, forms[metric.text], segments.segment_id) for metric in metrics}
    normalized = forms["normalized"]
    empty = describe_empty_texts(
        texts.origin.system,
        segments.segment_id,
        normalized.references,
        normalized.hypotheses,
        _at(texts.raw.hypotheses, rows),
    )
    return Scores(
        replace(texts.origin, notes=(*texts.origin.notes, *empty)),
        segments,
        {metric.id: _count(metric, forms[metric.text], segments.segment_id, texts.origin) for metric in metrics},
        {metric.id: _signature(metric, texts) for metric in metrics},
        texts.normalizer,
        ReferenceDigests(_at(texts.raw.references, rows)),
        missing,
        len(texts.segments) - len(rows),
        count_invisible_differences(normalized),
        {metric: of for metric, of in problems.items() if of},
        {
            metric.id: letters
            for metric in metrics
            if operations and (letters := metric.operations(forms[metric.text])) is not None
        },
    )


def not_applicable_scores(texts: NormalizedTexts) -> Scores:
    """Scores of a system that cannot read the data set: no rows, and the reason in its origin."""
    return Scores(texts.origin, texts.segments, {}, {}, texts.normalizer, [], "error", 0)


def texts_to_score(
    texts: NormalizedTexts, metrics: Sequence[Metric], missing: MissingPolicy
) -> tuple[Sequence[int], Mapping[TextForm, ScoredText]]:
    """Rows that count under a policy, and their texts in the forms that metrics count on; normalized ones always."""
    rows = rows_to_score(texts, missing)
    wanted = {metric.text for metric in metrics}
    sides = texts.origin.alternatives
    forms: dict[TextForm, ScoredText] = {"normalized": _scored(texts.normalized, rows, missing, sides)}
    if "raw" in wanted:
        # A text that the normalizer leaves as it is is not counted twice.
        sources = (
            (texts.raw.references, texts.normalized.references),
            (texts.raw.hypotheses, texts.normalized.hypotheses),
        )
        is_same = all(raw is normalized for raw, normalized in sources)
        raw = _scored(texts.raw, rows, missing, sides)
        forms["raw"] = forms["normalized"] if is_same else replace(raw, alike=forms["normalized"])
    if "normalized_lines" in wanted:
        # In a text with alternatives line breaks mean nothing.
        lines = forms["normalized"] if sides else _scored(texts.normalized_lines, rows, missing, sides)
        forms["normalized_lines"] = lines
    return rows, forms


def _count(metric: Metric, pairs: ScoredText, segment_ids: Sequence[str], origin: Origin) -> Counts:
    try:
        return Counts(metric.columns, metric.count(pairs))
    except TooDifferentError as error:
        if not isinstance(metric, ErrorRate | MatchRate):
            raise
        name = f"{metric.id}, segment {segment_ids[error.pair]!r} of {origin.dataset!r}, system {origin.system!r}"
        raise error.named(name) from None


def _signature(metric: Metric, texts: NormalizedTexts) -> Signature:
    facts = {}
    if texts.origin.alternatives:
        chosen = "aligned" if metric.chooses_readings else "read-by-words"
        facts["alternatives"] = f"{texts.origin.alternatives}-{chosen}"
    if plugin := describe_plugin(metric):
        facts["plugin"] = plugin
    return metric.signature(texts.normalizer).with_facts(facts)


def _problems(metric: Metric, pairs: ScoredText, segment_ids: Sequence[str]) -> Mapping[str, str]:
    """References that a metric cannot use, by segment id."""
    problems = metric.problems(pairs.references)
    if len(problems) == len(segment_ids):
        row, problem = next(iter(problems.items()))
        raise UndefinedResultError(
            f"{metric.id} can score none of the {len(segment_ids)} segments; the first, {segment_ids[row]!r}: {problem}"
        )
    return {segment_ids[row]: problem for row, problem in problems.items()}


def _scored(pairs: TextPairs, rows: Sequence[int], missing: MissingPolicy, alternatives: str) -> ScoredText:
    hypotheses = _at(pairs.hypotheses, rows)
    if missing == "empty":
        # The only policy that lets a missing hypothesis through to here, as an empty one.
        hypotheses = ["" if text is None else text for text in hypotheses]
    scored = ScoredText(_at(pairs.references, rows), cast("Sequence[str]", hypotheses))
    if not alternatives:
        return scored
    sides = cast("AlternativesIn", alternatives)
    read = align_alternatives(scored.references, scored.hypotheses, alternatives=sides)
    written = WrittenAlternatives(scored.references, scored.hypotheses, sides, read)
    return ScoredText(read.references, read.hypotheses, written=written)


def _at(texts: Sequence[Text], rows: Sequence[int]) -> Sequence[Text]:
    """Texts of these rows, which ascend: the same sequence where they are all."""
    return texts if len(rows) == len(texts) else [texts[row] for row in rows]
