"""Tables of the most frequent confusions of characters or words."""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal, NamedTuple
from urllib.parse import quote

from misread.metrics.confusion_table import Confusion, ConfusionTable
from misread.metrics.confusions import DELETED, INSERTED
from misread.tables.settings import ReportSettings
from misread.tables.table import Cell, Column, Table, explorer_link, in_files, rate_column
from misread.text.display import file_stem, show_unit

ConfusedKind = Literal["character", "word"]
CONFUSED_KINDS: Final[tuple[ConfusedKind, ...]] = ("character", "word")

NOTHING: Final = "∅"
# Signs that represent other characters in this table.
_SIGNS: Final = (NOTHING, "␣")
_LEVELS: Final[Mapping[ConfusedKind, str]] = {"character": "characters", "word": "words"}
_UNITS: Final = {"char": "characters", "grapheme": "graphemes", "word": "words"}


def lay_out_confusions(
    dataset: str, tables: Mapping[str, ConfusionTable], kind: ConfusedKind, settings: ReportSettings
) -> Table | None:
    """Most frequent confusions of all systems on a data set; None if no system has an error, or none is to be shown.

    Each with its share of all errors of the system and, for characters, of all occurrences of that character.
    """
    shown = {system: table for system, table in tables.items() if table.confusions.get(kind)}
    if not (shown and settings.confusions):
        return None
    level, rates = _LEVELS[kind], settings.rates
    rows = [
        _ConfusionRow(
            system,
            confusion,
            confusion.count / int(table.facts[level]["errors"]),
            table.reference_units.get(kind, {}).get(confusion.reference),
        )
        for system, table in shown.items()
        for confusion in table.confusions[kind][: settings.confusions]
    ]
    occurrences = in_files("occurrences", lambda row: row.occurrences)
    share = Column(
        f"of its occurrences{rates.sign}",
        lambda row: row.confusion.count / row.occurrences if row.occurrences else None,
        rates.rate,
        kind="decimal",
    )
    return Table(
        stem=file_stem(dataset, "confused", level),
        caption=_caption(dataset, shown, kind, settings),
        columns=[
            in_files("dataset", dataset),
            Column("system", lambda row: row.system, settings.name, kind="name", name="system"),
            Column("reference", lambda row: row.confusion.reference, show_confused, kind="sign", name="reference"),
            Column("read as", lambda row: row.confusion.hypothesis, show_confused, kind="sign", name="hypothesis"),
            Column("count", lambda row: row.confusion.count, name="count"),
            rate_column("of errors", lambda row: row.share_of_errors, rates, name="share_of_errors"),
            occurrences,
            *([share] if kind == "character" else []),
        ],
        rows=rows,
        notes=_notes(tables, shown, kind, settings),
        signature=str(next(iter(shown.values())).facts[level]["signature"]),
    )


class _ConfusionRow(NamedTuple):
    """A confusion of one system, and how often its reference occurs; None where that is not counted."""

    system: str
    confusion: Confusion
    share_of_errors: float
    occurrences: int | None


def lay_out_confused_by(
    system: str, table: ConfusionTable | None, settings: ReportSettings, *, linked_to: str = ""
) -> Table | None:
    """Characters that one system confuses more than once, linked to their segments if a data set is named.

    None without a table or without an error.
    """
    confusions = table.confusions.get("character") if table else None
    if not (confusions and settings.confusions):
        return None
    often = [confusion for confusion in confusions if confusion.count > 1]
    shown = often[: settings.confusions]
    counts = {"more than once": len(often) - len(shown), "once": len(confusions) - len(often)}
    rest = [f"+ {number:,} {how_often}" for how_often, number in counts.items() if number]
    return Table(
        caption=settings.name(system),
        columns=[
            Column("reference", lambda confusion: show_confused(confusion.reference), kind="sign"),
            Column("read as", lambda confusion: show_confused(confusion.hypothesis), kind="sign"),
            Column("times", show=lambda confusion: _times(confusion, system, linked_to)),
        ],
        rows=shown,
        notes=[", ".join(rest)] if rest else [],
    )


def _times(confusion: Confusion, system: str, dataset: str) -> Cell:
    """The count, linked to the segments in which the system makes this confusion if a data set is named."""
    count = Cell(f"{confusion.count:,}")
    if not dataset:
        return count
    units = (confusion.reference, confusion.hypothesis)
    sides = ("" if unit in (INSERTED, DELETED) else quote(unit, safe="") for unit in units)
    reference, hypothesis = map(show_confused, units)
    spoken = f"{count.text} times {reference} read as {hypothesis}: show segments"
    return replace(count, link=explorer_link(dataset, "read", system, *sides), spoken=spoken)


def show_confused(unit: str) -> str:
    """One side of a confusion with every sign visible; ∅ where a unit was inserted or deleted."""
    if unit in (DELETED, INSERTED):
        return NOTHING
    if unit in _SIGNS or (len(unit) == 1 and unicodedata.category(unit).startswith("M")):
        return f"{show_unit(unit)} U+{ord(unit):04X}"
    return show_unit(unit)


def _caption(dataset: str, shown: Mapping[str, ConfusionTable], kind: ConfusedKind, settings: ReportSettings) -> str:
    most = max(len(table.confusions[kind]) for table in shown.values())
    facts = next(iter(shown.values())).facts[_LEVELS[kind]]
    units = _UNITS[str(facts["unit"])]
    which = "All confusions" if most <= settings.confusions else f"The {settings.confusions} most frequent confusions"
    if most > settings.confusions == 1:
        which = "The most frequent confusion"
    return f"{which} of {units} by each system on {settings.name(dataset)} ({facts['length']:,} {units})."


def _notes(
    tables: Mapping[str, ConfusionTable],
    shown: Mapping[str, ConfusionTable],
    kind: ConfusedKind,
    settings: ReportSettings,
) -> list[str]:
    lines = [f"{NOTHING}: nothing, left out or added."]
    for system, table in shown.items():
        facts, more = table.facts[_LEVELS[kind]], len(table.confusions[kind]) - settings.confusions
        rest = f"; {more:,} less frequent confusion{'s' if more > 1 else ''} not shown" if more > 0 else ""
        errors = "1 error" if facts["errors"] == 1 else f"{facts['errors']:,} errors"
        lines.append(f"{settings.name(system)}: {errors} in {facts['length']:,}{rest}.")
    clean = [settings.name(system) for system, table in tables.items() if system not in shown and table.facts]
    return [*lines, *(f"{name}: no error." for name in clean)]
