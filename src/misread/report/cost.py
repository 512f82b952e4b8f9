"""Table of tokens, retries and money that captures took, and the figure of error against money."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from misread.engines.prices import ModelPrice
from misread.engines.timing import Timings
from misread.provenance.signature import Signature
from misread.stats import DatasetResult
from misread.tables import Column, ReportSettings, Table, in_files
from misread.tables.figures.trade_off import NO_ERRORS, Errors, draw_trade_off, trade_off_columns
from misread.text.display import file_stem
from misread.types import FloatArray

_READINGS: Final = 1000
"""Number of readings that costs of systems are compared by."""

_RECORDED: Final = (
    "Tokens and US dollars are those that were recorded with the outputs, of all runs; where one cost is not known, "
    "there is no sum."
)

_ABOUT: Final = (
    "All readings that the captures hold, of all runs, also those that failed; what the attempts before a "
    "retry cost is not known."
)


@dataclass(frozen=True, kw_only=True)
class Expense:
    """Cost of all readings of one system; None if unknown."""

    system: str
    readings: int
    input_tokens: int | None
    output_tokens: int | None
    retries: int | None
    usd: float | None

    @property
    def usd_per_1000(self) -> float | None:
        """US dollars for a thousand readings."""
        return None if self.usd is None else self.usd * _READINGS / self.readings


def find_expenses(timings: Mapping[str, Timings], prices: Mapping[str, ModelPrice]) -> list[Expense]:
    """What every system with readings took; none at all where no tokens, retries or prices of any are known.

    Parameters
    ----------
    timings : mapping of system to Timings
        Recorded outputs have no readings, and no expense.
    prices : mapping of system to ModelPrice
        A system without a price has no cost, nor has one whose price is for tokens that nobody counted.
    """
    expenses = [
        _find_expense(system, measured, prices.get(system))
        for system, measured in timings.items()
        if len(measured.latency_seconds)
    ]
    known = (entry.usd is not None or entry.input_tokens or entry.output_tokens or entry.retries for entry in expenses)
    return expenses if any(known) else []


def _find_expense(system: str, measured: Timings, price: ModelPrice | None) -> Expense:
    readings = len(measured.latency_seconds)
    asked, answered = _total(measured.input_tokens), _total(measured.output_tokens)
    attempts = _total(measured.attempts)
    usd = None
    is_known = asked is not None or answered is not None
    if len(measured.usd):
        # Of costs that are known in part, the sum is none.
        usd = float(measured.usd.sum())
    elif price and (is_known or not (price.usd_per_1000_tokens or price.usd_per_1000_output_tokens)):
        usd = price.cost(segments=readings, input_tokens=asked or 0, output_tokens=answered or 0)
    return Expense(
        system=system,
        readings=readings,
        input_tokens=asked,
        output_tokens=answered,
        retries=None if attempts is None else attempts - readings,
        usd=None if usd is None or math.isnan(usd) else usd,
    )


def _total(values: FloatArray) -> int | None:
    """Sum of the known values."""
    return None if np.isnan(values).all() else int(np.nansum(values))


def lay_out_cost(
    dataset: str,
    timings: Mapping[str, Timings],
    prices: Mapping[str, ModelPrice],
    settings: ReportSettings,
    errors: Errors = NO_ERRORS,
) -> Table | None:
    """Lay out readings, tokens, retries, US dollars and errors, one row per system that was measured.

    None where no tokens, retries or prices are known; a column that would be empty in every row is left out.
    """
    expenses = find_expenses(timings, prices)
    if not expenses:
        return None
    columns = [
        Column("tokens in", lambda expense: expense.input_tokens, name="input_tokens"),
        Column("tokens out", lambda expense: expense.output_tokens, name="output_tokens"),
        Column("retries", lambda expense: expense.retries, name="retries"),
        Column("USD", lambda expense: expense.usd, _dollars, name="usd"),
        Column(f"USD per {_READINGS:,}", lambda expense: expense.usd_per_1000, _dollars, name="usd_per_1000_readings"),
    ]
    # How often something was asked for is known wherever it was read here.
    is_recorded = [bool(np.isnan(timings[expense.system].attempts).all()) for expense in expenses]
    priced = [(expense.system, prices[expense.system]) for expense in expenses if expense.system in prices]
    sources = [f"{settings.name(system)}: price of {price.date} ({price.source})." for system, price in priced]
    digest = timings[expenses[0].system].origin.data_digest[:8]
    dates = ",".join(f"{system}@{price.date}" for system, price in priced) or "none"
    return Table(
        stem=file_stem(dataset, "cost"),
        caption=f"What the systems took to read {settings.name(dataset)}: readings, tokens, retries and US dollars.",
        columns=[
            in_files("dataset", dataset),
            Column("system", lambda expense: expense.system, settings.name, kind="name", name="system"),
            Column("n", lambda expense: expense.readings, name="readings"),
            *(column for column in columns if any(column.value(expense) is not None for expense in expenses)),
            *trade_off_columns({entry.system: entry.usd_per_1000 for entry in expenses}, errors, settings),
        ],
        rows=expenses,
        notes=[*[_RECORDED] * any(is_recorded), *[_ABOUT] * (not all(is_recorded)), *sources],
        signature=str(Signature("cost", {"unit": "USD", "prices": dates, "data": f"{dataset}@{digest}"})),
    )


def _dollars(usd: float) -> str:
    """Two decimals, or of small sums two digits that are not zero."""
    return f"{usd:,.2f}" if usd >= 0.1 or not usd else f"{usd:.2g}"


def draw_cost(
    result: DatasetResult,
    metric: str,
    timings: Mapping[str, Timings],
    prices: Mapping[str, ModelPrice],
    settings: ReportSettings,
    folder: Path,
) -> list[Path]:
    """Draw error against US dollars for a thousand readings; no files if fewer than two systems have a cost."""
    usd_by_system = {expense.system: expense.usd_per_1000 for expense in find_expenses(timings, prices)}
    title = f"US dollars for {_READINGS:,} readings"
    return draw_trade_off(result, metric, usd_by_system, settings, title=title, folder=folder, name="by_cost")
