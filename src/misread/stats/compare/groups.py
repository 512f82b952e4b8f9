"""Results by group as rows: every group with its rate, interval and number, the spread, and robustness curves."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from misread.errors import UndefinedResultError
from misread.io.checks.choices import check_choice
from misread.metrics import Direction, Fairness, fairness
from misread.stats.compare.schema import DatasetResult, GroupResult
from misread.stats.results import ConfidenceInterval

Groups = Mapping[str, Mapping[str, Mapping[str, GroupResult]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """One group of one system."""

    system: str
    group: str
    rate: float | None  # micro average; None where no reference has a unit
    interval: ConfidenceInterval | None
    segments: int
    is_worst: bool  # whether no group of this system has a worse rate


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessRow:
    """One level of degradation of one system."""

    system: str
    level: str
    rate: float | None  # micro average; None where no reference has a unit
    interval: ConfidenceInterval | None
    segments: int
    difference: float | None  # rate minus that of the clean level


def make_group_rows(result: DatasetResult, column: str, metric: str) -> list[GroupRow]:
    """One metric by system and group, in the order of the result."""
    groups = _groups(result, column, metric)
    worst = {system: of.worst_group for system, of in result.fairness[column][metric].items()}
    return [
        GroupRow(
            system=system,
            group=group,
            rate=of.micro,
            interval=of.confidence_interval,
            segments=of.segments,
            is_worst=group == worst.get(system),
        )
        for system in result.systems
        for group, of in ((group, by_system[system][metric]) for group, by_system in groups.items())
    ]


def robustness_curve(
    result: DatasetResult, column: str, metric: str, *, clean: str, levels: Sequence[str] | None = None
) -> list[RobustnessRow]:
    """Rate against the level of degradation, each with its difference to the clean level.

    Segments of two levels are different ones, so that there is no paired test of the difference; the interval of each
    rate stands beside it.

    Parameters
    ----------
    result : DatasetResult
        As `compare_systems` gives it.
    column : str
        Group column that holds the levels.
    metric : str
        Id.
    clean : str
        The level without degradation.
    levels : sequence of str, optional
        Order of levels; those not named are left out. Else the clean one first, the others in the order of the result.

    Returns
    -------
    list of RobustnessRow
        System by system.

    Raises
    ------
    UnknownNameError
        If there is no such column, metric or level; lists those there are.
    """
    groups = _groups(result, column, metric)
    chosen = levels if levels is not None else [clean, *(group for group in groups if group != clean)]
    for level in (clean, *chosen):
        check_choice("level", level, groups, where=f"group column {column!r}")
    rows = []
    for system in result.systems:
        base = groups[clean][system][metric].micro
        for level in chosen:
            of = groups[level][system][metric]
            rows.append(
                RobustnessRow(
                    system=system,
                    level=level,
                    rate=of.micro,
                    interval=of.confidence_interval,
                    segments=of.segments,
                    difference=None if of.micro is None or base is None else of.micro - base,
                )
            )
    return rows


def fairness_of_groups(groups: Groups, metric: str, *, direction: Direction, has_band: bool) -> dict[str, Fairness]:
    """Spread of one metric over groups, by system; without systems for which fewer than two groups have a rate.

    The specification gives words for character error rates alone: other metrics have no band.
    """
    found = {}
    for system in next(iter(groups.values())):
        rates = {group: by_system[system][metric].micro for group, by_system in groups.items()}
        defined = {group: rate for group, rate in rates.items() if rate is not None}
        if len(defined) >= 2:
            # Scores such as cross entropy may be below 0.
            spread = fairness(defined, direction=direction, lowest=-math.inf)
            found[system] = spread if has_band else replace(spread, band=None)
    return found


def _groups(result: DatasetResult, column: str, metric: str) -> Groups:
    where = f"the result of {result.dataset!r}"
    check_choice("group column", column, result.groups, where=where)
    if not result.systems:
        raise UndefinedResultError(f"no system has a result on {result.dataset!r}.")
    check_choice("metric", metric, result.first_system, where=where)
    return result.groups[column]
