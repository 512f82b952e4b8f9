"""Predictions of rates as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from misread.metrics import Kind, Metric
from misread.stats.results import in_points
from misread.tables import Cell, Column, Table
from misread.tables.numbers import RateFormat, level_title
from misread.tables.rates_layout import metric_title

if TYPE_CHECKING:
    from misread.features.prediction.prediction import Prediction


def lay_out_predictions(metric: Metric, found: Mapping[str, Prediction], *, unit: str) -> Table:
    """One row per system."""
    first = next(iter(found.values()))
    rates = RateFormat(unit="fraction" if metric.kind is Kind.OTHER else "percent")
    level = next(filter(None, (level_title(of.interval) for of in found.values())), "")
    title = f"{metric_title(metric.id)}{rates.sign}"
    columns = [Column("system", kind="name"), Column(f"{title} of the rest", level, keep=6)]
    if first.rest is not None:
        columns.append(Column(f"{title} of all", level, keep=4))
    if first.target_width is not None:
        columns.append(Column(f"more {unit}s", "/for all" if first.rest is not None else "", keep=5))
    rows = []
    for system, of in found.items():
        cells = [Cell(system), Cell(rates.rate(of.rate), rates.interval_of(of.rate, of.interval))]
        if of.rest is not None:
            cells.append(Cell(rates.rate(of.rate), rates.interval_of(of.rate, of.whole)))
        if of.target_width is not None:
            of_all = "" if of.further_whole is None else f"/{of.further_whole:,}"
            cells.append(Cell("never" if of.further is None else f"{of.further:,}", of_all))
        rows.append(cells)
    rest = f"very many {unit}s" if first.rest is None else f"{first.rest:,} {unit}s"
    return Table(
        caption=f"{metric_title(metric.id)} to expect on {rest} that were not checked; {first.checked:,} were.",
        columns=columns,
        rows=rows,
        notes=[
            f"It holds for a random sample of {unit}s; those that were easy to check say nothing of the others.",
            *_of_width(first, unit),
        ],
    )


def _of_width(first: Prediction, unit: str) -> list[str]:
    if first.target_width is None:
        return []
    width = in_points(first.target_width)
    if first.rest is None:
        return [f"More {unit}s: to be checked until the interval is {width} wide."]
    return [
        f"More {unit}s: to be checked until the interval of the rest, and that of all, is {width} wide. Never: too few "
        f"{unit}s would be left, whose own composition decides."
    ]
