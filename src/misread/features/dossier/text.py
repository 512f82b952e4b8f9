"""A dossier as lines for a terminal."""

from __future__ import annotations

from rich.text import Text

from misread.features.dossier.dossier import Dossier, MetricValue
from misread.tables.numbers import RateFormat
from misread.tables.terminal.grid import GridStyle, legend
from misread.tables.terminal.segments import segment_text
from misread.text.display import cell_width, show_label

_RATES = RateFormat()


def dossier_text(dossier: Dossier, style: GridStyle) -> list[Text]:
    """Lines with everything about a segment: its place, texts, scores and alignment."""
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
    """Texts that the normalizer changed; the others are named, so that nothing is hidden."""
    raw, normalized = dossier.raw, dossier.normalized
    before = {"reference": raw.reference, **raw.hypotheses}
    after = {"reference": normalized.reference, **normalized.hypotheses}
    changed = [(name, _quoted(text)) for name, text in after.items() if text is not None and text != before[name]]
    same = [name for name, text in after.items() if text is not None and text == before[name]]
    return [*_labelled(changed), *([Text(show_label(f"  unchanged: {', '.join(same)}"))] if same else [])]


def _metric_table(dossier: Dossier) -> list[Text]:
    systems = list(dossier.normalized.hypotheses)
    header = ["metric", *map(show_label, systems)]
    rows = [[metric, *(_value(of.get(system)) for system in systems)] for metric, of in dossier.metrics.items()]
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
    """Cells of each column below each other; the last one is as wide as it is."""
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    widths[-1:] = [0]
    padded = (
        [cell + " " * (width - cell_width(cell)) for cell, width in zip(row, widths, strict=True)] for row in rows
    )
    return list(map("  ".join, padded))


def _quoted(text: str) -> str:
    """The text in quotes on one line, with line ends and what cannot be printed as escapes."""
    return repr(text)
