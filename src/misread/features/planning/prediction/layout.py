"""Predictions as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from misread.features.planning.prediction.prediction import Prediction
from misread.metrics import Kind, Metric
from misread.stats.results import in_points
from misread.tables import Cell, Column, Table
from misread.tables.number_text import RateFormat, level_title
from misread.tables.rates_layout import metric_title
from misread.text.nouns import plural


def lay_out_predictions(
    metric: Metric, predictions: Mapping[str, Prediction], *, unit: str, strata: str | None = None
) -> Table:
    """One row per system."""
    first = next(iter(predictions.values()))
    rates = RateFormat(unit="fraction" if metric.kind is Kind.OTHER else "percent")
    level = next(filter(None, (level_title(prediction.interval) for prediction in predictions.values())), "")
    title = f"{metric_title(metric.id)}{rates.sign}"

    def show_rest(prediction: Prediction) -> Cell:
        return Cell(rates.rate(prediction.rate), rates.interval_of(prediction.rate, prediction.interval))

    def show_all(prediction: Prediction) -> Cell:
        return Cell(rates.rate(prediction.whole_rate), rates.interval_of(prediction.whole_rate, prediction.whole))

    def show_further(prediction: Prediction) -> Cell:
        further_whole = "" if prediction.further_whole is None else f"/{prediction.further_whole:,}"
        return Cell("never" if prediction.further is None else f"{prediction.further:,}", further_whole)

    columns = [
        Column("system", lambda row: row[0], kind="name"),
        Column(f"{title} of the rest", lambda row: row[1], show_rest, detail=level, keep=6),
    ]
    if first.rest is not None:
        columns.append(Column(f"{title} of all", lambda row: row[1], show_all, detail=level, keep=4))
    if first.target_width is not None:
        detail = "/for all" if first.rest is not None else ""
        columns.append(Column(f"more {plural(unit)}", lambda row: row[1], show_further, detail=detail, keep=5))
    rest = f"very many {plural(unit)}" if first.rest is None else f"{first.rest:,} {plural(unit)}"
    return Table(
        caption=f"{metric_title(metric.id)} to expect on {rest} that were not checked; {first.checked:,} were.",
        columns=columns,
        rows=list(predictions.items()),
        notes=[
            f"It holds only if the checked {plural(unit)} are a random sample{_of_each(strata)}; if they were chosen "
            "because they are easy to check, it does not.",
            *_of_width(list(predictions.values()), unit),
        ],
    )


def _of_each(strata: str | None) -> str:
    return "" if strata is None else f" of each stratum ({strata})"


def _of_width(predictions: Sequence[Prediction], unit: str) -> list[str]:
    first = predictions[0]
    if first.target_width is None:
        return []
    width = in_points(first.target_width)
    if first.rest is None:
        return [f"More {plural(unit)}: how many more to check until the interval is {width} wide."]
    notes = [
        f"More {plural(unit)}/for all: how many more to check until the interval of the rest, or of all, is "
        f"{width} wide."
    ]
    if any(prediction.further is None for prediction in predictions):
        notes.append(f"Never: too few {plural(unit)} would be left for an interval so narrow.")
    return notes
