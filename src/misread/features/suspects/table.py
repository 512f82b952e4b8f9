"""Suspect references as tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from misread.features.suspects.references import FEWEST_SYSTEMS, check_references
from misread.metrics import Kind
from misread.stats import DisputedPlace, ReferenceCheck, Suspect
from misread.tables import Cell, Column, Table
from misread.tables.number_text import RateFormat, level_title
from misread.tables.view import View, ViewInput
from misread.text.display import file_stem

NOTHING = "∅"


def lay_out_suspects(source: ViewInput) -> Table | None:
    """Segments on which most systems agree against the reference; None where there is none."""
    check, settings = source.once(check_scored), source.settings
    if not (check and check.suspects):
        return None
    return _of_dataset(show_suspects(check, settings.view_rows, settings.name), "suspects", source)


def lay_out_repeats(source: ViewInput) -> Table | None:
    """How often systems repeat errors of the reference; None where there is no place to see it."""
    check, settings = source.once(check_scored), source.settings
    if not (check and any(of.places for of in check.systems.values())):
        return None
    return _of_dataset(show_repeats(check, settings.rates, settings.name), "repeats", source)


def check_scored(source: ViewInput) -> ReferenceCheck | None:
    """What systems say of the references, by the first error rate.

    None where fewer than two can be asked, or references read in several ways.
    """
    scored, settings = source.scored, source.settings
    if len(scored) < FEWEST_SYSTEMS or any(of.texts.origin.facts.alternatives for of in scored.values()):
        return None
    metrics = {metric.id: metric for metric in next(iter(scored.values())).metrics}
    rates = [metrics[name] for name in settings.metrics if name in metrics and metrics[name].kind is Kind.ERROR_RATE]
    return check_references({system: of.texts for system, of in scored.items()}, rates[0]) if rates else None


def _of_dataset(table: Table, name: str, source: ViewInput) -> Table:
    """The table of one data set, which has a file of its own."""
    dataset = source.dataset
    return replace(
        table,
        stem=file_stem(dataset, name),
        caption=f"{source.settings.name(dataset)}. {table.caption}",
        record_names=("dataset", *table.record_names),
        records=[(dataset, *record) for record in table.records],
    )


def show_suspects(check: ReferenceCheck, most: int, name: Callable[[str], str] = str) -> Table:
    """The segments that explain most errors first, with what most systems read instead."""
    shown = check.suspects[:most]
    rest = len(check.suspects) - len(shown)
    return Table(
        caption=(
            f"Suspect references: {len(check.suspects):,} of {check.segments:,} segments on which most of "
            f"{len(check.systems)} systems agree against the reference."
        ),
        columns=[
            Column("segment", kind="name", keep=6),
            Column("reference -> most systems", kind="text", keep=5),
            Column("systems", keep=3),
            Column(f"{check.metric} errors explained", keep=4),
        ],
        rows=[
            [
                Cell(suspect.segment_id),
                Cell("; ".join(_change(place) for place in suspect.places)),
                Cell(", ".join(map(name, _agreeing(suspect)))),
                Cell(f"{suspect.total:,}"),
            ]
            for suspect in shown
        ],
        notes=[
            *([f"And {rest:,} more; CSV has all."] if rest else []),
            *(
                [f"{check.left_out:,} segments are left out, as a system has no hypothesis for them."]
                if check.left_out
                else []
            ),
            "That systems agree makes a reference suspect, not wrong: look at the image before you change it.",
        ],
        signature=check.signature,
        record_names=("segment", "cluster", "reference", "proposal", "systems", "errors_explained"),
        records=[
            (
                *(suspect.segment_id, suspect.cluster, suspect.reference, suspect.proposal),
                *(", ".join(_agreeing(suspect)), suspect.total),
            )
            for suspect in check.suspects
        ],
        segments=[suspect.segment_id for suspect in shown],
    )


def show_repeats(
    check: ReferenceCheck, rates: RateFormat | None = None, display_name: Callable[[str], str] = str
) -> Table:
    """How often each system repeats an error of the reference, and how many of its errors suspects explain."""
    rates = rates or RateFormat()
    intervals = [of.interval for of in check.systems.values()]
    level = next(filter(None, map(level_title, intervals)), "")
    return Table(
        caption="Errors of the reference that each system repeats, as the other systems see them.",
        columns=[
            Column("system", kind="name"),
            Column("repeats", "/places", keep=5),
            Column(f"share{rates.sign}", level, keep=6),
            Column("errors explained", "/errors", keep=4),
        ],
        rows=[
            [
                Cell(display_name(name)),
                Cell(f"{of.repeats:,}", f"/{of.places:,}"),
                Cell("" if of.share is None else rates.rate(of.share), rates.interval_of(of.share, of.interval)),
                Cell(f"{of.explained:,}", f"/{of.errors:,}"),
            ]
            for name, of in check.systems.items()
        ],
        notes=[
            "Places: where more than half of the other systems agree against the reference. A system that repeats many "
            "errors of the reference may have been trained on it, or the reference corrected from its output. "
            f"Intervals over {check.unit}s."
        ],
        signature=check.signature,
        record_names=("system", "repeats", "places", "share", "low", "high", "errors_explained", "errors"),
        records=[
            (
                *(name, of.repeats, of.places, of.share),
                *((of.interval.low, of.interval.high) if of.interval else (None, None)),
                *(of.explained, of.errors),
            )
            for name, of in check.systems.items()
        ],
    )


def _change(place: DisputedPlace) -> str:
    return f"{place.reference or NOTHING} -> {place.reading or NOTHING}"


def _agreeing(suspect: Suspect) -> list[str]:
    return list(dict.fromkeys(name for place in suspect.places for name in place.systems))


SUSPECTS: Final = View(lay_out_suspects)
REPEATS: Final = View(lay_out_repeats)
