"""Suspect references as tables."""

from __future__ import annotations

from misread.inspection import DisputedPlace, ReferenceCheck, Suspect
from misread.report.numbers import RateFormat, level_title
from misread.report.tables.table import Cell, Column, Table

NOTHING = "∅"


def lay_out_suspects(check: ReferenceCheck, most: int) -> Table:
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
                Cell(", ".join(_agreeing(suspect))),
                Cell(f"{suspect.total:,}"),
            ]
            for suspect in shown
        ],
        notes=[
            *([f"And {rest:,} more; --most shows them."] if rest else []),
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
    )


def lay_out_repeats(check: ReferenceCheck) -> Table:
    """How often each system repeats an error of the reference, and how many of its errors suspects explain."""
    rates = RateFormat()
    intervals = [of.interval for of in check.systems.values()]
    level = next(filter(None, map(level_title, intervals)), "")
    return Table(
        caption="Errors of the reference that each system repeats, as the other systems see them.",
        columns=[
            Column("system", kind="name"),
            Column("repeats", "/places", keep=5),
            Column("share %", level, keep=6),
            Column("errors explained", "/errors", keep=4),
        ],
        rows=[
            [
                Cell(name),
                Cell(f"{of.repeats:,}", f"/{of.places:,}"),
                Cell("" if of.share is None else rates.rate(of.share), rates.interval(of.interval)),
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
