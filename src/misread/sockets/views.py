"""Tables that look at the segments in one way or another, each by its name, with settings in the name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from misread.errors import ConfigurationError
from misread.io.names import read_name
from misread.sockets.plug import Plug, make_named

if TYPE_CHECKING:
    from misread.tables import MarkKind, SegmentMark, SegmentMarks, Table, View, ViewInput

VIEWS: Final[Mapping[str, Plug]] = {
    "worst": Plug("misread.features.worst", "Worst"),
    "flags": Plug("misread.features.flags.table", "Flags"),
    "reliability": Plug("misread.features.confidence.table", "ReliabilityBins"),
    "review": Plug("misread.features.confidence.table", "Review"),
    "parts": Plug("misread.features.parts.table", "PartsView"),
    "bands": Plug("misread.features.word_classes.table", "Bands"),
    "terms": Plug("misread.features.word_classes.table", "KeyTerms"),
    "entities": Plug("misread.features.word_classes.table", "Entities"),
    "scripts": Plug("misread.features.scripts", "Scripts"),
    "corrections": Plug("misread.features.corrections.table", "Corrections"),
    "fields": Plug("misread.features.answers.table", "Fields"),
    "punctuation": Plug("misread.features.punctuation.table", "Punctuation"),
    "pairing": Plug("misread.pairing.table", "Pairing"),
    "latency": Plug("misread.features.recorded_effort", "Latency"),
    "cost": Plug("misread.features.recorded_effort", "Cost"),
}
"""Classes of `View`."""


def get_view(text: str, *, where: str = "") -> View:
    """Make the view of a name, which may have settings in brackets and, before `=`, an id of one's own.

    The dotted name of a class is that of a view of a plug-in. `where` is the place of the name, for messages.

    Raises
    ------
    UnknownNameError
        If there is no view or setting of the name.
    ConfigurationError
        If a name with brackets is not NAME(SETTING=VALUE, ...), a value does not fit, or the class is not a view.

    Examples
    --------
    >>> get_view("bands(edges=[10,100])").id
    'bands_edges_10_edges_100'
    >>> get_view("rare=bands(edges=[10,100])").name
    'bands(edges=[10,100])'
    """
    from misread.tables import View

    view: View = make_named(read_name(text, "view", example="bands(edges=[10,100])"), "view", View, VIEWS, where=where)
    return view


def get_views(names: Sequence[str], *, where: str = "") -> list[View]:
    """Make the views of several names, in their order; raises as `get_view`, and where two have one id."""
    views = [get_view(name, where=where) for name in names]
    ids = [view.id for view in views]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise ConfigurationError(f"view {twice!r} is named twice; once is enough, and ID=NAME gives one another id.")
    return views


def lay_out_views(source: ViewInput, names: Sequence[str]) -> list[Table]:
    """Tables of these views for all systems of a data set; views without anything to show are left out."""
    tables = (view.lay_out(source) for view in get_views(names))
    return [table for table in tables if table]


def draw_views(source: ViewInput, names: Sequence[str], folder: Path) -> list[Path]:
    """Draw the figures of these views and return their files."""
    return [path for view in get_views(names) for path in view.draw(source, folder)]


def mark_segments(source: ViewInput, names: Sequence[str]) -> SegmentMarks:
    """Marks of these views on the page."""
    from misread.tables import SegmentMarks

    marks: dict[str, dict[str, list[SegmentMark]]] = {}
    for view in get_views(names):
        for system, by_segment in view.mark(source).items():
            for segment_id, marks_of_view in by_segment.items():
                marks.setdefault(system, {}).setdefault(segment_id, []).extend(marks_of_view)
    return SegmentMarks(kinds_of_marks(names), marks)


def kinds_of_marks(names: Sequence[str]) -> tuple[MarkKind, ...]:
    """Kinds of marks that these views may have on the page."""
    return tuple(kind for view in get_views(names) for kind in view.mark_kinds)
