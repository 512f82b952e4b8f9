"""A verdict on every pair of systems from the truth of the spans in which they differ."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from misread.alignment import distances
from misread.data.segment_table import Capture, Origin, TextPairs
from misread.errors import ConfigurationError, UndefinedResultError, setting
from misread.evaluation import score_captures
from misread.features.disputes.spans import DisputedSpans
from misread.features.disputes.stretches import Stretch
from misread.features.disputes.tables import Filled
from misread.features.disputes.verdict_records import DisputedRate, SuspiciousTruth, VerdictRecord
from misread.metrics import Kind, Metric
from misread.normalize.captures import normalize_rows
from misread.sockets import get_metrics
from misread.stats import RatersResult, StatisticsSettings, compare_raters, compare_systems
from misread.tally.scores import Scores
from misread.text.nouns import count_of

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
    disputes: DisputedSpans, filled: Filled, *, metrics: Sequence[str], statistics: StatisticsSettings
) -> DisputeVerdict:
    """Compare systems by the truth of spans; as `Disputes.verdict`, with its errors."""
    chosen = choose_metrics(metrics)
    require_truths(disputes, filled)
    scores = score_texts(disputes, write_texts(disputes, filled.truths), chosen)
    result = compare_systems(scores, chosen, statistics, dataset=disputes.name, baseline=next(iter(disputes.systems)))
    rates = {
        system: {metric.id: _rate(disputes, scores[system], metric) for metric in chosen} for system in disputes.systems
    }
    typed = sum(len(truth) for key in disputes.drawn if (truth := filled.truths.get(key)))
    return DisputeVerdict(
        result=replace(result, signature=result.signature.with_facts({"truth": source_of_truth(disputes)})),
        rates=rates,
        spans=len(disputes.drawn),
        unreadable=sum(truth is None for truth in filled.truths.values()),
        characters=typed,
        share=typed / max(1, _count_characters(disputes)),
        suspicious=_find_suspicious(disputes, filled),
        notes=tuple(_find_forms(disputes, filled)),
    )


def compare_people(disputes: DisputedSpans, filled: Sequence[Filled], confidence: float) -> RatersResult:
    """How far people agree, beyond chance, on which readings are right; raises UndefinedResultError without a kappa."""
    decisions, clusters = [], []
    for span in disputes.spans:
        # What is open, or cannot be read, is no decision.
        truths = [person.truths.get(span.key) for person in filled]
        for reading in span.readings:
            decisions.append([-1 if truth is None else int(truth == reading) for truth in truths])
            clusters.append(disputes.labels[disputes.drawn[span.key].row])
    codes = np.unique(clusters, return_inverse=True)[1].astype(np.int64)
    return compare_raters(
        np.array(decisions, np.int64), codes, [person.name for person in filled], confidence=confidence
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


def require_truths(disputes: DisputedSpans, filled: Filled) -> None:
    """Raise UndefinedResultError if spans have no truth."""
    if keys := [key for key in disputes.drawn if key not in filled.truths]:
        number, first = next((turn, span) for turn, span in enumerate(disputes.spans, 1) if span.key == keys[0])
        raise UndefinedResultError(
            f"{filled.name}: {count_of(len(keys), 'span')} of {len(disputes):,} "
            f"{'has' if len(keys) == 1 else 'have'} no truth (the first: {number}, in segment {first.segment_id!r}). "
            f"Type it, or [?] where nothing can be read, [] where there is no text; or give "
            f"{setting('so_far', True)} for the clusters that are done."
        )


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
    source = {"truth": source_of_truth(disputes)}

    def sign(scores: Scores) -> Scores:
        signatures = {metric: signature.with_facts(source) for metric, signature in scores.signatures.items()}
        return replace(scores, signatures=signatures)

    return {name: sign(system.scores) for name, system in scored.items()}


def source_of_truth(disputes: DisputedSpans) -> str:
    """Source of the truth in signatures."""
    draw = disputes.draw
    settings = {"context": draw.context, "budget": draw.budget, "units": draw.units}
    return f"disputed({','.join(f'{name}={value}' for name, value in settings.items() if value is not None)})"


def _rate(disputes: DisputedSpans, scores: Scores, metric: Metric) -> DisputedRate:
    """Bounds of the rate of one system."""
    counts = scores.counts[metric.id]
    at_least = int(counts["errors"].sum()) / max(1, int(counts["length"].sum()))
    spans = sum(max(_lengths(stretch)) for stretch in disputes.drawn.values())
    at_most = at_least + max(0.0, 1 - spans / max(1, _count_characters(disputes)))
    return DisputedRate(at_least=at_least, at_most=at_most)


def _lengths(stretch: Stretch) -> list[int]:
    return [end - start for start, end in zip(stretch.starts, stretch.ends, strict=True)]


def _count_characters(disputes: DisputedSpans) -> int:
    """Characters of the drawn segments, by the longest text of each."""
    return sum(max(len(texts[row]) for texts in disputes.texts) for row in disputes.rows)


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
