"""Plans as one table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from misread.features.size.plans import Plan
from misread.stats import Variances
from misread.stats.results import in_points
from misread.tables import Cell, Column, Table
from misread.text.nouns import plural


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Aim of a plan: a difference to find, or a width of its interval."""

    difference: float | None
    width: float | None
    alpha: float
    power: float


def lay_out_plans(
    plans: Sequence[Plan],
    variances: Variances,
    wanted: Wanted,
    *,
    unit: str,
    segments_of_unit: float | None = None,
    notes: Sequence[str] = (),
) -> Table:
    """One row per number of runs.

    `segments_of_unit` is the mean number of segments of a cluster in the pilot; None without a pilot or clusters.
    """
    columns = [
        Column("runs", lambda plan: plan.design.runs, keep=5),
        Column(f"{plural(unit)}", lambda plan: plan.design.clusters, keep=5),
        *([] if segments_of_unit is None else [_segments(segments_of_unit)]),
        *_one_by_one(plans),
        Column("shows points", lambda plan: plan.design.detectable, _points, kind="decimal")
        if wanted.width is None
        else Column("width in points", lambda plan: plan.design.width, _points, kind="decimal"),
    ]
    return Table(
        caption=_caption(wanted, unit),
        columns=columns,
        rows=plans,
        notes=[
            *_notes_of_one_by_one(plans, wanted, unit),
            _deviations(variances, wanted, unit),
            *notes,
        ],
    )


def _caption(wanted: Wanted, unit: str) -> str:
    # Only the first letter: the name of a column keeps its own capitals.
    units = f"{unit[:1].upper()}{plural(unit)[1:]}"
    if wanted.width is not None:
        level = f"{100 * (1 - wanted.alpha):g} %"
        return f"{units} and runs for a {level} interval of {in_points(wanted.width)}."
    difference = in_points(abs(wanted.difference or 0.0))
    return f"{units} and runs that show a difference of {difference} with a probability of {wanted.power:.0%}."


def _segments(segments_of_unit: float) -> Column:
    return Column("segments", lambda plan: math.ceil(plan.design.clusters * segments_of_unit), keep=1)


def _one_by_one(plans: Sequence[Plan]) -> list[Column]:
    if all(plan.one_by_one is None for plan in plans):
        return []
    has_both = any(plan.one_by_one_if_twice is not None for plan in plans)
    return [Column("one by one", lambda plan: plan, _show_one_by_one, detail="/if twice" if has_both else "", keep=5)]


def _show_one_by_one(plan: Plan) -> Cell:
    if plan.one_by_one is None:
        return Cell("never")
    twice = plan.one_by_one_if_twice
    return Cell(f"{plan.one_by_one:,}", "" if twice is None else f"/{twice:,}")


def _points(fraction: float) -> str:
    return in_points(fraction).removesuffix(" points")


def _notes_of_one_by_one(plans: Sequence[Plan], wanted: Wanted, unit: str) -> list[str]:
    if all(plan.one_by_one is None for plan in plans):
        return [
            f"Runs share an effect, which no number of {plural(unit)} removes, so that checking one by one never ends."
        ]
    if wanted.width is not None:
        return [f"One by one: {plural(unit)} until an interval that may be looked at after each of them is so narrow."]
    return [
        f"One by one/if twice: about how many {plural(unit)} it takes on average if one looks after each and stops "
        "when it is decided, for a true difference as large as wanted, and twice as large."
    ]


def _deviations(variances: Variances, wanted: Wanted, unit: str) -> str:
    deviations = (math.sqrt(variance) for variance in (variances.clusters, variances.runs, variances.residual))
    shown = [in_points(deviation) for deviation in deviations]
    return (
        f"Standard deviations of the difference: {shown[0]} between {plural(unit)}, {shown[1]} between runs, "
        f"{shown[2]} of one {unit} in one run. Two-sided test at {wanted.alpha:g}."
    )
