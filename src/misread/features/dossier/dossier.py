"""Everything the pipeline knows about one segment, and its display in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from rich.text import Text

from misread.errors import MisreadError
from misread.metrics import Metric
from misread.normalize.normalized_texts import NormalizedTexts
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.pipeline.stored_segments import read_dataset_texts
from misread.storage import read_scores
from misread.tables import SegmentTexts, gather_segments
from misread.tables.number_text import RateFormat
from misread.tables.terminal.grid import GridStyle, legend
from misread.tables.terminal.segments import segment_text
from misread.tally.scores import Counts, Scores
from misread.text.display import cell_width, show_label


@dataclass(frozen=True, slots=True)
class MetricValue:
    """One metric of one system on the segment; the rate is None if the reference has no unit."""

    rate: float | None
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Dossier:
    """One segment with its texts, scores and position."""

    dataset: str
    _: KW_ONLY
    raw: SegmentTexts  # errors are of characters
    normalized: SegmentTexts
    reasons: Mapping[str, str]  # by system: reason for a missing output
    # By metric and system, as counted by the score stage, without those that its policy left out.
    metrics: Mapping[str, Mapping[str, MetricValue]]
    normalizer: str  # its signature
    cluster_name: str
    medium: str  # path of the image or audio, or the reason why it is unknown


def compile_dossier(params: Params, dataset: str, segment_id: str, *, root: Path = Path()) -> Dossier:
    """Collect all stages' data on a segment (see `find_segment`)."""
    texts = read_dataset_texts(params, dataset, root=root)
    scores = {
        system: read_scores(root / paths.scores(dataset, system))
        for system, system_texts in texts.items()
        if segment_id in system_texts.segments.segment_id
    }
    return describe_segment(segment_id, texts, scores, params.metrics(), medium=_medium(params, dataset, segment_id))


def describe_segment(
    segment_id: str,
    texts: Mapping[str, NormalizedTexts],
    scores: Mapping[str, Scores],
    metrics: Sequence[Metric],
    *,
    medium: str,
) -> Dossier:
    """Dossier of a segment that at least one system has; `scores` may lack systems."""
    row_of = {
        system: system_texts.segments.segment_id.index(segment_id)
        for system, system_texts in texts.items()
        if segment_id in system_texts.segments.segment_id
    }
    chosen = {system: _only(texts[system], row) for system, row in row_of.items()}
    (raw,), (normalized,) = gather_segments(chosen, form="raw"), gather_segments(chosen)
    first = next(iter(chosen.values()))
    values = {system: _values(system_scores, segment_id, metrics) for system, system_scores in scores.items()}
    return Dossier(
        first.origin.dataset,
        raw=raw,
        normalized=normalized,
        reasons={
            system: reason for system, system_texts in chosen.items() if (reason := system_texts.reasons[0]) is not None
        },
        metrics={
            metric.id: {
                system: values_by_metric[metric.id]
                for system, values_by_metric in values.items()
                if metric.id in values_by_metric
            }
            for metric in metrics
        },
        normalizer=first.normalizer,
        cluster_name=first.origin.cluster_name or "cluster",
        medium=medium,
    )


def _only(texts: NormalizedTexts, row: int) -> NormalizedTexts:
    rows = [row]
    return NormalizedTexts(
        texts.origin,
        texts.segments.take(rows),
        raw=texts.raw.take(rows),
        normalized=texts.normalized.take(rows),
        normalized_lines=texts.normalized_lines.take(rows),
        reasons=[texts.reasons[row]],
        annotations={name: [values[row]] for name, values in texts.annotations.items()},
        normalizer=texts.normalizer,
    )


def _values(scores: Scores, segment_id: str, metrics: Sequence[Metric]) -> dict[str, MetricValue]:
    if segment_id not in scores.segments.segment_id:
        return {}
    row = scores.segments.segment_id.index(segment_id)
    values = {}
    for metric in metrics:
        if metric.id in scores.counts:
            counts = scores.counts[metric.id]
            if scores.runs:
                # Counts of the first run, whose text is shown.
                counts = Counts(counts.columns, scores.runs.counts[metric.id][0])
            rate = float(metric.rate(counts.values[row]))
            values[metric.id] = MetricValue(None if rate != rate else rate, counts.row(row))
    return values


def _medium(params: Params, dataset: str, segment_id: str) -> str:
    try:
        segments = params.dataset(dataset, fetch=True).segments()
    except (MisreadError, OSError) as error:
        # Results may outlive the data that they were captured from.
        return f"not known: {error}"
    if segment_id not in segments.segment_id:
        return "not known: the data set no longer has such a segment"
    if segments.media is None:
        return "none: its outputs were recorded elsewhere"
    return str(segments.media[segments.segment_id.index(segment_id)])


_RATES = RateFormat()


def dossier_text(dossier: Dossier, style: GridStyle) -> list[Text]:
    """Lines with everything about a segment: position, texts, scores and alignment."""
    segment = dossier.normalized
    facts = [("segment", segment.segment_id), ("data set", dossier.dataset)]
    if segment.cluster is not None:
        facts.append((dossier.cluster_name, segment.cluster))
    facts += [*segment.groups.items(), ("source", dossier.medium)]
    lines = [*_labelled(facts), Text(), Text("texts as they came, in quotes", "bold"), *_raw_texts(dossier)]
    lines += [Text(), Text(f"after the normalizer {dossier.normalizer}", "bold"), *_normalized_texts(dossier)]
    lines += [Text(), *_metric_table(dossier), Text()]
    lines += segment_text(segment, style)
    return [*lines, legend(style)]


def _raw_texts(dossier: Dossier) -> list[Text]:
    raw = dossier.raw
    texts = [("reference", _quoted(raw.reference))]
    for system, hypothesis in raw.hypotheses.items():
        missing = f"no output: {dossier.reasons.get(system, 'no reason was recorded')}"
        texts.append((system, missing if hypothesis is None else _quoted(hypothesis)))
    return _labelled(texts)


def _normalized_texts(dossier: Dossier) -> list[Text]:
    """Texts that the normalizer changed; the names of the others, so that nothing is hidden."""
    raw, normalized = dossier.raw, dossier.normalized
    before = {"reference": raw.reference, **raw.hypotheses}
    after = {"reference": normalized.reference, **normalized.hypotheses}
    changed = [(name, _quoted(text)) for name, text in after.items() if text is not None and text != before[name]]
    same = [name for name, text in after.items() if text is not None and text == before[name]]
    return [*_labelled(changed), *([Text(show_label(f"  unchanged: {', '.join(same)}"))] if same else [])]


def _metric_table(dossier: Dossier) -> list[Text]:
    systems = list(dossier.normalized.hypotheses)
    header = ["metric", *map(show_label, systems)]
    rows = [
        [metric, *(_value(value_by_system.get(system)) for system in systems)]
        for metric, value_by_system in dossier.metrics.items()
    ]
    first, *others = _padded([header, *rows])
    return [Text(first, "bold"), *map(Text, others)]


def _value(value: MetricValue | None) -> str:
    if value is None:
        return "not scored"
    counts = value.counts
    basis = f" ({counts['errors']}/{counts['length']})" if {"errors", "length"} <= set(counts) else ""
    return ("undefined" if value.rate is None else f"{_RATES.rate(value.rate)} %") + basis


def _labelled(facts: list[tuple[str, str]]) -> list[Text]:
    return [Text(f"  {line}") for line in _padded([[show_label(name), show_label(value)] for name, value in facts])]


def _padded(rows: list[list[str]]) -> list[str]:
    """Rows with aligned columns; the last column is not padded."""
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    widths[-1:] = [0]
    padded = (
        [cell + " " * (width - cell_width(cell)) for cell, width in zip(row, widths, strict=True)] for row in rows
    )
    return list(map("  ".join, padded))


def _quoted(text: str) -> str:
    """The text in quotes on one line, with line ends and unprintable characters as escapes."""
    return repr(text)
