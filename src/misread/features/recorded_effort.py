"""Seconds, tokens and US dollars that were recorded with the outputs, as the tables of captures show them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from misread.data.segment_table import EFFORT, read_effort
from misread.engines.timing import Timings
from misread.metrics import Direction
from misread.report.cost import lay_out_cost
from misread.report.latency import lay_out_latency
from misread.report.source_units import SourceUnits
from misread.tables import Table, View, ViewInput
from misread.tables.figures.trade_off import NO_ERRORS, Errors
from misread.tables.rates_layout import metric_title
from misread.tally import ScoredSystem
from misread.types import FloatArray

_SECONDS, *_COSTS = EFFORT


@dataclass(frozen=True)
class Latency(View):
    """Latencies by system: the annotation "latency_seconds" of its outputs."""

    def lay_out(self, source: ViewInput) -> Table | None:
        """The table of all systems with latencies; None if there are none."""
        timings = {system: _gather(scored, [_SECONDS]) for system, scored in source.scored.items()}
        return lay_out_latency(source.dataset, timings, source.settings, SourceUnits(), _errors(source))


@dataclass(frozen=True)
class Cost(View):
    """Tokens and US dollars by system: the annotations "input_tokens", "output_tokens" and "usd" of its outputs."""

    def lay_out(self, source: ViewInput) -> Table | None:
        """The table of all systems with tokens or costs; None if there are none."""
        timings = {system: _gather(scored, _COSTS) for system, scored in source.scored.items()}
        return lay_out_cost(source.dataset, timings, {}, source.settings, _errors(source))


def _errors(source: ViewInput) -> Errors:
    """Errors of the systems by the first metric, where lower is better."""
    metric = next(iter(source.scored.values())).metrics[0]
    if metric.direction is not Direction.LOWER_IS_BETTER:
        return NO_ERRORS
    counts = {system: scored.scores.counts.get(metric.id) for system, scored in source.scored.items()}
    rates = {system: float(metric.rate(count.total)) for system, count in counts.items() if count is not None}
    return Errors(metric_title(metric.id), {system: rate for system, rate in rates.items() if not math.isnan(rate)})


def _gather(scored: ScoredSystem, names: Sequence[str]) -> Timings:
    """Effort of the outputs of all runs that have one of the annotations."""
    texts = scored.texts
    measures: dict[str, list[float]] = {name: [] for name in EFFORT}
    segment_ids: list[str] = []
    for run in (texts, *texts.further_runs):
        for row, segment_id in enumerate(run.segments.segment_id):
            if any(_value_of(run.annotations, name, row) is not None for name in names):
                segment_ids.append(segment_id)
                for name, values in measures.items():
                    values.append(read_effort(_value_of(run.annotations, name, row), name, segment_id))
    arrays: dict[str, FloatArray] = {name: np.array(values, np.float64) for name, values in measures.items()}
    unknown = np.full(len(segment_ids), math.nan)
    return Timings(
        texts.origin,
        arrays[_SECONDS],
        unknown,
        warm_up=np.zeros(len(segment_ids), np.bool_),
        start_up_seconds=unknown,
        first_byte_seconds=unknown,
        input_tokens=arrays["input_tokens"],
        output_tokens=arrays["output_tokens"],
        attempts=unknown,
        segment_id=segment_ids,
        usd=arrays["usd"],
    )


def _value_of(annotations: Mapping[str, Sequence[Any]], name: str, row: int) -> Any:
    return annotations[name][row] if name in annotations else None
