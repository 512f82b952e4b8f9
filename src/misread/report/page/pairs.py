"""Matrix of all pairs of systems: difference, interval and verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from misread.report.numbers import pvalue_text
from misread.report.page.verdicts import Verdict, show_verdict
from misread.report.settings import ReportSettings
from misread.report.tables.rates import RateTable, find_difference
from misread.stats import DatasetResult, PairComparison

MOST_SYSTEMS = 8
"""A wider matrix is hard to read; above this number, only the column of the best system remains."""


@dataclass(frozen=True)
class PairCell:
    """The system of the row minus that of the column."""

    row: str
    column: str
    difference: str
    interval: str
    pvalue: str
    verdict: Verdict


@dataclass(frozen=True)
class PairRow:
    """One system against others; None on the diagonal and for pairs that were not compared."""

    system: str
    name: str
    cells: tuple[PairCell | None, ...]


@dataclass(frozen=True)
class PairMatrix:
    """Systems in the order of the table."""

    columns: tuple[str, ...]
    rows: tuple[PairRow, ...]


def make_pair_matrix(result: DatasetResult, table: RateTable, settings: ReportSettings) -> PairMatrix | None:
    """All pairs of one metric; None for fewer than three systems, whose only pair is in the table."""
    systems = [row.system for row in table.rows]
    if len(systems) < 3:
        return None
    pairs = result.pairs(table.metric)
    columns = systems if len(systems) <= MOST_SYSTEMS else systems[:1]
    rows = tuple(
        PairRow(
            system,
            settings.name(system),
            tuple(_cell(system, other, pairs, settings) for other in columns),
        )
        for system in systems
    )
    return PairMatrix(tuple(settings.name(system) for system in columns), rows)


def _cell(row: str, column: str, pairs: Sequence[PairComparison], settings: ReportSettings) -> PairCell | None:
    difference = find_difference(row, column, pairs)
    if difference is None:
        return None
    return PairCell(
        row,
        column,
        settings.rates.difference(difference.value),
        settings.rates.interval(difference.interval, signed=True),
        pvalue_text(difference.pvalue_adjusted),
        show_verdict(difference),
    )
