"""Results by group: rates with intervals, their spread, and robustness curves."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from misread.errors import UndefinedResultError
from misread.io.checks.choices import check_choice
from misread.metrics import Direction, Fairness, Metric, fairness, summarize
from misread.provenance.signature import Signature
from misread.stats.compare.bootstrap_replicates import draw_replicates
from misread.stats.compare.schema import DatasetResult, GroupResult
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
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
    difference: float | None  # rate minus the rate at the clean level


def make_group_rows(result: DatasetResult, column: str, metric: str) -> list[GroupRow]:
    """One metric by system and group, in the order of the result."""
    groups = _groups(result, column, metric)
    worst = {system: spread.worst_group for system, spread in result.fairness[column][metric].items()}
    return [
        GroupRow(
            system=system,
            group=group,
            rate=group_result.micro,
            interval=group_result.confidence_interval,
            segments=group_result.segments,
            is_worst=group == worst.get(system),
        )
        for system in result.systems
        for group, group_result in ((group, by_system[system][metric]) for group, by_system in groups.items())
    ]


def robustness_curve(
    result: DatasetResult, column: str, metric: str, *, clean: str, levels: Sequence[str] | None = None
) -> list[RobustnessRow]:
    """Rate at each level of degradation, with its difference from the clean level.

    Levels have different segments, so that there is no paired test of the difference; each rate has its interval.

    Parameters
    ----------
    result : DatasetResult
        As `compare_systems` returns it.
    column : str
        Group column of the levels.
    metric : str
        Id.
    clean : str
        Level without degradation.
    levels : sequence of str, optional
        Order of levels; others are left out. By default the clean level comes first, then the others in the order of
        the result.

    Returns
    -------
    list of RobustnessRow
        Rows, grouped by system.

    Raises
    ------
    UnknownNameError
        If there is no such column, metric or level; lists the existing ones.
    """
    groups = _groups(result, column, metric)
    chosen = levels if levels is not None else [clean, *(group for group in groups if group != clean)]
    for level in (clean, *chosen):
        check_choice("level", level, groups, where=f"group column {column!r}")
    rows = []
    for system in result.systems:
        base = groups[clean][system][metric].micro
        for level in chosen:
            group_result = groups[level][system][metric]
            rows.append(
                RobustnessRow(
                    system=system,
                    level=level,
                    rate=group_result.micro,
                    interval=group_result.confidence_interval,
                    segments=group_result.segments,
                    difference=None if group_result.micro is None or base is None else group_result.micro - base,
                )
            )
    return rows


def results_by_group(
    shared: SharedSegments, column: str, metrics: Sequence[Metric], settings: StatisticsSettings
) -> dict[str, dict[str, dict[str, GroupResult]]]:
    """Results by group of one column, system and metric."""
    groups: dict[str, dict[str, dict[str, GroupResult]]] = {}
    for group, part in shared.split(column):
        replicates = draw_replicates(part, metrics, settings, only_intervals=True)
        reasons = {metric: drawn.reasons_without_interval() for metric, drawn in replicates.items()}
        groups[group] = {}
        for name, counts in part.counts.items():
            groups[group][name] = {}
            for metric in metrics:
                summary = summarize(metric, counts[metric.id].values)
                groups[group][name][metric.id] = GroupResult(
                    micro=summary.micro,
                    segments=summary.segments,
                    confidence_interval=replicates[metric.id].intervals.get(name),
                    interval_reason=reasons[metric.id].get(name, ""),
                )
    return groups


def fairness_by_metric(
    groups: Groups, metrics: Sequence[Metric], signatures: Mapping[str, Signature]
) -> dict[str, dict[str, Fairness]]:
    """Spread of rates over the groups of one column, by metric and system."""
    return {
        metric.id: fairness_of_groups(
            groups, metric.id, direction=metric.direction, has_band=signatures[metric.id].facts.get("unit") == "char"
        )
        for metric in metrics
    }


def fairness_of_groups(groups: Groups, metric: str, *, direction: Direction, has_band: bool) -> dict[str, Fairness]:
    """Spread of one metric over groups, by system; without systems for which fewer than two groups have a rate.

    The specification defines bands for character error rates only: other metrics have none.
    """
    fairness_by_system = {}
    for system in next(iter(groups.values())):
        rates = {group: by_system[system][metric].micro for group, by_system in groups.items()}
        defined = {group: rate for group, rate in rates.items() if rate is not None}
        if len(defined) >= 2:
            # Scores such as cross entropy may be below 0.
            spread = fairness(defined, direction=direction, lowest=-math.inf)
            fairness_by_system[system] = spread if has_band else replace(spread, band=None)
    return fairness_by_system


def _groups(result: DatasetResult, column: str, metric: str) -> Groups:
    where = f"the result of {result.dataset!r}"
    check_choice("group column", column, result.groups, where=where)
    if not result.systems:
        raise UndefinedResultError(f"no system has a result on {result.dataset!r}.")
    check_choice("metric", metric, result.first_system, where=where)
    return result.groups[column]
