"""STM files of NIST: segments of recordings with their times and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from misread.data.formats.account import Account
from misread.data.formats.base import Format
from misread.data.formats.blank_fields import (
    bytes_of,
    find_runs,
    has_other_space,
    join_columns,
    share_strings,
    split_columns,
)
from misread.data.formats.marked_text import (
    BLANKS,
    MarkedText,
    leave_out_unread,
    location_of,
    read_marked,
    read_texts,
    read_times,
)
from misread.data.formats.timed_text import TimedText, TimedTexts
from misread.data.formats.written_segments import (
    FIELD,
    in_order,
    mark_up,
    recording_of,
    require_match,
    show_seconds,
    times_of,
)
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text
from misread.text.arrow_numpy import to_flags
from misread.types import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import pyarrow as pa

    from misread.data.formats.content import Content

_SECONDS: Final = re.compile(r"\d+(?:\.\d*)?|\.\d+")

IGNORED: Final = ("ignore_time_segment_in_scoring", "ignoretimesegmentinscoring")

_FIELDS: Final = "FILE CHANNEL SPEAKER BEGIN END [<LABELS>] TEXT"
_LABELS: Final = re.compile(rf"<(?P<labels>[^<>{BLANKS}]*)>")
_NO_LABEL: Final = "unlabelled"
_NO_SPEAKER: Final = "unknown"
_IGNORED: Final = re.compile("|".join(IGNORED), re.IGNORECASE)


def read_stm(
    path: Path, *, optional_words: bool = False, encoding: str = UTF_8, in_order: bool = True
) -> tuple[TimedTexts, list[str]]:
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
    starts, ends = read_times(dict(zip(("begin", "end"), times, strict=True)), path, lines)
    if (wrong := np.flatnonzero(ends < starts)).size:
        row = int(wrong[0])
        raise InputFileError(
            f"{location_of(path, int(lines[row]))}: the segment ends at {ends[row]:g}, before it begins at "
            f"{starts[row]:g}."
        )
    rows_of = group_rows(find_runs(files, channels))
    account = Account(STM.label, path)
    leave_out_unread(account, content)
    if in_order:
        require_order(path, lines, starts, rows_of)
    labels, ignored, texts = _read_texts(path, rest, lines, content, optional_words=optional_words)
    for row in np.flatnonzero(ignored).tolist():
        if other := _IGNORED.sub("", _LABELS.sub("", rest[row].as_py(), count=1)).strip():
            account.leave_out("texts of segments to be ignored", other, int(lines[row]))
    segments = TimedTexts(
        path,
        lines,
        texts,
        document=share_strings(files),
        speaker=share_strings(speakers),
        start=starts,
        end=ends,
        channel=share_strings(channels),
        labels=labels,
        ignored=ignored,
        rows_of=rows_of,
    )
    return segments, _label_names(content, len(labels[0]))


def group_rows(runs: Iterable[tuple[tuple[str, ...], int, int]]) -> dict[tuple[str, str], IntArray]:
    """Rows by file and channel without case, sorted."""
    rows: dict[tuple[str, str], list[IntArray]] = {}
    for (file, channel), start, end in runs:
        rows.setdefault((file.casefold(), channel.casefold()), []).append(np.arange(start, end))
    return {key: np.concatenate(rows[key]) for key in sorted(rows)}


def require_order(path: Path, lines: IntArray, starts: FloatArray, rows_of: Mapping[tuple[str, str], IntArray]) -> None:
    """Refuse a channel with a row that begins before the one above; names the first such line."""
    early = [rows[1:][np.diff(starts[rows]) < 0] for rows in rows_of.values()]
    if any(rows.size for rows in early):
        row = int(min(rows[0] for rows in early if rows.size))
        raise InputFileError(
            f"{location_of(path, int(lines[row]))}: begins at {starts[row]:g}, before the one above; sort by file, "
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
    return [(*names, *[_NO_LABEL] * (positions - len(names))) for names in labels], ignored, read


def _label_names(text: str, positions: int) -> list[str]:
    titles: Mapping[str, str] = dict(re.findall(r'^;;\s*CATEGORY\s+"([^"]*)"\s+"([^"]+)"', text, re.MULTILINE))
    return [titles.get(str(position), f"label_{position}") for position in range(positions)]


def read_stm_segments(path: Path, *, encoding: str = UTF_8) -> TimedTexts:
    """Read the segments, in any order."""
    return read_stm(path, encoding=encoding, in_order=False)[0]


def has_timed_segments(content: Content) -> bool:
    """Whether lines are those of STM; each row of a printed table has its own name, a recording several segments."""
    recordings = list_recordings(content, _name_recording)
    return bool(recordings) and len(content.entries) > len(recordings)


def _name_recording(line: str) -> str:
    parts = line.split(maxsplit=5)
    if len(parts) < 5 or len(parts[1]) != 1 or not are_seconds(parts[3:5]):
        return ""
    return "" if _SECONDS.fullmatch(parts[2]) or float(parts[3]) > float(parts[4]) else parts[0]


def list_recordings(content: Content, name_recording: Callable[[str], str]) -> frozenset[str]:
    """Recordings that the lines name; none if a line names none."""
    if not name_recording(content.first):
        return frozenset()
    recordings: set[str] = set()
    for line in content.entries:
        if not (recording := name_recording(line)):
            return frozenset()
        recordings.add(recording)
    return frozenset(recordings)


def are_seconds(parts: Iterable[str]) -> bool:
    """Whether all parts are decimal numbers."""
    return all(map(_SECONDS.fullmatch, parts))


def write_stm(segments: Sequence[TimedText], ids: Sequence[str]) -> str:  # noqa: ARG001 - one form for all formats
    """Lines `FILE CHANNEL SPEAKER BEGIN END [<LABELS>] TEXT`, in order of time."""
    lines = []
    for segment in in_order(segments):
        document, channel = recording_of(segment, "STM")
        start, end = times_of(segment, "STM")
        speaker = segment.speaker or _NO_SPEAKER
        require_match(FIELD, speaker, "speaker", segment, "STM has speakers without blanks")
        if any(re.search(rf"[<>,{BLANKS}\n\r]", label) for label in segment.labels):
            raise InputFileError(
                f"{segment.location}: labels are {segment.labels!r}; STM has none with <, > or blanks."
            )
        labels = [f"<{','.join(segment.labels)}>"] if segment.labels else []
        text = IGNORED[0] if segment.ignored else _escape_for_stm(mark_up(segment))
        lines.append(
            " ".join([document, channel, speaker, show_seconds(start), show_seconds(end), *labels, text]).rstrip(" ")
        )
    return "".join(f"{line}\n" for line in lines)


def _note_speakers(segments: Sequence[TimedText]) -> list[str]:
    if all(segment.speaker for segment in segments):
        return []
    return [f"stm needs a speaker: where there is none, it is called {_NO_SPEAKER}."]


def _escape_for_stm(text: str) -> str:
    """A text that neither begins with labels nor is to be ignored."""
    text = _IGNORED.sub(lambda mark: f"{mark[0][0]}\\{mark[0][1:]}", text)
    return f"\\{text}" if text.startswith("<") else text


STM = Format(
    name="stm",
    label="STM",
    kind="segments",
    paired_by="time",
    help="NIST's STM: segments of recordings with their speakers and times",
    endings=frozenset({".stm"}),
    has_turns=True,
    holds=frozenset({"recordings", "channels", "speakers", "times", "labels", "alternatives"})
    | {"marks of segments to be ignored"},
    recognise=has_timed_segments,
    read=read_stm_segments,
    write=write_stm,
    note_changes=_note_speakers,
)
