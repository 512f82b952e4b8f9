"""STM files of NIST: segments of recordings with their times and texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, overload

import numpy as np

from misread.data.formats.blank_fields import (
    bytes_of,
    find_runs,
    has_other_space,
    join_columns,
    share_strings,
    split_columns,
)
from misread.data.formats.marked_text import BLANKS, MarkedText, place_of, read_marked, read_texts, read_times
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text
from misread.text.alternatives import Items
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_flags
from misread.types import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import pyarrow as pa

IGNORED: Final = ("ignore_time_segment_in_scoring", "ignoretimesegmentinscoring")

_FIELDS: Final = "FILE CHANNEL SPEAKER BEGIN END [<LABELS>] TEXT"
_LABELS: Final = re.compile(rf"<(?P<labels>[^<>{BLANKS}]*)>")
_NO_LABEL: Final = "unlabelled"


class TimedSegment(NamedTuple):
    """A stretch of one channel of one file with its words (times in seconds), or one to leave out of scores."""

    file: str
    channel: str
    speaker: str
    begin: float
    end: float
    labels: tuple[str, ...]
    text: MarkedText
    ignored: bool
    place: str  # file and line, for messages


@dataclass(frozen=True, slots=True)
class TimedSegments(Sequence[TimedSegment]):
    """Segments of one file as columns."""

    path: Path
    files: Sequence[str]
    channels: Sequence[str]
    speakers: Sequence[str]
    begins: FloatArray
    ends: FloatArray
    labels: Sequence[tuple[str, ...]]  # all of equal length
    texts: Sequence[MarkedText]
    ignored: BoolArray
    lines: IntArray
    rows_of: Mapping[tuple[str, str], IntArray]  # by file and channel without case, sorted

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, index: int) -> TimedSegment: ...
    @overload
    def __getitem__(self, index: slice) -> list[TimedSegment]: ...
    def __getitem__(self, index: int | slice) -> TimedSegment | list[TimedSegment]:
        if isinstance(index, slice):
            return [self[row] for row in range(len(self))[index]]
        return TimedSegment(
            self.files[index],
            self.channels[index],
            self.speakers[index],
            float(self.begins[index]),
            float(self.ends[index]),
            self.labels[index],
            self.texts[index],
            bool(self.ignored[index]),
            self.place(index),
        )

    def marked(self) -> Iterator[tuple[Items, str]]:
        """Texts with marks, and their places."""
        texts = [] if isinstance(self.texts, ArrowTexts) else self.texts
        for row, text in enumerate(texts):
            if isinstance(text, tuple):
                yield text, self.place(row)

    def place(self, row: int) -> str:
        """File and line of a segment, for messages."""
        return place_of(self.path, int(self.lines[row]))


def read_stm(
    path: Path, *, optional_words: bool = False, encoding: str = UTF_8, in_order: bool = True
) -> tuple[TimedSegments, list[str]]:
    """Read lines `FILE CHANNEL SPEAKER BEGIN END [<LABELS>] TEXT`; returns segments and names of label positions.

    The names come from the file's `;; CATEGORY` lines. Segments of a channel must be `in_order` of time. With
    `optional_words`, words in parentheses may be omitted.
    """
    content = read_text(path, encoding=encoding)
    parts = list(split_columns(content, 5))
    if not parts:
        raise InputFileError(f"{path} has no segment, expected {_FIELDS}.")
    for part in parts:
        part.require(5, path, _FIELDS)
    lines = np.concatenate([part.lines for part in parts])
    files, channels, speakers, *times, rest = join_columns([[*part.columns, part.rest] for part in parts])
    begins, ends = read_times(dict(zip(("begin", "end"), times, strict=True)), path, lines)
    if (wrong := np.flatnonzero(ends < begins)).size:
        row = int(wrong[0])
        raise InputFileError(
            f"{place_of(path, int(lines[row]))}: the segment ends at {ends[row]:g}, before it begins at "
            f"{begins[row]:g}."
        )
    rows_of = group_rows(find_runs(files, channels))
    if in_order:
        require_order(path, lines, begins, rows_of)
    labels, ignored, texts = _read_texts(path, rest, lines, content, optional_words=optional_words)
    segments = TimedSegments(
        path,
        share_strings(files),
        share_strings(channels),
        share_strings(speakers),
        begins,
        ends,
        labels,
        texts,
        ignored,
        lines,
        rows_of,
    )
    return segments, _label_names(content, len(labels[0]))


def group_rows(runs: Iterable[tuple[tuple[str, ...], int, int]]) -> dict[tuple[str, str], IntArray]:
    """Rows by file and channel without case, sorted."""
    found: dict[tuple[str, str], list[IntArray]] = {}
    for (file, channel), begin, end in runs:
        found.setdefault((file.casefold(), channel.casefold()), []).append(np.arange(begin, end))
    return {key: np.concatenate(found[key]) for key in sorted(found)}


def require_order(path: Path, lines: IntArray, begins: FloatArray, rows_of: Mapping[tuple[str, str], IntArray]) -> None:
    """Refuse rows of a channel of which one begins before the one above; names the first line of all."""
    early = [rows[1:][np.diff(begins[rows]) < 0] for rows in rows_of.values()]
    if any(rows.size for rows in early):
        row = int(min(rows[0] for rows in early if rows.size))
        raise InputFileError(
            f"{place_of(path, int(lines[row]))}: begins at {begins[row]:g}, before the one above; sort by file, "
            "channel and time."
        )


def _read_texts(
    path: Path, rest: pa.Array, lines: IntArray, content: str, *, optional_words: bool
) -> tuple[Sequence[tuple[str, ...]], BoolArray, Sequence[MarkedText]]:
    """Labels, whether segments are to be ignored, and texts."""
    import pyarrow.compute as pc

    ignored = np.zeros(len(lines), np.bool_)
    for mark in IGNORED:
        ignored |= to_flags(pc.match_substring(rest, mark, ignore_case=True))
    if not ignored.any() and not (bytes_of(rest) == ord("<")).any():
        only_blanks = not has_other_space(content)
        texts = read_texts(rest, path, lines, optional_words=optional_words, only_blanks=only_blanks)
        return [()] * len(lines), ignored, texts
    labels: list[tuple[str, ...]] = []
    read: list[MarkedText] = []
    for row, (text, line) in enumerate(zip(rest.to_pylist(), lines.tolist(), strict=True)):
        match = _LABELS.match(text)
        labels.append(tuple(match["labels"].split(",")) if match else ())
        said = text[match.end() :] if match else text
        read.append("" if ignored[row] else read_marked(said, path, line, optional_words=optional_words))
    positions = max(map(len, labels))
    return [(*each, *[_NO_LABEL] * (positions - len(each))) for each in labels], ignored, read


def _label_names(text: str, positions: int) -> list[str]:
    titles: Mapping[str, str] = dict(re.findall(r'^;;\s*CATEGORY\s+"([^"]*)"\s+"([^"]+)"', text, re.MULTILINE))
    return [titles.get(str(position), f"label_{position}") for position in range(positions)]
