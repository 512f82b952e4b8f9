"""Data of the explorer: an index that is read at the start, and chunks of segments that are read on demand."""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from misread.report.page.display_grid import DisplayGrid
from misread.report.page.media import Medium
from misread.report.page.payload import pack, pack_chunks
from misread.report.page.segments import VIEWS, OperationCounts, SegmentView, SegmentViews, SystemOutput, View
from misread.text.display import show_label


@dataclass(frozen=True)
class ExplorerData:
    """Packed data of one data set."""

    index: str
    chunks: tuple[str, ...]
    # Labels that can filter segments.
    columns: tuple[str, ...]
    # Numbers of segments in the explorer and in the data set.
    shown: int
    total: int
    # Data URIs of the images and audio inside the page, by position.
    media: Mapping[int, str]

    @property
    def size(self) -> int:
        """Bytes in the page, without the enclosing elements."""
        return len(self.index) + sum(map(len, self.chunks)) + sum(map(len, self.media.values()))


def pack_part(
    views: SegmentViews,
    media: Mapping[str, Medium],
    names: Mapping[str, str],
    *,
    room: int,
    named_ids: Collection[str] = (),
) -> ExplorerData:
    """Pack the segments that fit into `room` bytes: named ones, then disputed ones, then a random sample.

    The sample is the same on every run.
    """
    whole = _pack(views, views.segments, media, names)
    if whole.size <= room:
        return whole
    disputed = [position for position, segment in enumerate(views.segments) if segment.disagreement]
    others = [position for position, segment in enumerate(views.segments) if not segment.disagreement]
    disputed.sort(key=lambda position: views.segments[position].interest)
    random.Random(0).shuffle(others)  # noqa: S311  a sample to look at, not a secret
    order = disputed + others
    order.sort(key=lambda position: views.segments[position].segment_id not in named_ids)
    count, packed = len(order), whole
    while count and packed.size > room:
        # Media were chosen by interest; segments that are left out lose theirs.
        count = min(count - 1, int(count * room / packed.size * 0.97))
        packed = _pack(views, [views.segments[position] for position in sorted(order[:count])], media, names)
    return packed


def _pack(
    views: SegmentViews, segments: Sequence[SegmentView], media: Mapping[str, Medium], names: Mapping[str, str]
) -> ExplorerData:
    chunks, starts = pack_chunks(map(_segment, segments))
    media_by_position = {
        position: media[segment.segment_id] for position, segment in enumerate(segments) if segment.segment_id in media
    }
    columns = tuple(map(show_label, views.columns))
    index = {
        "systems": [{"id": system, "name": show_label(names.get(system, system))} for system in views.systems],
        "columns": _label_columns(columns, segments),
        "ids": [show_label(segment.segment_id) for segment in segments],
        "lengths": {view: [segment.aligned[view].length for segment in segments] for view in VIEWS},
        "counts": {view: _counts(segments, view, len(views.systems)) for view in VIEWS},
        "same_wrong": [position for position, segment in enumerate(segments) if _all_wrong_the_same_way(segment)],
        "empty": [
            [position for position, segment in enumerate(segments) if segment.outputs[system_index].scored == ""]
            for system_index in range(len(views.systems))
        ],
        "flags": _marks(segments, len(views.systems), views.kinds),
        "media": {
            position: [medium.kind, bool(medium.data), medium.link] for position, medium in media_by_position.items()
        },
        "starts": starts,
        "total": views.total,
    }
    inside = {position: medium.data for position, medium in media_by_position.items() if medium.data}
    return ExplorerData(pack(index), tuple(chunks), columns, len(segments), views.total, inside)


def _label_columns(names: Sequence[str], segments: Sequence[SegmentView]) -> list[dict[str, Any]]:
    """Columns of labels: their values in order of appearance, and for every segment the index of its value."""
    columns = []
    for index, name in enumerate(names):
        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(show_label(segment.labels[index]), len(numbers)) for segment in segments]
        columns.append({"name": name, "values": list(numbers), "codes": codes})
    return columns


def _counts(segments: Sequence[SegmentView], view: View, systems: int) -> list[list[int]]:
    """S, D, I of all segments in sequence, one list per system; -1 without output."""
    nothing = OperationCounts(-1, -1, -1)
    return [
        [count for segment in segments for count in segment.aligned[view].counts[system_index] or nothing]
        for system_index in range(systems)
    ]


def _marks(segments: Sequence[SegmentView], systems: int, kinds: Sequence[str]) -> dict[str, list[list[int]]]:
    """Positions of the segments with marks by kind and system; without kinds that do not occur."""
    positions: dict[str, list[list[int]]] = {}
    for position, segment in enumerate(segments):
        for system_index, output in enumerate(segment.outputs):
            for kind in dict.fromkeys(mark.kind for mark in output.marks):
                positions.setdefault(kind, [[] for _ in range(systems)])[system_index].append(position)
    return {kind: positions[kind] for kind in kinds if kind in positions}


def _all_wrong_the_same_way(segment: SegmentView) -> bool:
    """Whether all systems returned the same wrong text, which makes the reference suspect."""
    texts = {output.scored for output in segment.outputs}
    return len(segment.outputs) > 1 and len(texts) == 1 and texts != {segment.scored} and None not in texts


def _segment(segment: SegmentView) -> list[Any]:
    """Packed segment, with raw texts only if the normalizer changed them."""
    return [
        segment.scored,
        0 if segment.raw == segment.scored else segment.raw,
        [_output(output) for output in segment.outputs],
        [[_grid(grid) for grid in segment.aligned[view].grids] for view in VIEWS],
    ]


def _output(output: SystemOutput) -> list[Any]:
    if output.scored is None:
        return [None, show_label(output.reason)]
    reasons = [[mark.kind, mark.start, mark.end, show_label(mark.reason)] for mark in output.marks]
    return [output.scored, 0 if output.raw == output.scored else output.raw, *([reasons] if reasons else [])]


def _grid(grid: DisplayGrid) -> list[Any]:
    return [list(grid.reference), [None if row is None else [row.letters, list(row.texts)] for row in grid.rows]]
