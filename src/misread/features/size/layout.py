"""Plans as one table, with one recommendation below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from misread.features.size.plans import Choice, Plan
from misread.stats import Prices, Variances
from misread.stats.results import in_points
from misread.tables import Cell, Column, Table
from misread.tables.table import ColumnKind
from misread.text.nouns import count_of, plural


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Aim of a plan: a difference to find, or a width of its interval."""

    difference: float | None
    width: float | None
    alpha: float
    power: float


@dataclass(frozen=True, kw_only=True)
class Costs:
    """Prices, the share that is typed if only disputed places are, and the choice with the lowest price."""

    prices: Prices
    typed_share: float | None
    recommended: Choice


def lay_out_plans(
    plans: Sequence[Plan],
    variances: Variances,
    wanted: Wanted,
    costs: Costs | None,
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
        *([] if costs is None else _prices(plans, costs)),
        Column("shows points", lambda plan: plan.design.detectable, _points, kind="decimal")
        if wanted.width is None
        else Column("width in points", lambda plan: plan.design.width, _points, kind="decimal"),
    ]
    best = costs and costs.recommended
    return Table(
        caption=_caption(wanted, unit),
        columns=[_bold(column, best.plan if best else None) for column in columns],
        rows=plans,
        verdict=_recommendation(costs, unit, segments_of_unit),
        notes=[
            *_notes_of_one_by_one(plans, wanted, unit),
            *([] if costs is None else [_prices_in_words(costs, unit)]),
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


def _prices(plans: Sequence[Plan], costs: Costs) -> list[Column]:
    """Prices of a fixed number and one by one: in full, and of disputed places alone."""
    has_both = any(plan.expected is not None for plan in plans)

    def show(plan: Plan, share: float) -> Cell:
        runs = plan.design.runs
        fixed = f"{costs.prices.total(plan.design.clusters, runs, typed_share=share):,.2f}"
        if plan.expected is None:
            return Cell(fixed)
        return Cell(fixed, f"/{costs.prices.total(plan.expected, runs, typed_share=share):,.2f}")

    shares = {"price": 1.0} if costs.typed_share is None else {"price": 1.0, "disputed": costs.typed_share}
    return [
        Column(
            title,
            lambda plan: plan,
            lambda plan, share=share: show(plan, share),  # type: ignore[misc]
            detail="/one by one" if has_both else "",
            keep=4,
        )
        for title, share in shares.items()
    ]


def _bold(column: Column, best: Plan | None) -> Column:
    """The column with the recommended row in bold."""
    kind: ColumnKind = column.kind

    def show(plan: Plan) -> Cell:
        cell = column.cell(plan)
        return Cell(cell.text, cell.detail, is_bold=plan is best)

    return Column(column.title, show=show, detail=column.detail, kind=kind, keep=column.keep)


def _points(fraction: float) -> str:
    return in_points(fraction).removesuffix(" points")


def _recommendation(costs: Costs | None, unit: str, segments_of_unit: float | None) -> str:
    """The cheapest choice in one sentence."""
    if costs is None:
        return "Without prices of a page and of a reading there are no costs and no recommendation."
    best = costs.recommended
    clusters = math.ceil(best.clusters)
    how = (
        f"check {count_of(clusters, unit)}"
        if best.checking == "fixed"
        else f"check {plural(unit)} one by one until it is decided, about {clusters:,} of them"
    )
    segments = "" if segments_of_unit is None else f" ({math.ceil(clusters * segments_of_unit):,} segments)"
    typing = "" if best.typing == "in full" else ", typing the disputed places alone"
    runs = best.plan.design.runs
    reading = "" if runs == 1 else f", read {runs:,} times by each system"
    return f"Recommended: {how}{segments}{reading}{typing}, at {best.price:,.2f}."


def _notes_of_one_by_one(plans: Sequence[Plan], wanted: Wanted, unit: str) -> list[str]:
    if all(plan.one_by_one is None for plan in plans):
        return [
            f"Runs share an effect, which no number of {plural(unit)} removes, so that checking one by one never ends."
        ]
    if wanted.width is not None:
        return [f"One by one: {plural(unit)} until an interval that may be looked at after each of them is so narrow."]
    return [
        f"One by one/if twice: about how many {plural(unit)} it takes on average if one looks after each and stops "
        "when it is decided, for a true difference as large as wanted, and twice as large. Prices are those of the "
        "mean of both."
    ]


def _prices_in_words(costs: Costs, unit: str) -> str:
    prices = costs.prices
    disputed = "" if costs.typed_share is None else f"; disputed places are {costs.typed_share:.1%} of it"
    return (
        f"Prices: {prices.cluster:,.2f} for typing one {unit}{disputed}; {prices.reading:,.2f} for having it read once "
        "by both systems."
    )


def _deviations(variances: Variances, wanted: Wanted, unit: str) -> str:
    deviations = (math.sqrt(variance) for variance in (variances.clusters, variances.runs, variances.residual))
    shown = [in_points(deviation) for deviation in deviations]
    return (
        f"Standard deviations of the difference: {shown[0]} between {plural(unit)}, {shown[1]} between runs, "
        f"{shown[2]} of one {unit} in one run. Two-sided test at {wanted.alpha:g}."
    )
