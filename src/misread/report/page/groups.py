"""Results by group: one table per group column, one row per group."""

from __future__ import annotations

from dataclasses import dataclass

from misread.metrics import Direction
from misread.report.numbers import RateFormat
from misread.report.settings import ReportSettings
from misread.report.tables.rates import RateTable
from misread.stats import DatasetResult, GroupResult
from misread.text.labels import show_label


@dataclass(frozen=True)
class GroupCell:
    """Rate of one system in one group; texts are empty if it is undefined."""

    rate: str
    interval: str
    value: float | None
    is_best: bool


@dataclass(frozen=True)
class GroupRow:
    """One group."""

    group: str
    segments: int
    cells: tuple[GroupCell, ...]


@dataclass(frozen=True)
class GroupTable:
    """Groups of one column, systems in the order of the results table; names as in the explorer."""

    column: str
    names: tuple[str, ...]
    rows: tuple[GroupRow, ...]


def make_group_tables(result: DatasetResult, table: RateTable, settings: ReportSettings) -> tuple[GroupTable, ...]:
    """One metric by group, one table per group column that has groups."""
    systems = [row.system for row in table.rows]
    return tuple(
        GroupTable(
            show_label(column),
            tuple(settings.name(system) for system in systems),
            tuple(
                _row(group, [groups[group][system][table.metric] for system in systems], table, settings.rates)
                for group in settings.sort_groups(column, list(groups))
            ),
        )
        for column, groups in result.groups.items()
        if groups and systems
    )


def _row(group: str, results: list[GroupResult], table: RateTable, rates: RateFormat) -> GroupRow:
    known = [of.micro for of in results if of.micro is not None]
    best = (min if table.direction is Direction.LOWER_IS_BETTER else max)(known, default=None)
    return GroupRow(
        show_label(group),
        max(of.segments for of in results),
        tuple(
            GroupCell(
                "" if of.micro is None else rates.rate(of.micro),
                rates.interval(of.confidence_interval),
                of.micro,
                len(results) > 1 and of.micro is not None and of.micro == best,
            )
            for of in results
        ),
    )
