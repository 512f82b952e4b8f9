"""The most frequent confusions, one list per system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from misread.metrics.text.confusion_counts import DELETED, INSERTED
from misread.records import Confusion, ConfusionTable
from misread.report.page.static_segments import visible
from misread.report.settings import ReportSettings

ABSENT: Final = "∅"


@dataclass(frozen=True)
class ConfusionRow:
    """One confusion; `reference` is empty for an inserted character, `hypothesis` for a deleted one."""

    reference: str
    hypothesis: str
    count: int

    @property
    def shown(self) -> tuple[str, str]:
        """Both sides as visible signs."""
        return visible(self.reference) or ABSENT, visible(self.hypothesis) or ABSENT

    def address(self, system: str) -> str:
        """Filter of the explorer: segments in which the system makes this confusion."""
        return f"read:{system}:{quote(self.reference, safe='')}:{quote(self.hypothesis, safe='')}"


@dataclass(frozen=True)
class ConfusionList:
    """The most frequent confusions of one system."""

    system: str
    name: str
    rows: tuple[ConfusionRow, ...]
    # Kinds of confusion that are not shown: those that occurred more than once, and those that occurred once.
    more: int
    once: int


def make_confusion_lists(
    tables: Mapping[str, ConfusionTable], systems: Sequence[str], settings: ReportSettings
) -> tuple[ConfusionList, ...]:
    """One list per system in the order of `systems`, without those that have no table or no error."""
    if not settings.confusions:
        return ()
    return tuple(
        _list(system, tables[system].confusions["character"], settings)
        for system in systems
        if system in tables and tables[system].confusions.get("character")
    )


def _list(system: str, confusions: Sequence[Confusion], settings: ReportSettings) -> ConfusionList:
    often = [of for of in confusions if of.count > 1]
    rows = tuple(
        ConfusionRow(_text(of.reference), _text(of.hypothesis), of.count) for of in often[: settings.confusions]
    )
    return ConfusionList(system, settings.name(system), rows, len(often) - len(rows), len(confusions) - len(often))


def _text(unit: str) -> str:
    return "" if unit in (INSERTED, DELETED) else unit
