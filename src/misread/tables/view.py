"""Views: further tables on the segments, each with its figures and with marks on the page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

from misread.tables.number_text import RateFormat, confidence_title
from misread.tables.settings import ReportSettings
from misread.tables.table import Column, Table, in_files, rate_column
from misread.tally import ScoredSystem
from misread.text.display import file_stem

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class ViewInput:
    """Input of views: all systems of a data set by their ids."""

    dataset: str
    scored: Mapping[str, ScoredSystem]
    settings: ReportSettings
    _results: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)

    def once(self, find: Callable[[ViewInput], Result]) -> Result:
        """Call a function on this input once, and return its result to all views from then on."""
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


CONFIDENCE: Final = 0.95
"""Coverage of the intervals of views."""

ABOUT_INTERVALS: Final = (
    "Intervals: Student's t with the jackknife error over clusters, over segments where there are none."
)
"""Note on the intervals of `ratio_interval`."""

MarksBySegment = Mapping[str, Mapping[str, Sequence[SegmentMark]]]
"""Marks by system and segment."""


@dataclass(frozen=True)
class SegmentMarks:
    """Marks on the page, and all their kinds in the order in which it lists them."""

    kinds: Sequence[MarkKind] = ()
    by_system: MarksBySegment = field(default_factory=dict)


@dataclass(frozen=True)
class View(ABC):
    """A table on the segments, with its figures and its marks on the page.

    The list of `misread.sockets` has the name of its class. Further fields of the class are settings, which are in
    brackets after the name: `bands(edges=[10,100])`.

    Attributes
    ----------
    id : str
        Name of files and keys.
    name : str
        Name with settings; empty where it is the id.
    """

    id: str
    name: str = field(default="", kw_only=True)

    mark_kinds: ClassVar[Sequence[MarkKind]] = ()
    """Kinds of marks, in the order in which the page lists them."""

    @abstractmethod
    def lay_out(self, source: ViewInput) -> Table | None:
        """The table of all systems; None if there is nothing to show."""

    def draw(self, source: ViewInput, folder: Path) -> list[Path]:  # noqa: ARG002 - there are none
        """Draw figures into a folder and return their files."""
        return []

    def mark(self, source: ViewInput) -> MarksBySegment:  # noqa: ARG002 - there are none
        """Marks on the page."""
        return {}


def column_with_interval(title: str, rate: Callable[[Any], float | None], rates: RateFormat) -> Column:
    """A rate of rows that have its interval, whose coverage is `CONFIDENCE`."""
    level = confidence_title(CONFIDENCE)
    return rate_column(title, rate, rates, interval=attrgetter("interval"), level=level)


@dataclass(frozen=True)
class SystemView(View):
    """A view whose rows are counted system by system."""

    @abstractmethod
    def caption(self, dataset: str) -> str:
        """Caption of the table of a data set, as a full sentence."""

    @abstractmethod
    def count(self, system: ScoredSystem) -> Sequence[Any]:
        """Rows of one system, which columns take their values from."""

    @abstractmethod
    def columns(self, settings: ReportSettings) -> Sequence[Column]:
        """Columns of these rows; those of the data set and the system precede them."""

    def notes(self, source: ViewInput) -> Sequence[str]:  # noqa: ARG002 - there are none
        """Sentences below the table."""
        return ()

    def lay_out(self, source: ViewInput) -> Table | None:
        """The table of all systems; None if none has a row."""
        settings = source.settings
        rows = [(system, row) for system, scored in source.scored.items() for row in self.count(scored)]
        if not rows:
            return None
        return Table(
            stem=file_stem(source.dataset, self.id),
            caption=self.caption(settings.name(source.dataset)),
            columns=[
                in_files("dataset", source.dataset),
                Column("system", itemgetter(0), settings.name, kind="name", name="system"),
                *(column.after(itemgetter(1)) for column in self.columns(settings)),
            ],
            rows=rows,
            notes=self.notes(source),
        )
