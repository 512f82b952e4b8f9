"""Data of the explorer: an index that is read at once, and segments in chunks that are read when looked at."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from misread.report.page.display_grid import DisplayGrid
from misread.report.page.media import Medium
from misread.report.page.payload import pack, pack_chunks
from misread.report.page.segments import VIEWS, Operations, Output, SegmentView, SegmentViews, View
from misread.text.labels import show_label


@dataclass(frozen=True)
class ExplorerData:
    """What one data set puts into the page, packed.

    Attributes
    ----------
    columns : tuple of str
        Labels by which segments can be filtered.
    shown, total : int
        Segments in the explorer, and in the data set.
    media : mapping of position to str
        Data URIs of the images and audio inside the page.
    """

    index: str
    chunks: tuple[str, ...]
    columns: tuple[str, ...]
    shown: int
    total: int
    media: Mapping[int, str]

    @property
    def size(self) -> int:
        """Bytes in the page, without the elements around them."""
        return len(self.index) + sum(map(len, self.chunks)) + sum(map(len, self.media.values()))


def pack_explorer(views: SegmentViews, media: Mapping[str, Medium], names: Mapping[str, str]) -> ExplorerData:
    """Pack all segments.

    Parameters
    ----------
    views : SegmentViews
        Segments of one data set.
    media : mapping of segment id to Medium
        Where there is one.
    names : mapping of id to str
        Names of systems for people.

    Returns
    -------
    ExplorerData
    """
    return _pack(views, views.segments, media, names)


def pack_part(views: SegmentViews, media: Mapping[str, Medium], names: Mapping[str, str], *, room: int) -> ExplorerData:
    """Pack as many segments as there is room for: those on which systems disagree first, then a random sample.

    The sample is the same on every run.

    Parameters
    ----------
    views, media, names
        As for `pack_explorer`.
    room : int
        Bytes that the result may have.

    Returns
    -------
    ExplorerData
        With all segments where they fit.
    """
    whole = _pack(views, views.segments, media, names)
    if whole.size <= room:
        return whole
    disputed = [position for position, segment in enumerate(views.segments) if segment.disagreement]
    others = [position for position, segment in enumerate(views.segments) if not segment.disagreement]
    disputed.sort(key=lambda position: views.segments[position].interest)
    random.Random(0).shuffle(others)  # noqa: S311  a sample to look at, no secret
    order = disputed + others
    kept, packed = len(order), whole
    while kept and packed.size > room:
        # Media went in by interest already; what is left out takes its own along.
        kept = min(kept - 1, int(kept * room / packed.size * 0.97))
        packed = _pack(views, [views.segments[position] for position in sorted(order[:kept])], media, names)
    return packed


def _pack(
    views: SegmentViews, segments: Sequence[SegmentView], media: Mapping[str, Medium], names: Mapping[str, str]
) -> ExplorerData:
    chunks, starts = pack_chunks([_segment(segment) for segment in segments])
    found = {position: media[of.segment_id] for position, of in enumerate(segments) if of.segment_id in media}
    columns = tuple(map(show_label, views.columns))
    index = {
        "systems": [{"id": system, "name": show_label(names.get(system, system))} for system in views.systems],
        "columns": _label_columns(columns, segments),
        "ids": [show_label(segment.segment_id) for segment in segments],
        "lengths": {view: [segment.aligned[view].length for segment in segments] for view in VIEWS},
        "counts": {view: _counts(segments, view, len(views.systems)) for view in VIEWS},
        "same_wrong": [position for position, segment in enumerate(segments) if _all_wrong_the_same_way(segment)],
        "empty": [
            [position for position, segment in enumerate(segments) if segment.outputs[place].scored == ""]
            for place in range(len(views.systems))
        ],
        "media": {position: [of.kind, bool(of.data), of.link] for position, of in found.items()},
        "starts": starts,
        "total": len(views.segments),
    }
    inside = {position: of.data for position, of in found.items() if of.data}
    return ExplorerData(pack(index), tuple(chunks), columns, len(segments), len(views.segments), inside)


def _label_columns(names: Sequence[str], segments: Sequence[SegmentView]) -> list[dict[str, Any]]:
    """Columns of labels: their values in order of appearance, and the number of the value of every segment."""
    columns = []
    for place, name in enumerate(names):
        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(show_label(segment.labels[place]), len(numbers)) for segment in segments]
        columns.append({"name": name, "values": list(numbers), "codes": codes})
    return columns


def _counts(segments: Sequence[SegmentView], view: View, systems: int) -> list[list[int]]:
    """S, D, I of all segments one after the other, a list a system; -1 where there is no output."""
    nothing = Operations(-1, -1, -1)
    return [
        [count for segment in segments for count in segment.aligned[view].counts[place] or nothing]
        for place in range(systems)
    ]


def _all_wrong_the_same_way(segment: SegmentView) -> bool:
    """Whether all systems gave one and the same wrong text, which makes the reference suspect."""
    texts = {output.scored for output in segment.outputs}
    return len(segment.outputs) > 1 and len(texts) == 1 and texts != {segment.scored} and None not in texts


def _segment(segment: SegmentView) -> list[Any]:
    """Raw texts only where the normalizer changed them."""
    return [
        segment.scored,
        0 if segment.raw == segment.scored else segment.raw,
        [_output(output) for output in segment.outputs],
        [_grid(segment.aligned[view].grid) for view in VIEWS],
    ]


def _output(output: Output) -> list[Any]:
    if output.scored is None:
        return [None, show_label(output.reason)]
    return [output.scored, 0 if output.raw == output.scored else output.raw]


def _grid(grid: DisplayGrid) -> list[Any]:
    return [list(grid.reference), [None if row is None else [row.letters, list(row.texts)] for row in grid.rows]]
