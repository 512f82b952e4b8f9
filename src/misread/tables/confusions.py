"""Tables of the most frequent confusions of characters or words."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal
from urllib.parse import quote

from misread.metrics.confusion_table import Confusion, ConfusionTable
from misread.metrics.confusions import DELETED, INSERTED
from misread.tables.settings import ReportSettings
from misread.tables.table import Cell, Column, Table, explorer_link
from misread.text.display import file_stem, show_unit

ConfusedKind = Literal["character", "word"]
CONFUSED_KINDS: Final[tuple[ConfusedKind, ...]] = ("character", "word")

NOTHING: Final = "∅"
# Signs that represent other characters in this table.
_SIGNS: Final = (NOTHING, "␣")
_SIDES: Final = (Column("reference", kind="sign"), Column("read as", kind="sign"))
_LEVELS: Final[Mapping[ConfusedKind, str]] = {"character": "characters", "word": "words"}
_UNITS: Final = {"char": "characters", "grapheme": "graphemes", "word": "words"}


def lay_out_confusions(
    dataset: str, tables: Mapping[str, ConfusionTable], kind: ConfusedKind, settings: ReportSettings
) -> Table | None:
    """Most frequent confusions of all systems on a data set; None if no system has an error, or none is to be shown.

    Each with its share of all errors of the system and, for characters, of all occurrences of that character.
    """
    shown = {system: of for system, of in tables.items() if of.confusions.get(kind)}
    if not (shown and settings.confusions):
        return None
    rows: list[list[Cell]] = []
    records: list[tuple[str | float | None, ...]] = []
    for system, of in shown.items():
        for one in of.confusions[kind][: settings.confusions]:
            of_errors = one.count / int(of.facts[_LEVELS[kind]]["errors"])
            occurrences = of.reference_units.get(kind, {}).get(one.reference)
            of_occurrences = one.count / occurrences if occurrences else None
            shares = [of_errors, of_occurrences] if kind == "character" else [of_errors]
            percents = [Cell("" if share is None else settings.rates.rate(share)) for share in shares]
            rows.append([Cell(settings.name(system)), *_cells(one), *percents])
            records.append((dataset, system, one.reference, one.hypothesis, one.count, of_errors, occurrences))
    of_all = Column(f"of errors{settings.rates.sign}", kind="decimal")
    of_unit = Column(f"of its occurrences{settings.rates.sign}", kind="decimal")
    return Table(
        stem=file_stem(dataset, "confused", _LEVELS[kind]),
        caption=_caption(dataset, shown, kind, settings),
        columns=[
            Column("system", kind="name"),
            *_SIDES,
            Column("count"),
            *([of_all, of_unit] if kind == "character" else [of_all]),
        ],
        rows=rows,
        notes=_notes(tables, shown, kind, settings),
        signature=str(next(iter(shown.values())).facts[_LEVELS[kind]]["signature"]),
        record_names=("dataset", "system", "reference", "hypothesis", "count", "share_of_errors", "occurrences"),
        records=records,
    )


def lay_out_confused_by(
    system: str, table: ConfusionTable | None, settings: ReportSettings, *, linked_to: str = ""
) -> Table | None:
    """Characters that one system confuses more than once, linked to their segments if a data set is named.

    None without a table or without an error.
    """
    confusions = table.confusions.get("character") if table else None
    if not (confusions and settings.confusions):
        return None
    often = [one for one in confusions if one.count > 1]
    shown = often[: settings.confusions]
    counts = {"more than once": len(often) - len(shown), "once": len(confusions) - len(often)}
    rest = [f"+ {number:,} {how_often}" for how_often, number in counts.items() if number]
    return Table(
        caption=settings.name(system),
        columns=[*_SIDES, Column("times")],
        rows=[_linked(system, _cells(one), one, linked_to) for one in shown],
        notes=[", ".join(rest)] if rest else [],
    )


def _cells(one: Confusion) -> list[Cell]:
    return [Cell(show_confused(one.reference)), Cell(show_confused(one.hypothesis)), Cell(f"{one.count:,}")]


def _linked(system: str, cells: list[Cell], one: Confusion, dataset: str) -> list[Cell]:
    """The count linked to the segments in which the system makes this confusion."""
    if not dataset:
        return cells
    reference, hypothesis, count = cells
    sides = ("" if unit in (INSERTED, DELETED) else quote(unit, safe="") for unit in (one.reference, one.hypothesis))
    spoken = f"{count.text} times {reference.text} read as {hypothesis.text}: show segments"
    link = explorer_link(dataset, "read", system, *sides)
    return [reference, hypothesis, replace(count, link=link, spoken=spoken)]


def show_confused(unit: str) -> str:
    """One side of a confusion with every sign visible; ∅ where a unit was inserted or deleted."""
    if unit in (DELETED, INSERTED):
        return NOTHING
    if unit in _SIGNS or (len(unit) == 1 and unicodedata.category(unit).startswith("M")):
        return f"{show_unit(unit)} U+{ord(unit):04X}"
    return show_unit(unit)


def _caption(dataset: str, shown: Mapping[str, ConfusionTable], kind: ConfusedKind, settings: ReportSettings) -> str:
    most = max(len(of.confusions[kind]) for of in shown.values())
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
    for system, of in shown.items():
        facts, more = of.facts[_LEVELS[kind]], len(of.confusions[kind]) - settings.confusions
        rest = f"; {more:,} less frequent confusion{'s' if more > 1 else ''} not shown" if more > 0 else ""
        errors = "1 error" if facts["errors"] == 1 else f"{facts['errors']:,} errors"
        lines.append(f"{settings.name(system)}: {errors} in {facts['length']:,}{rest}.")
    clean = [settings.name(system) for system, of in tables.items() if system not in shown and of.facts]
    return [*lines, *(f"{name}: no error." for name in clean)]
