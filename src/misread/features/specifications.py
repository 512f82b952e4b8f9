"""Reports that specifications add to rates: a line for each text, and words and published rates for comparison."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from misread.alignment import Unit
from misread.errors import ConfigurationError, setting
from misread.metrics import BENCHMARK_STANDARDS, QUALITY, ErrorRate
from misread.metrics.bands import BenchmarkStandard
from misread.metrics.prediction_evaluation import PredictionEvaluation, evaluate_prediction, evaluations_csv
from misread.tables import Column, Table
from misread.tables.number_text import RateFormat
from misread.tables.render.terminal import render_text
from misread.tally import ScoredSystem

_RATES = RateFormat()


def report_evaluation_lines(scored: Mapping[str, ScoredSystem]) -> tuple[list[PredictionEvaluation], str]:
    """Every text of one system by the metrics of Evaluation Metrics (lines), raw and normalized, and its CSV.

    Texts are those that were read, before any normalizer. Raises ConfigurationError if there are several systems.
    """
    if len(scored) != 1:
        raise ConfigurationError(
            f"{setting('report', 'evaluation_lines')} is for one system, and there are {len(scored)}: its CSV has no "
            "column for them. Score one at a time."
        )
    (system,) = scored.values()
    evaluations = [
        evaluate_prediction(reference, hypothesis, segment) for segment, reference, hypothesis in _texts(system)
    ]
    return evaluations, evaluations_csv(evaluations)


def _texts(system: ScoredSystem) -> Iterator[tuple[str, str, str]]:
    """Id, reference and hypothesis; a missing one is empty where it is scored at all."""
    raw = system.texts.raw
    for segment, reference, hypothesis in zip(
        system.texts.segments.segment_id, raw.references, raw.hypotheses, strict=True
    ):
        if hypothesis is not None or system.missing == "empty":
            yield segment, reference or "", hypothesis or ""


@dataclass(frozen=True, kw_only=True)
class QualityRow:
    """Rates of one system, and the word that Evaluation Metrics (Thulium usage) has for its CER."""

    system: str
    cer: float | None
    wer: float | None
    quality: str


def report_standards(scored: Mapping[str, ScoredSystem]) -> tuple[dict[str, list[dict[str, Any]]], str]:
    """Words for the CER of every system, and the published rates of Evaluation Metrics (Thulium suite) below them.

    Raises ConfigurationError if no CER was counted.
    """
    rows = [_quality(name, system) for name, system in scored.items()]
    if all(row.cer is None for row in rows):
        raise ConfigurationError(
            f"{setting('report', 'standards')} has words for the CER, which was not counted; add cer to "
            f"{setting('metrics')}."
        )
    words = Table(
        caption=f"Words for the CER: {', '.join(QUALITY.names)} (borders at 1, 3, 5 and 10 %).",
        columns=[
            Column("system", lambda row: row.system, kind="name"),
            Column("CER %", lambda row: row.cer, _RATES.rate, kind="decimal"),
            Column("WER %", lambda row: row.wer, _RATES.rate, kind="decimal"),
            Column("quality", lambda row: row.quality, kind="name"),
        ],
        rows=rows,
    )
    standards = Table(
        caption="State of the art as published, on data other than this; nothing of it was measured here.",
        columns=[
            Column("data set", lambda standard: standard.dataset, kind="name"),
            Column("language", lambda standard: standard.language, kind="name"),
            Column("CER %", lambda standard: _show_range(standard.cer), kind="text"),
            Column("WER %", lambda standard: _show_range(standard.wer), kind="text"),
        ],
        rows=list[BenchmarkStandard](BENCHMARK_STANDARDS),
    )
    content = {"quality": [asdict(row) for row in rows], "standards": [asdict(row) for row in BENCHMARK_STANDARDS]}
    return content, render_text([words, standards])


def _quality(name: str, system: ScoredSystem) -> QualityRow:
    cer, wer = _rate(system, "char"), _rate(system, "word")
    return QualityRow(system=name, cer=cer, wer=wer, quality="" if cer is None else QUALITY.name(cer))


def _rate(system: ScoredSystem, unit: Unit) -> float | None:
    """Rate of the first error rate of these units; None if there is none, or no reference has one of them."""
    for metric in system.metrics:
        if isinstance(metric, ErrorRate) and metric.unit == unit:
            counts = system.scores.counts[metric.id]
            rate = float(metric.rate(counts.total))
            return None if rate != rate else rate
    return None


def _show_range(ends: tuple[float, float]) -> str:
    return "–".join(f"{100 * end:.3g}" for end in ends)
