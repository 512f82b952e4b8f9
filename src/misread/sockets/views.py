"""Tables that look at the segments in one way or another, each by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from misread.sockets.plug import Plug
from misread.tables import Table
from misread.tables.view import MarkKind, SegmentMark, SegmentMarks, View, ViewInput
from misread.tables.view_names import ViewName

VIEWS: Final[Mapping[ViewName, Plug]] = {
    "flags": Plug("misread.features.made_up_text.table", "FLAGS"),
    "reliability": Plug("misread.features.confidence.table", "RELIABILITY"),
    "review": Plug("misread.features.confidence.table", "REVIEW"),
    "bands": Plug("misread.features.word_classes.table", "BANDS"),
    "entities": Plug("misread.features.word_classes.table", "ENTITIES"),
    "scripts": Plug("misread.features.scripts", "SCRIPTS"),
    "corrections": Plug("misread.features.corrections.table", "CORRECTIONS"),
    "punctuation": Plug("misread.features.punctuation.table", "PUNCTUATION"),
    "suspects": Plug("misread.features.suspects.table", "SUSPECTS"),
    "repeats": Plug("misread.features.suspects.table", "REPEATS"),
}
"""Objects of `View`."""

CHECK_REFERENCES: Final = Plug("misread.features.suspects.references", "check_references")
"""Function (texts by system, metric, confidence) -> `ReferenceCheck`, which the last two views lay out."""


def lay_out_views(source: ViewInput, names: Sequence[ViewName]) -> list[Table]:
    """Tables of these views of all systems on a data set; a view that has nothing to show has none."""
    tables = (view.lay_out(source) for view in _load(names))
    return [table for table in tables if table]


def draw_views(source: ViewInput, names: Sequence[ViewName], folder: Path) -> list[Path]:
    """Draw the figures of these views; gives their files."""
    return [path for view in _load(names) if view.draw for path in view.draw(source, folder)]


def mark_segments(source: ViewInput, names: Sequence[ViewName]) -> SegmentMarks:
    """What these views mark on the page."""
    marks: dict[str, dict[str, list[SegmentMark]]] = {}
    for view in _load(names):
        for system, by_segment in (view.mark(source) if view.mark else {}).items():
            for segment_id, of_view in by_segment.items():
                marks.setdefault(system, {}).setdefault(segment_id, []).extend(of_view)
    return SegmentMarks(kinds_of_marks(names), marks)


def kinds_of_marks(names: Sequence[ViewName]) -> tuple[MarkKind, ...]:
    """Kinds of marks that these views may have on the page."""
    return tuple(kind for view in _load(names) for kind in view.mark_kinds)


def _load(names: Sequence[ViewName]) -> list[View]:
    return [VIEWS[name].load() for name in names]
