"""Views: further tables on the segments, each with its figures and with marks on the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from misread.tables.settings import ReportSettings
from misread.tables.table import Table
from misread.tally import ScoredSystem

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class ViewInput:
    """What views look at: all systems of a data set by their ids."""

    dataset: str
    scored: Mapping[str, ScoredSystem]
    settings: ReportSettings
    _results: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)

    def once(self, find: Callable[[ViewInput], Result]) -> Result:
        """What a function finds in all systems, found once for all views that ask for it."""
        if find not in self._results:
            self._results[find] = find(self)
        result: Result = self._results[find]
        return result


class SegmentMark(NamedTuple):
    """Characters of a normalized hypothesis that the page marks, and why."""

    kind: str
    start: int
    end: int  # one past the last
    reason: str


class MarkKind(NamedTuple):
    """A kind of marks, by which the page finds segments."""

    kind: str
    label: str
    hint: str


MarksBySegment = Mapping[str, Mapping[str, Sequence[SegmentMark]]]
"""Marks by system and segment."""


@dataclass(frozen=True)
class SegmentMarks:
    """Marks on the page, and all their kinds in the order in which it lists them."""

    kinds: Sequence[MarkKind] = ()
    by_system: MarksBySegment = field(default_factory=dict)


@dataclass(frozen=True)
class View:
    """A table on the segments; the list of `misread.sockets` has its name.

    Attributes
    ----------
    lay_out : callable
        Makes the table; None if there is nothing to show.
    draw : callable, optional
        Draws figures into a folder; gives their files.
    mark : callable, optional
        Finds what the page marks.
    mark_kinds : sequence of MarkKind
        Kinds of these marks, in the order in which the page lists them.
    """

    lay_out: Callable[[ViewInput], Table | None]
    draw: Callable[[ViewInput, Path], list[Path]] | None = None
    mark: Callable[[ViewInput], MarksBySegment] | None = None
    mark_kinds: Sequence[MarkKind] = ()
