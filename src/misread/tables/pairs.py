"""Matrix of all pairs of systems: difference, interval and verdict."""

from __future__ import annotations

from collections.abc import Sequence

from misread.stats import DatasetResult, PairComparison
from misread.tables.marks import VERDICT_WORDS, verdict_mark
from misread.tables.numbers import pvalue_sentence
from misread.tables.rates import RateTable, find_difference, name_systems
from misread.tables.table import Cell, Column, Table, explorer_link

MOST_SYSTEMS = 8
"""A wider matrix is hard to read; above this number, only the column of the best system remains."""


def lay_out_pairs(result: DatasetResult, table: RateTable) -> Table | None:
    """All pairs of one metric, the row minus the column, in the order of the table.

    None for fewer than three systems, whose only pair is in the table.
    """
    if len(table.rows) < 3:
        return None
    names = {row.system: row.name for row in table.rows}
    pairs = [name_systems(pair, lambda system: names.get(system, system)) for pair in result.pairs(table.metric)]
    columns = table.rows if len(table.rows) <= MOST_SYSTEMS else table.rows[:1]
    return Table(
        columns=[Column("", kind="name"), *(Column(other.name, kind="text", blank="·") for other in columns)],
        rows=[
            [Cell(row.name), *(_cell(table, row.system, other.system, pairs) for other in columns)]
            for row in table.rows
        ],
    )


def _cell(table: RateTable, row: str, column: str, pairs: Sequence[PairComparison]) -> Cell:
    difference = find_difference(row, column, pairs)
    if difference is None:
        return Cell()
    return Cell(
        table.format.difference(difference.value),
        table.format.interval(difference.interval, signed=True),
        mark=verdict_mark(difference),
        remark=f"{VERDICT_WORDS[difference.verdict]}, {pvalue_sentence(difference.pvalue_adjusted)}",
        link=explorer_link(table.dataset, "wrong", row, column),
    )
