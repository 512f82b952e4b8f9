"""Everything the pipeline knows about one segment."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from misread.errors import MisreadError
from misread.metrics import Metric
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.pipeline.stored_segments import read_dataset_texts
from misread.records import Counts, NormalizedTexts, Scores
from misread.storage import read_scores
from misread.tables import SegmentTexts, gather_segments


@dataclass(frozen=True, slots=True)
class MetricValue:
    """One metric of one system on the segment; the rate is None where the reference has no unit."""

    rate: float | None
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Dossier:
    """One segment with its texts, scores and place."""

    dataset: str
    _: KW_ONLY
    raw: SegmentTexts  # errors are of characters
    normalized: SegmentTexts
    reasons: Mapping[str, str]  # by system: why it has no output
    # By metric and system, as the score stage counted; without segments that its policy left out.
    metrics: Mapping[str, Mapping[str, MetricValue]]
    normalizer: str  # its signature
    cluster_name: str
    medium: str  # path of the image or audio, or why it is not known


def compile_dossier(params: Params, dataset: str, segment_id: str, *, root: Path = Path()) -> Dossier:
    """Collect what all stages know of a segment (see `find_segment`)."""
    texts = read_dataset_texts(params, dataset, root=root)
    scores = {
        system: read_scores(root / paths.scores(dataset, system))
        for system, of in texts.items()
        if segment_id in of.segments.segment_id
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
    """Put together what is known of a segment that one of the systems has; `scores` may lack some."""
    row_of = {
        system: of.segments.segment_id.index(segment_id)
        for system, of in texts.items()
        if segment_id in of.segments.segment_id
    }
    chosen = {system: _only(texts[system], row) for system, row in row_of.items()}
    (raw,), (normalized,) = gather_segments(chosen, form="raw"), gather_segments(chosen)
    first = next(iter(chosen.values()))
    values = {system: _values(of, segment_id, metrics) for system, of in scores.items()}
    return Dossier(
        first.origin.dataset,
        raw=raw,
        normalized=normalized,
        reasons={system: reason for system, of in chosen.items() if (reason := of.reasons[0]) is not None},
        metrics={
            metric.id: {system: of[metric.id] for system, of in values.items() if metric.id in of} for metric in metrics
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
                # Of the first run, whose text is shown.
                counts = Counts(counts.columns, scores.runs.counts[metric.id][0])
            rate = float(metric.rate(counts.values[row]))
            values[metric.id] = MetricValue(None if rate != rate else rate, counts.row(row))
    return values


def _medium(params: Params, dataset: str, segment_id: str) -> str:
    try:
        segments = params.dataset(dataset, fetch=True).segments()
    except (MisreadError, OSError) as error:
        # Results outlive the data they were captured from.
        return f"not known: {error}"
    if segment_id not in segments.segment_id:
        return "not known: the data set no longer has such a segment"
    if segments.media is None:
        return "none: its outputs were recorded elsewhere"
    return str(segments.media[segments.segment_id.index(segment_id)])
