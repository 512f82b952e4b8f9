"""Texts of recordings, documents or questions: what formats of one text per segment are read into."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import numpy as np

from misread.data.formats.marked_text import MarkedText, location_of, split_alternatives
from misread.errors import InputFileError
from misread.text.alternatives import Items
from misread.text.arrow import ArrowTexts
from misread.text.lazy_rows import LazyRows
from misread.types import BoolArray, FloatArray, IntArray

SEGMENT_COLUMNS: Final = ("id", "text", "recording", "channel", "speaker", "begin", "end", "labels")
"""Columns of a table of segments."""


class TimedText(NamedTuple):
    """The text of one segment; what its format does not say is empty or None."""

    text: str | None  # None where the format says that there is none
    location: str  # file and line or entry, for messages
    segment_id: str = ""
    document: str = ""  # recording
    speaker: str = ""
    start: float | None = None  # seconds
    end: float | None = None
    channel: str = ""
    labels: tuple[str, ...] = ()
    items: Items = ()  # the text with its alternatives, where it has any
    ignored: bool = False  # whether it is to be left out of scores


@dataclass(frozen=True, slots=True, eq=False)
class TimedTexts(LazyRows[TimedText]):
    """Segments of one file as columns, called as the fields of a segment.

    A column is empty if the format does not have it. Texts may have marks.
    """

    path: Path
    lines: IntArray
    text: Sequence[MarkedText]
    segment_id: Sequence[str] = ()
    document: Sequence[str] = ()
    speaker: Sequence[str] = ()
    start: FloatArray = field(default_factory=lambda: np.zeros(0))
    end: FloatArray = field(default_factory=lambda: np.zeros(0))
    channel: Sequence[str] = ()
    labels: Sequence[tuple[str, ...]] = ()  # all of equal length
    ignored: BoolArray = field(default_factory=lambda: np.zeros(0, np.bool_))
    rows_of: Mapping[tuple[str, str], IntArray] = field(default_factory=dict)  # by recording and channel without case

    def __len__(self) -> int:
        return len(self.lines)

    def row(self, index: int) -> TimedText:
        """Make one row."""
        text, items = split_alternatives(self.text[index])
        return TimedText(
            text,
            self.location(index),
            self.segment_id[index] if self.segment_id else "",
            self.document[index] if self.document else "",
            self.speaker[index] if self.speaker else "",
            float(self.start[index]) if len(self.start) else None,
            float(self.end[index]) if len(self.end) else None,
            self.channel[index] if self.channel else "",
            self.labels[index] if self.labels else (),
            items,
            len(self.ignored) > 0 and bool(self.ignored[index]),
        )

    def location(self, row: int) -> str:
        """File and line of a segment, for messages."""
        return location_of(self.path, int(self.lines[row]))

    def marked(self) -> Iterator[tuple[Items, str]]:
        """Texts with marks, and their places."""
        for row, text in enumerate([] if isinstance(self.text, ArrowTexts) else self.text):
            if isinstance(text, tuple):
                yield text, self.location(row)


def column_of(segments: Sequence[TimedText], name: str) -> Sequence[Any]:
    """Values of one field of all segments."""
    if not isinstance(segments, TimedTexts) or next(segments.marked(), None):
        return [getattr(segment, name) for segment in segments]
    values: Sequence[Any] | FloatArray = getattr(segments, name)
    if not len(values):
        return [TimedText._field_defaults[name]] * len(segments)
    return values if isinstance(values, Sequence) else values.tolist()


def require_times(start: float, end: float, location: str) -> None:
    """Refuse times that are negative, infinite, or in the wrong order."""
    if not 0 <= start < float("inf") or not end < float("inf"):
        raise InputFileError(f"{location}: times are {start:g} and {end:g}, expected seconds from 0.")
    if end < start:
        raise InputFileError(f"{location}: the segment ends at {end:g}, before it begins at {start:g}.")


def read_seconds(value: object, name: str, location: str) -> float:
    """A time in seconds of a JSON value, which some tools write as text."""
    try:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return float(value)
    except (OverflowError, ValueError):
        pass
    raise InputFileError(f"{location}: {name} is {value!r}, expected seconds from 0.")


def take(entry: object, key: str, kind: type, location: str, *, expected: str) -> Any:
    """Value of a key of a JSON object; raises InputFileError where it lacks or is of another type."""
    if not isinstance(entry, dict):
        raise InputFileError(f"{location}: expected an object with {expected}, got {type(entry).__name__}.")
    if key not in entry:
        raise InputFileError(f"{location}: no {key!r}, expected {expected}.")
    if not isinstance(entry[key], kind):
        expected = " or ".join(accepted.__name__ for accepted in get_args(kind) or (kind,))
        raise InputFileError(f"{location}: {key} is {entry[key]!r}, expected {expected}.")
    return entry[key]


def read_name(value: object, key: str, location: str) -> str:
    """A name in a JSON value: 3, 3.0 and "3" are one name; empty where there is none."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int | None):
        raise InputFileError(f"{location}: {key} is {value!r}, expected a name.")
    return "" if value is None else str(value)


def entry_of(path: Path, number: int) -> str:
    """Place of an entry of a JSON array, numbered from 1."""
    return f"{path}, entry {number}"


def list_ignored(segments: Sequence[TimedText]) -> list[TimedText]:
    """Segments that are to be ignored."""
    if isinstance(segments, TimedTexts) and not len(segments.ignored):
        return []
    return [segment for segment in segments if segment.ignored]


def leave_out_times_of(ignored: Sequence[TimedText], heard: Sequence[TimedText]) -> Sequence[TimedText]:
    """Leave out segments of a system whose middle lies in an ignored segment of the references."""
    if not ignored:
        return heard
    spans: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for segment in ignored:
        spans.setdefault(recording_key(segment), []).append((segment.start or 0.0, segment.end or 0.0))
    return [
        segment
        for segment in heard
        if segment.start is None
        or segment.end is None
        or not any(
            start <= (segment.start + segment.end) / 2 <= end for start, end in spans.get(recording_key(segment), ())
        )
    ]


def recording_key(segment: TimedText) -> tuple[str, str]:
    """Recording and channel of a segment, without case."""
    return segment.document.casefold(), segment.channel.casefold()


def name_recording(heard: Sequence[TimedText], references: Sequence[TimedText], path: Path) -> Sequence[TimedText]:
    """Segments of the one recording of the references, where a side does not name it.

    Raises InputFileError if the file of the references, `path`, has several.
    """
    names, others = ({*column_of(segments, "document")} for segments in (references, heard))
    if names == others or "" not in names | others:
        return heard
    if len(names) > 1 and "" in others:
        location = next(segment.location for segment in heard if not segment.document)
        raise InputFileError(
            f"{location}: it does not say which recording it belongs to, and {path} has {len(names):,}."
        )
    if len(names) > 1 or len(others - {""}) > 1:
        return heard
    (name,) = names
    if isinstance(heard, TimedTexts):
        return replace(heard, document=[name] * len(heard))
    return [segment._replace(document=name) for segment in heard]
