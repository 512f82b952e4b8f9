"""Suspect references as tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter, itemgetter

from misread.features.suspects.records import DisputedPlace, ReferenceCheck, Suspect
from misread.features.suspects.references import FEWEST_SYSTEMS, check_references
from misread.metrics import Kind
from misread.tables import Cell, Column, Table, in_files, rate_column
from misread.tables.number_text import RateFormat, level_title
from misread.tables.view import View, ViewInput
from misread.text.display import file_stem
from misread.text.nouns import plural

NOTHING = "∅"


@dataclass(frozen=True)
class Suspects(View):
    """Segments on which most systems agree against the reference.

    Parameters
    ----------
    most : int
        How many segments are shown; files have all.
    """

    most: int = 20

    def lay_out(self, source: ViewInput) -> Table | None:
        """The segments that explain most errors first; None where there is none."""
        check = source.once(check_scored)
        if not (check and check.suspects):
            return None
        return _of_dataset(show_suspects(check, self.most, source.settings.name), self.id, source)


@dataclass(frozen=True)
class Repeats(View):
    """How often systems repeat errors of the reference."""

    def lay_out(self, source: ViewInput) -> Table | None:
        """One row per system; None where there is no place to see it."""
        check, settings = source.once(check_scored), source.settings
        if not (check and any(repeats.places for repeats in check.systems.values())):
            return None
        return _of_dataset(show_repeats(check, settings.rates, settings.name), self.id, source)


def check_scored(source: ViewInput) -> ReferenceCheck | None:
    """Suspect references by the outputs of systems, by the first error rate.

    None where fewer than two can be asked, or references read in several ways.
    """
    scored, settings = source.scored, source.settings
    if len(scored) < FEWEST_SYSTEMS or any(outputs.texts.origin.facts.alternatives for outputs in scored.values()):
        return None
    metrics = {metric.id: metric for metric in next(iter(scored.values())).metrics}
    rates = [metrics[name] for name in settings.metrics if name in metrics and metrics[name].kind is Kind.ERROR_RATE]
    return check_references({system: outputs.texts for system, outputs in scored.items()}, rates[0]) if rates else None


def _of_dataset(table: Table, name: str, source: ViewInput) -> Table:
    """The table of one data set, which has a file of its own."""
    dataset = source.dataset
    return replace(
        table,
        stem=file_stem(dataset, name),
        caption=f"{source.settings.name(dataset)}. {table.caption}",
        columns=[in_files("dataset", dataset), *table.columns],
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
            Column("segment", lambda suspect: suspect.segment_id, kind="name", name="segment", keep=6),
            Column("reference -> most systems", show=_show_places, kind="text", keep=5),
            in_files("cluster", lambda suspect: suspect.cluster),
            in_files("reference", lambda suspect: suspect.reference),
            in_files("proposal", lambda suspect: suspect.proposal),
            in_files("systems", lambda suspect: ", ".join(_agreeing(suspect))),
            Column("systems", show=lambda suspect: ", ".join(map(name, _agreeing(suspect))), keep=3),
            Column(f"{check.metric} errors explained", lambda suspect: suspect.total, name="errors_explained", keep=4),
        ],
        rows=check.suspects,
        shown=shown,
        notes=[
            *([f"And {rest:,} more; CSV has all."] if rest else []),
            *(
                [f"{check.left_out:,} segments are left out, as a system has no hypothesis for them."]
                if check.left_out
                else []
            ),
            "That systems agree makes a reference suspect, not wrong: look at the image before you change it.",
        ],
        signature=str(check.signature),
        segments=[suspect.segment_id for suspect in shown],
    )


def show_repeats(
    check: ReferenceCheck, rates: RateFormat | None = None, display_name: Callable[[str], str] = str
) -> Table:
    """How often each system repeats an error of the reference, and how many of its errors suspects explain."""
    rates = rates or RateFormat()
    level = next(filter(None, (level_title(repeats.interval) for repeats in check.systems.values())), "")
    return Table(
        caption="Errors of the reference that each system repeats, as the other systems see them.",
        columns=[
            Column("system", lambda row: row[0], display_name, kind="name", name="system"),
            _part_column("repeats", "repeats", "places", keep=5),
            rate_column(
                "share", lambda row: row[1].share, rates, interval=lambda row: row[1].interval, level=level, keep=6
            ),
            _part_column("errors explained", "explained", "errors", keep=4),
        ],
        rows=list(check.systems.items()),
        notes=[
            "Places: where more than half of the other systems agree against the reference. A system that repeats many "
            "errors of the reference may have been trained on it, or the reference corrected from its output. "
            f"Intervals over {plural(check.unit)}."
        ],
        signature=str(check.signature),
    )


def _part_column(title: str, part: str, whole: str, *, keep: int) -> Column:
    """A number, and out of how many."""
    column = Column(
        title,
        attrgetter(part, whole),
        lambda counts: Cell(f"{counts[0]:,}", f"/{counts[1]:,}"),
        name=(title.replace(" ", "_"), whole),
        detail=f"/{whole}",
        keep=keep,
    )
    return column.after(itemgetter(1))


def _show_places(suspect: Suspect) -> str:
    return "; ".join(_change(dispute) for dispute in suspect.places)


def _change(dispute: DisputedPlace) -> str:
    return f"{dispute.reference or NOTHING} -> {dispute.reading or NOTHING}"


def _agreeing(suspect: Suspect) -> list[str]:
    return list(dict.fromkeys(name for dispute in suspect.places for name in dispute.systems))
