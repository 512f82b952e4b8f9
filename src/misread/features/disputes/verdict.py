"""A verdict on every pair of systems from the truth of the spans in which they differ."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from misread.alignment import distances
from misread.data.segment_table import Capture, Origin, TextPairs
from misread.errors import ConfigurationError, UndefinedResultError, setting
from misread.evaluation import score_captures
from misread.features.disputes.audited_rates import AuditCounts, audited_rate
from misread.features.disputes.stretches import Stretch
from misread.features.disputes.verdict_records import DifferenceBounds, DisputedRate, SuspiciousTruth, VerdictRecord
from misread.metrics import ErrorRate, Kind, Metric
from misread.normalize.captures import normalize_rows
from misread.sockets import get_metrics
from misread.stats import (
    DatasetResult,
    StatisticsSettings,
    compare_systems,
)
from misread.text.nouns import count_of

if TYPE_CHECKING:
    from misread.features.disputes.spans import DisputedSpans
    from misread.features.disputes.tables import Filled
    from misread.tally.scores import Scores
    from misread.types import IntArray

_FAR: Final = 0.5
_FEWEST_FAR: Final = 3
"""A truth is suspicious if more than half of it, and at least this many characters, differ from the nearest reading."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DisputeVerdict(VerdictRecord):
    """Verdict on systems by the truth of spans; prints as its tables."""

    def __str__(self) -> str:
        from misread.features.disputes.verdict_table import lay_out_verdict
        from misread.tables.render.terminal import render_text

        return render_text(lay_out_verdict(self)).rstrip("\n")


@dataclass(frozen=True, eq=False)
class ComparedTexts:
    """Texts of the drawn segments: references, and hypotheses by system."""

    references: list[str]
    hypotheses: Mapping[str, list[str]]


def reach_verdict(
    disputes: DisputedSpans,
    filled: Filled,
    *,
    metrics: Sequence[str],
    partial: bool,
    statistics: StatisticsSettings,
) -> DisputeVerdict:
    """Compare systems by the truth of spans; as `Disputes.verdict`, with its errors."""
    chosen = choose_metrics(metrics)
    open_spans = _find_open(disputes, filled, partial=partial)
    disputed = {key: stretch for key, stretch in disputes.drawn.items() if stretch.is_disputed}
    audits = {key: stretch for key, stretch in disputes.drawn.items() if not stretch.is_disputed}
    # An open span is empty at least.
    truths = {key: filled.truths.get(key, "") for key in disputed}
    texts = write_texts(disputes, truths)
    scores = score_texts(disputes, texts, chosen)
    result = _compare(disputes, scores, chosen, statistics)
    bounds: tuple[DifferenceBounds, ...] = ()
    rates: dict[str, dict[str, DisputedRate]] = {}
    if open_disputes := [key for key in open_spans if key in disputed]:
        bounds = tuple(_bound(disputes, texts, scores, {disputed[key].row for key in open_disputes}, chosen))
        result = replace(result, comparisons=(), systems={}, groups={}, ranking={}, warnings=(), cautions=())
    else:
        audited = {key: truth for key in audits if (truth := filled.truths.get(key)) is not None}
        whole = bool(audits) and not open_spans
        with_audits = score_texts(disputes, write_texts(disputes, {**truths, **audited}), chosen) if whole else {}
        rates = {
            system: {
                metric.id: _rate(
                    disputes,
                    scores[system],
                    with_audits.get(system),
                    metric,
                    audited,
                    confidence=statistics.confidence,
                )
                for metric in chosen
            }
            for system in disputes.systems
        }
    typed = sum(len(truth) for key in disputes.drawn if (truth := filled.truths.get(key)))
    return DisputeVerdict(
        result=result,
        rates=rates,
        bounds=bounds,
        spans=len(disputes.drawn),
        audited=len(audits),
        open=len(open_spans),
        unreadable=sum(truth is None for truth in filled.truths.values()),
        characters=typed,
        share=typed / max(1, _count_characters(disputes)),
        suspicious=_find_suspicious(disputes, filled),
        notes=tuple(_find_forms(disputes, filled)),
    )


def choose_metrics(names: Sequence[str]) -> list[Metric]:
    """Metrics by their names; raises ConfigurationError for one that counts no errors of normalized text."""
    metrics = get_metrics(names)
    for metric in metrics:
        if metric.kind is not Kind.ERROR_RATE or metric.text != "normalized" or "length" not in metric.columns:
            raise ConfigurationError(
                f"{setting('metrics')} names {metric.id}, and the truth of spans is that of error rates alone; choose "
                "cer, ger or wer."
            )
    return metrics


def _find_open(disputes: DisputedSpans, filled: Filled, *, partial: bool) -> list[str]:
    """Keys of spans without a truth; raises UndefinedResultError if there are some."""
    keys = [key for key in disputes.drawn if key not in filled.truths]
    if keys and not partial:
        number, first = next((turn, span) for turn, span in enumerate(disputes.spans, 1) if span.key == keys[0])
        raise UndefinedResultError(
            f"{filled.name}: {count_of(len(keys), 'span')} of {len(disputes):,} "
            f"{'has' if len(keys) == 1 else 'have'} no truth (the first: {number}, in segment {first.segment_id!r}). "
            f"Type it, or [?] where nothing can be read, [] where there is no text; or give "
            f"{setting('partial', True)} for bounds of each difference."
        )
    return keys


def write_texts(disputes: DisputedSpans, truths: Mapping[str, str | None]) -> ComparedTexts:
    """Agreed text and the truth of spans as references; spans whose truth is None are in no text."""
    by_row: dict[int, list[tuple[Stretch, str | None]]] = {row: [] for row in disputes.rows}
    for key, truth in truths.items():
        by_row[disputes.drawn[key].row].append((disputes.drawn[key], truth))
    references = []
    hypotheses: dict[str, list[str]] = {name: [] for name in disputes.systems}
    for row, stretches in by_row.items():
        stretches.sort(key=lambda entry: entry[0].starts)
        references.append(_replace(disputes.texts[0][row], 0, stretches))
        unreadable = [entry for entry in stretches if entry[1] is None]
        for index, (name, text) in enumerate(zip(disputes.order, disputes.texts, strict=True)):
            hypotheses[name].append(_replace(text[row], index, unreadable))
    return ComparedTexts(references, hypotheses)


def _replace(text: str, system: int, stretches: Sequence[tuple[Stretch, str | None]]) -> str:
    """The text of one system with other texts in the place of stretches."""
    parts, end = [], 0
    for stretch, truth in stretches:
        parts += [text[end : stretch.starts[system]], truth or ""]
        end = stretch.ends[system]
    return "".join([*parts, text[end:]])


def score_texts(disputes: DisputedSpans, texts: ComparedTexts, metrics: Sequence[Metric]) -> dict[str, Scores]:
    """Counts by system, signed with where the truth comes from."""
    keys = disputes.keys.take(disputes.rows)
    reasons: list[str | None] = [None] * len(keys)
    captures = {
        name: Capture(
            Origin(disputes.name, name, cluster_name="" if keys.cluster is None else disputes.unit),
            keys,
            TextPairs(texts.references, hypotheses),
            reasons,
        )
        for name, hypotheses in texts.hypotheses.items()
    }
    scored = score_captures(captures, disputes.normalizer, metrics, missing="error")
    return {
        name: replace(
            system.scores,
            signatures={
                metric: signature.with_facts({"truth": _source(disputes)})
                for metric, signature in system.scores.signatures.items()
            },
        )
        for name, system in scored.items()
    }


def _compare(
    disputes: DisputedSpans, scores: Mapping[str, Scores], metrics: Sequence[Metric], statistics: StatisticsSettings
) -> DatasetResult:
    result = compare_systems(scores, metrics, statistics, dataset=disputes.name, baseline=next(iter(disputes.systems)))
    return replace(result, signature=result.signature.with_facts({"truth": _source(disputes)}))


def _source(disputes: DisputedSpans) -> str:
    """Source of the truth in signatures."""
    draw = disputes.draw
    settings = {"context": draw.context, "audit": draw.audit or None, "budget": draw.budget}
    return f"disputed({','.join(f'{name}={value}' for name, value in settings.items() if value is not None)})"


def _length(stretch: Stretch) -> int:
    return stretch.ends[0] - stretch.starts[0]


def _rate(
    disputes: DisputedSpans,
    scores: Scores,
    with_audits: Scores | None,
    metric: Metric,
    audited: Mapping[str, str],
    *,
    confidence: float,
) -> DisputedRate:
    """Bounds of the rate of one system."""
    counts = scores.counts[metric.id]
    errors, length = int(counts["errors"].sum()), int(counts["length"].sum())
    at_least = errors / max(1, length)
    spans = sum(max(_lengths(stretch)) for stretch in disputes.drawn.values() if stretch.is_disputed)
    at_most = at_least + max(0.0, 1 - spans / max(1, _count_characters(disputes)))
    rate, interval = None, None
    if with_audits:
        names, codes = np.unique([disputes.labels[row] for row in disputes.rows], return_inverse=True)
        windows = dict.fromkeys(names.tolist(), 0)
        for key in audited:
            windows[disputes.labels[disputes.drawn[key].row]] += _length(disputes.drawn[key])

        def by_cluster(values: IntArray) -> IntArray:
            return np.bincount(codes, values, len(names)).astype(np.int64)

        further = with_audits.counts[metric.id]
        rate, interval = audited_rate(
            AuditCounts(
                errors=by_cluster(counts["errors"]),
                length=by_cluster(counts["length"]),
                further_errors=by_cluster(further["errors"] - counts["errors"]),
                further_length=by_cluster(further["length"] - counts["length"]),
                agreed=np.array([sum(map(_length, disputes.windows[name])) for name in names.tolist()], np.int64),
                audited=np.array([*windows.values()], np.int64),
            ),
            confidence,
        )
    return DisputedRate(at_least=at_least, at_most=at_most, rate=rate, interval=interval)


def _lengths(stretch: Stretch) -> list[int]:
    return [end - start for start, end in zip(stretch.starts, stretch.ends, strict=True)]


def _count_characters(disputes: DisputedSpans) -> int:
    """Characters of the drawn segments, by the longest text of each."""
    return sum(max(len(texts[row]) for texts in disputes.texts) for row in disputes.rows)


def _bound(
    disputes: DisputedSpans,
    texts: ComparedTexts,
    scores: Mapping[str, Scores],
    open_rows: Collection[int],
    metrics: Sequence[Metric],
) -> Iterator[DifferenceBounds]:
    """Bounds of every difference, from texts in which open spans are empty, and segments that have one.

    By the triangle inequality no truth of a segment lets the errors of two systems differ by more than their texts do.
    The length of all references is at least what it is here, and may be any that is larger.
    """
    is_open = np.array([row in open_rows for row in disputes.rows])
    for baseline, system in combinations(disputes.systems, 2):
        apart = score_texts(
            disputes,
            ComparedTexts(texts.hypotheses[baseline], {system: texts.hypotheses[system]}),
            metrics,
        )[system]
        for metric in metrics:
            if not (isinstance(metric, ErrorRate) and metric.alignment == "unit"):
                raise ConfigurationError(
                    f"{setting('metrics')} names {metric.name or metric.id}, whose differences have no bounds while "
                    "spans are open; choose cer, ger or wer."
                )
            first, second = (scores[name].counts[metric.id] for name in (baseline, system))
            known = int((second["errors"] - first["errors"])[~is_open].sum())
            reach = int(apart.counts[metric.id]["errors"][is_open].sum())
            length = max(1, int(first["length"].sum()))
            yield DifferenceBounds(
                baseline=baseline,
                system=system,
                metric=metric.id,
                fewest=known - reach,
                most=known + reach,
                low=min(known - reach, 0) / length,
                high=max(known + reach, 0) / length,
            )


def _find_forms(disputes: DisputedSpans, filled: Filled) -> Iterator[str]:
    """How many truths differ in form from all readings of their spans, by what nobody sees who types them."""
    forms: dict[str, Callable[[str], bool]] = {
        "has decomposed letters (NFD), and no reading has; type composed ones (NFC)": _is_decomposed,
        "has no line break, and all readings have one; type it": lambda text: "\n" not in text,
        "begins or ends with a blank, and no reading does; it counts as typed": lambda text: text != text.strip(),
    }
    for form, has_form in forms.items():
        numbers = [
            number
            for number, span in enumerate(disputes.spans, start=1)
            if (truth := filled.truths.get(span.key)) and has_form(truth) and not any(map(has_form, span.readings))
        ]
        if numbers:
            yield f"The truth of {count_of(len(numbers), 'span')} (the first: {numbers[0]:,}) {form}."


def _is_decomposed(text: str) -> bool:
    return not unicodedata.is_normalized("NFC", text)


def _find_suspicious(disputes: DisputedSpans, filled: Filled) -> tuple[SuspiciousTruth, ...]:
    """Truths, as the normalizer leaves them, that are far from every reading."""
    spans = [span for span in disputes.spans if filled.truths.get(span.key) is not None]
    if not spans:
        return ()
    rows = [disputes.drawn[span.key].row for span in spans]
    typed = [filled.truths[span.key] or "" for span in spans]
    capture = Capture(Origin(disputes.name, ""), disputes.keys.take(rows), TextPairs(typed, typed), [None] * len(rows))
    truths = normalize_rows(capture, disputes.normalizer).normalized.references
    nearest = np.full(len(spans), np.iinfo(np.int64).max)
    for turn in range(max(len(span.readings) for span in spans)):
        readings = [span.readings[min(turn, len(span.readings) - 1)] for span in spans]
        nearest = np.minimum(nearest, distances([*truths], readings))
    return tuple(
        SuspiciousTruth(segment_id=span.segment_id, truth=text, readings=span.readings)
        for span, truth, text, apart in zip(spans, truths, typed, nearest.tolist(), strict=True)
        if apart >= _FEWEST_FAR and apart > _FAR * max(len(truth), *map(len, span.readings))
    )
