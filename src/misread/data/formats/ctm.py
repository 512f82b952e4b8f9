"""CTM files of NIST: words of recordings with their times."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from misread.data.base import number_turns
from misread.data.formats.account import Account, count_characters
from misread.data.formats.annotations import annotate_hypotheses
from misread.data.formats.base import Format, MarkedSettings
from misread.data.formats.blank_fields import Fields, bytes_of, count_utf8, find_runs, read_numbers, split_columns
from misread.data.formats.marked_text import MarkedText, in_one_notation, leave_out_unread, location_of, read_times
from misread.data.formats.stm import are_seconds, group_rows, list_recordings, read_stm, require_order
from misread.data.formats.time_cuts import (
    cut_confidences,
    cut_words,
    find_gaps,
    find_overlaps,
    find_strays,
    place_words,
)
from misread.data.formats.timed_text import TimedText, TimedTexts
from misread.data.formats.timed_words import Confidences, TimedWords
from misread.data.formats.written_segments import in_order, mark_up, recording_of, show_seconds, times_of
from misread.data.segment_table import SegmentTable
from misread.data.transcript_notes import REFERENCES, note_marks, note_overlaps, note_strays
from misread.errors import InputFileError
from misread.io.stored_columns import pair_values, release_memory
from misread.io.text import UTF_8, read_text
from misread.text.alternatives import NO_WORD, Choice, Item, Items, Word, list_words, read_word
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_flags
from misread.text.words import split_words
from misread.types import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import pyarrow as pa

    from misread.data.formats.content import Content

_NO_TIME: Final = "*"

Value = TypeVar("Value")

_FIELDS: Final = "FILE CHANNEL BEGIN DURATION WORD"
_BEHIND: Final = "fields behind the confidence"
_CONFIDENCE: Final = r"^(|na|[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?)$"
_MARK_BYTES: Final = np.isin(np.arange(256), list(b"(@;\\"))


def read_ctm(path: Path, *, optional_words: bool = False, encoding: str = UTF_8) -> dict[tuple[str, str], TimedWords]:
    """Read lines `FILE CHANNEL BEGIN DURATION WORD [CONFIDENCE ...]`, by file and channel.

    Words between <ALT_BEGIN>, <ALT> and <ALT_END>, whose times are stars, are alternatives; together they count as
    spoken at the latest middle of any of them. A word `@` means no word at all. With `optional_words`, words in
    parentheses may be omitted.
    """
    whole = _read_words(path, read_text(path, encoding=encoding))
    rows_of = group_rows(whole.runs)
    choices = _find_choices(path, whole)
    is_inside = np.zeros(len(whole.lines), np.bool_)
    for choice in choices:
        is_inside[choice.marks[0] : choice.marks[-1] + 1] = True
    require_order(path, whole.lines, whole.starts, {key: rows[~is_inside[rows]] for key, rows in rows_of.items()})
    read = _read_marked(whole.words, optional_words=optional_words)
    marked = read | {choice.marks[-1]: choice.read(whole.words, read) for choice in choices}
    spread = {choice.marks[-1]: choice.confidences(whole.confidences, read) for choice in choices}
    if choices:
        whole = _place_choices(whole, choices)
        is_inside[[*spread]] = False
    channels = {}
    for key, rows in rows_of.items():
        own_rows = rows[~is_inside[rows]] if choices else rows
        starts, middles, words, lines = whole.take(own_rows)
        sure = None if whole.confidences is None else whole.confidences[own_rows]
        sure = None if sure is None or np.isnan(sure).all() else sure
        items, alternatives = _at_positions(marked, own_rows), _at_positions(spread, own_rows)
        channels[key] = TimedWords(path, starts, middles, words, lines, items, sure, alternatives)
    return channels


def _at_positions(values: Mapping[int, Value], rows: IntArray) -> dict[int, Value]:
    """Values of rows by their positions among `rows`."""
    return {index: values[row] for index, row in enumerate(rows.tolist()) if row in values} if values else {}


class _Words(NamedTuple):
    """Rows of a file as columns; marks of alternatives have no times."""

    words: pa.Array
    starts: FloatArray
    middles: FloatArray
    is_mark: BoolArray
    lines: IntArray
    confidences: FloatArray | None
    runs: Sequence[tuple[tuple[str, ...], int, int]] = ()  # by file and channel

    def take(self, rows: IntArray) -> tuple[FloatArray, FloatArray, pa.Array, IntArray]:
        """Begins, middles, words and lines of some rows, which ascend; no copy of those that follow each other."""
        if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
            part = slice(int(rows[0]), int(rows[-1]) + 1)
            return self.starts[part], self.middles[part], self.words[part], self.lines[part]
        return self.starts[rows], self.middles[rows], self.words.take(to_arrow(rows)), self.lines[rows]


def _read_words(path: Path, content: str) -> _Words:
    """All rows of a file; its columns are made whole from the start, as small pieces would leave gaps in memory."""
    import pyarrow as pa

    most = content.count("\n") + 1
    starts, middles, sure = np.full((3, most), np.nan)
    lines, is_mark = np.zeros(most, np.int64), np.zeros(most, np.bool_)
    words: list[pa.Array] = [pa.nulls(0, pa.large_string())]
    runs: list[tuple[tuple[str, ...], int, int]] = []
    done = 0
    account = Account(CTM.label, path)
    leave_out_unread(account, content)
    for fields in split_columns(content, 6):
        if len(wide := np.flatnonzero(fields.widths > 6)):
            first = fields.rest[int(wide[0])].as_py()
            account.leave_out(_BEHIND, first, int(fields.lines[wide[0]]))
            account.left_out[_BEHIND].number += len(wide) - 1
            account.left_out[_BEHIND].characters += count_utf8(fields.rest) - count_characters(first)
        part, rows = _read_part(fields, path), slice(done, done + len(fields))
        starts[rows], middles[rows], lines[rows], is_mark[rows] = part.starts, part.middles, part.lines, part.is_mark
        if part.confidences is not None:
            sure[rows] = part.confidences
        words.append(part.words)
        runs += [(key, done + start, done + end) for key, start, end in part.runs]
        done += len(fields)
    known = None if np.isnan(sure[:done]).all() else sure[:done]
    return _Words(pa.concat_arrays(words), starts[:done], middles[:done], is_mark[:done], lines[:done], known, runs)


def _read_part(fields: Fields, path: Path) -> _Words:
    import pyarrow.compute as pc

    fields.require(5, path, _FIELDS)
    files, channels, *others, words, confidences = fields.columns
    is_mark = np.zeros(len(fields), np.bool_)
    if (bytes_of(words) == ord("<")).any():
        matches = pc.match_substring_regex(words, "^<alt(_begin|_end)?>$", ignore_case=True)
        is_mark = to_flags(matches)
    spoken = np.flatnonzero(~is_mark)
    if is_mark.any():
        *others, confidences = (column.take(to_arrow(spoken)) for column in (*others, confidences))
    starts, middles = np.zeros((2, len(fields)))
    columns = dict(zip(("begin", "duration"), others, strict=True))
    starts[spoken], durations = read_times(columns, path, fields.lines[spoken])
    middles[spoken] = starts[spoken] + durations / 2
    known = _read_confidences(path, fields.lines[spoken], confidences)
    sure = None
    if known is not None:
        sure = np.full(len(fields), np.nan)
        sure[spoken] = known
    return _Words(words, starts, middles, is_mark, fields.lines, sure, list(find_runs(files, channels)))


class _Choice(NamedTuple):
    """Rows of the marks of alternatives: the first and last open and close them, others separate them."""

    marks: list[int]

    def read(self, words: pa.Array, marked: Mapping[int, Item]) -> Choice:
        """The alternatives between the marks."""
        ways: list[Items] = []
        for before, behind in pairwise(self.marks):
            rows = range(before + 1, behind)
            way = tuple(marked.get(row) or Word(words[row].as_py()) for row in rows)
            ways.append(() if way == (NO_WORD,) else way)
        return Choice(tuple(ways))

    def confidences(self, column: FloatArray | None, marked: Mapping[int, Item]) -> Confidences:
        """Confidences of the words between the marks; an `@` is not a word."""
        spread: Confidences = []
        for before, behind in pairwise(self.marks):
            values = [np.nan if column is None else float(column[row]) for row in range(before + 1, behind)]
            rows = range(before + 1, behind)
            known = [value for row, value in zip(rows, values, strict=True) if marked.get(row) != NO_WORD]
            spread.append([None if math.isnan(value) else value for value in known])
        return spread


def _place_choices(whole: _Words, choices: Sequence[_Choice]) -> _Words:
    """The rows with times at the last mark of each choice: its first begin, and the latest middle of its words."""
    starts, middles = whole.starts.copy(), whole.middles.copy()
    for first, *_, last in (choice.marks for choice in choices):
        starts[last], middles[last] = whole.starts[first + 1], whole.middles[first:last].max()
    return whole._replace(starts=starts, middles=middles)


def _find_choices(path: Path, whole: _Words) -> list[_Choice]:
    choices: list[_Choice] = []
    is_open = False
    for row in np.flatnonzero(whole.is_mark).tolist():
        mark, location = whole.words[row].as_py(), location_of(path, int(whole.lines[row]))
        if (mark.casefold() == "<alt_begin>") == is_open:
            raise InputFileError(f"{location}: {mark} where <ALT_BEGIN>, <ALT>, <ALT_END> follow each other.")
        if not is_open:
            choices.append(_Choice([]))
        choices[-1].marks.append(row)
        is_open = mark.casefold() != "<alt_end>"
        if not is_open and row - choices[-1].marks[0] < len(choices[-1].marks):
            raise InputFileError(f"{location}: <ALT_END> after no word, expected alternatives, separated by <ALT>.")
    if is_open:
        raise InputFileError(
            f"{location_of(path, int(whole.lines[choices[-1].marks[0]]))}: <ALT_BEGIN> without <ALT_END>."
        )
    return choices


def _read_confidences(path: Path, lines: IntArray, confidences: pa.Array) -> FloatArray | None:
    """Confidences, NaN where there is none or NA; None where no word has one."""
    import pyarrow.compute as pc

    if not len(bytes_of(confidences)):
        return None
    if (numbers := read_numbers(confidences)) is not None:
        return numbers
    fits = to_flags(pc.match_substring_regex(confidences, _CONFIDENCE, ignore_case=True))
    if (wrong := np.flatnonzero(~fits)).size:
        row = int(wrong[0])
        raise InputFileError(
            f"{location_of(path, int(lines[row]))}: confidence is {confidences[row].as_py()!r}, expected a decimal "
            "number or NA."
        )
    texts = confidences.to_pylist()
    return np.array([np.nan if text.casefold() in ("", "na") else float(text) for text in texts], np.float64)


def _read_marked(words: pa.Array, *, optional_words: bool) -> dict[int, Item]:
    """Words with characters that may be marks, by row."""
    import pyarrow.compute as pc

    if not _MARK_BYTES[bytes_of(words)].any():
        return {}
    rows = np.flatnonzero(to_flags(pc.match_substring_regex(words, r"[(@;\\]"))).tolist()
    return {row: read_word(words[row].as_py(), optional_words=optional_words, tags=True) for row in rows}


def read_ctm_segments(path: Path, *, optional_words: bool = False, encoding: str = UTF_8) -> list[TimedText]:
    """Read every word as a segment."""
    segments = []
    for (file, channel), words in read_ctm(path, optional_words=optional_words, encoding=encoding).items():
        for word in words:
            text = " ".join(list_words((word.item,)))
            items = () if text == getattr(word.item, "text", None) else (word.item,)
            segments.append(TimedText(text, word.location, "", file, "", word.start, word.end, channel, items=items))
    return segments


def has_timed_words(content: Content) -> bool:
    """Whether lines are those of CTM; a recording has several words."""
    recordings = list_recordings(content, _name_recording)
    return bool(recordings) and len(content.entries) > 2 * len(recordings)


def _name_recording(line: str) -> str:
    parts = line.split()
    is_word = 5 <= len(parts) <= 8 and len(parts[1]) == 1
    return parts[0] if is_word and are_seconds(part for part in parts[2:4] if part != _NO_TIME) else ""


def read_timed_files(
    reference: Path, hypotheses: Mapping[str, Path], *, optional_words: bool = False, encoding: str = UTF_8
) -> SegmentTable:
    """Read an STM file and CTM files, by system; each word belongs to the segment at its time.

    Segments to be ignored take their words with them. A channel without words is a missing hypothesis of all its
    segments. Segment ids are SPEAKER-NUMBER, the cluster is the speaker; groups are file, channel, speaker and every
    label position. Confidences are an annotation of systems that have some. So are, as "heard", times without words:
    begins and ends in seconds, `without_words`, within `speech`.
    """
    segments, label_names = read_stm(reference, optional_words=optional_words, encoding=encoding)
    scored = np.flatnonzero(~segments.ignored)
    if not scored.size:
        raise InputFileError(f"{reference} has no segment to score: all are marked to be ignored.")
    texts: dict[str, Sequence[MarkedText | None]] = {}
    notes_on: dict[str, list[str]] = {}
    annotations: dict[str, dict[str, Sequence[Any]]] = {}
    for system, path in hypotheses.items():
        texts[system], annotations[system], notes_on[system] = _hear(
            system, path, segments, scored, optional_words=optional_words, encoding=encoding
        )
    speakers = _take(segments.speaker, scored, len(segments))
    overlaps = np.concatenate(
        [rows[find_overlaps(segments.start[rows], segments.end[rows])] for rows in segments.rows_of.values()]
    )
    references = _take(segments.text, scored, len(segments))
    table = in_one_notation(reference.stem, number_turns(speakers), references, texts)
    table = replace(
        table,
        cluster=speakers,
        cluster_name="speaker",
        groups={
            "file": _take(segments.document, scored, len(segments)),
            "channel": _take(segments.channel, scored, len(segments)),
            "speaker": speakers,
            **{name: [segments.labels[row][at] for row in scored.tolist()] for at, name in enumerate(label_names)},
        },
        times=pair_values(to_arrow(segments.start[scored]), to_arrow(segments.end[scored])),
        annotations_of=annotate_hypotheses(annotations),
        facts=table.facts.with_notes(
            *note_marks(REFERENCES, segments.marked(), optional_words),
            *note_overlaps([segments.location(row) for row in overlaps]),
        ),
        notes_on_hypotheses=notes_on,
    )
    # Otherwise the process would keep the memory of reading while it scores.
    release_memory()
    return table


def _hear(
    system: str, path: Path, segments: TimedTexts, scored: IntArray, *, optional_words: bool, encoding: str
) -> tuple[Sequence[MarkedText | None], dict[str, Sequence[Any]], list[str]]:
    """Texts that a CTM file has in the scored segments, annotations of them, and notes on it."""
    words = read_ctm(path, optional_words=optional_words, encoding=encoding)
    if strange := words.keys() - segments.rows_of.keys():
        key = min(strange, key=lambda key: words[key].lines[0])
        raise InputFileError(
            f"{words[key].location(0)}: {segments.path} has no file {key[0]!r} with channel {key[1]!r}."
        )
    texts, annotations, strays = _cut_channels(segments, words)
    marked = (((item,), channel.location(row)) for channel in words.values() for row, item in channel.marked.items())
    notes = [
        *([] if words else [f"{system}: {path.name} has no word."]),
        *note_marks(system, marked, optional_words),
        *note_strays(system, strays),
    ]
    annotations = {name: _take(column, scored, len(segments)) for name, column in annotations.items()}
    return _take(texts, scored, len(segments)), annotations, notes


def _cut_channels(
    segments: TimedTexts, words: Mapping[tuple[str, str], TimedWords]
) -> tuple[Sequence[MarkedText | None], dict[str, Sequence[Any]], Sequence[str]]:
    """Text and annotations of every segment, None where there are none, and the places of words outside of segments."""
    texts: list[tuple[IntArray, Sequence[MarkedText]]] = []
    annotations: dict[str, list[tuple[IntArray, Sequence[Any]]]] = {"confidence": [], "heard": []}
    strays = []
    for key, rows in segments.rows_of.items():
        if key not in words:
            continue
        # sclite keeps times of segments in 32 bits and those of words in 64: that decides where a middle is on an end.
        starts, ends = (times[rows].astype(np.float32).astype(np.float64) for times in (segments.start, segments.end))
        channel = words[key]
        placed = place_words(starts, ends, channel.middles)
        texts.append((rows, cut_words(len(rows), placed, channel)))
        annotations["confidence"].append((rows, cut_confidences(len(rows), placed, channel)))
        annotations["heard"].append((rows, find_gaps(starts, ends, placed, channel)))
        strays += [channel.location(row) for row in find_strays(starts, ends, placed, channel)]
    columns: dict[str, Sequence[Any]] = {name: _spread(parts, len(segments)) for name, parts in annotations.items()}
    return _put_together(texts, len(segments)), columns, strays


def _put_together(parts: Sequence[tuple[IntArray, Sequence[MarkedText]]], number: int) -> Sequence[MarkedText | None]:
    """Texts of all rows from those of the channels: Arrow's where all are, and no row is without one."""
    import pyarrow as pa

    arrays = [texts.__arrow_array__() for _, texts in parts if isinstance(texts, ArrowTexts)]
    if sum(map(len, arrays)) < number:
        return _spread(parts, number)
    order = np.argsort(np.concatenate([rows for rows, _ in parts]))
    return ArrowTexts.of(pa.concat_arrays(arrays).take(to_arrow(order)))


def _spread(parts: Sequence[tuple[IntArray, Sequence[Value]]], number: int) -> list[Value | None]:
    """Column with values at the given rows, None elsewhere."""
    column: list[Value | None] = [None] * number
    for rows, values in parts:
        for row, value in zip(rows.tolist(), values, strict=True):
            column[row] = value
    return column


def _take(column: Sequence[Value], rows: IntArray, number: int) -> Sequence[Value]:
    """Values of these rows: the same sequence where they are all of `number`."""
    return column if len(rows) == number else [column[row] for row in rows.tolist()]


def write_ctm(segments: Sequence[TimedText], ids: Sequence[str]) -> str:  # noqa: ARG001
    """Lines `FILE CHANNEL BEGIN DURATION WORD`; words share the time of their segment evenly."""
    lines = []
    for segment in in_order(segments):
        if segment.ignored:
            continue
        document, channel = recording_of(segment, "CTM")
        start, end = times_of(segment, "CTM")
        items = segment.items or tuple(map(Word, split_words(segment.text or "")))
        step = (end - start) / max(len(items), 1)
        for index, item in enumerate(items):
            where = f"{document} {channel}"
            times = f"{show_seconds(round(start + index * step, 6))} {show_seconds(round(step, 6))}"
            lines += _words_of_ctm(item, where, times, segment)
    return "".join(f"{line}\n" for line in lines)


def _note_times(segments: Sequence[TimedText]) -> list[str]:  # noqa: ARG001 - one form for all formats
    return ["ctm has words with times of their own: those of a segment share its time evenly."]


def _words_of_ctm(item: Item, where: str, start: str, segment: TimedText) -> list[str]:
    if isinstance(item, Word):
        return [f"{where} {start} {_word_of_ctm(item, segment)}"]
    ways = []
    for way in item.alternatives:
        if any(isinstance(part, Choice) for part in way):
            raise InputFileError(f"{segment.location}: alternatives within alternatives, which CTM cannot hold.")
        words = way or (Word("@"),)
        written = [_word_of_ctm(word, segment) if way else "@" for word in words]
        ways.append([f"{where} {start} {word}" for word in written])
    if len(ways) == 1:
        return ways[0]
    marks = ["<ALT_BEGIN>", *["<ALT>"] * (len(ways) - 1)]
    lines = [line for mark, way in zip(marks, ways, strict=True) for line in (f"{where} * * {mark}", *way)]
    return [*lines, f"{where} * * <ALT_END>"]


def _word_of_ctm(word: Item, segment: TimedText) -> str:
    written = mark_up(segment._replace(items=(word,)))
    return f"\\{written}" if written.startswith("<") else written


CTM = Format(
    name="ctm",
    label="CTM",
    kind="words",
    paired_by="time",
    help="NIST's CTM: words with times, for references in STM; a word belongs where its middle lies",
    endings=frozenset({".ctm"}),
    settings=MarkedSettings(),
    references="stm",
    holds=frozenset({"recordings", "channels", "alternatives"}),
    recognise=has_timed_words,
    read=read_ctm_segments,
    pair=read_timed_files,
    write=write_ctm,
    note_changes=_note_times,
)
