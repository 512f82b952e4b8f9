"""Transcripts in NIST's formats: TRN with an id after every text, STM and CTM with times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from misread.errors import InputFileError, InputTextError
from misread.files.text import UTF_8, read_text, split_lines
from misread.text.alternatives import (
    Choice,
    Items,
    Word,
    list_words,
    parse_alternatives,
    read_word,
    render_alternatives,
)

COMMENT: Final = ";;"
IGNORED: Final = ("ignore_time_segment_in_scoring", "ignoretimesegmentinscoring")

# Only blanks and tabs end a field; other white space, such as a no-break space, is part of it.
_BLANKS: Final = " \t"
_BETWEEN_FIELDS: Final = re.compile(f"[{_BLANKS}]+")
_UTTERANCE: Final = re.compile(rf"(?P<text>.*)\((?P<id>[^(){_BLANKS}]+)\)[{_BLANKS}]*")
_LABELS: Final = re.compile(rf"<(?P<labels>[^<>{_BLANKS}]*)>")
_TIME: Final = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_PARENTHESES: Final = re.compile(r"\(.+\)", re.DOTALL)
_CONFIDENCE: Final = re.compile(rf"[+-]?{_TIME.pattern}(?:[eE][+-]?[0-9]+)?")
_NO_LABEL: Final = "unlabelled"


@dataclass(frozen=True, slots=True)
class Utterance:
    """A text with its id and its place (file and line)."""

    utterance_id: str
    items: Items
    place: str


@dataclass(frozen=True, slots=True)
class TimedSegment:
    """A stretch of one channel of one file with its words (times in seconds), or one to leave out of scores."""

    file: str
    channel: str
    speaker: str
    begin: float
    end: float
    labels: tuple[str, ...]
    items: Items
    ignored: bool
    place: str

    @property
    def key(self) -> tuple[str, str]:
        """File and channel, to be compared without case."""
        return self.file.casefold(), self.channel.casefold()


@dataclass(frozen=True, slots=True)
class TimedItem:
    """A word, or alternatives, with the middle of its time in seconds, and how sure the system was."""

    middle: float
    item: Word | Choice
    place: str
    # Of alternatives, those of the words of each.
    confidence: float | Sequence[Sequence[float | None]] | None = None


def read_trn(path: Path, *, optional_words: bool = False, encoding: str = UTF_8) -> list[Utterance]:
    """Read lines `TEXT (ID)`, with alternatives; blank lines and those that begin with ;; are skipped.

    Ids must be distinct without case. With `optional_words`, words in parentheses may be omitted.
    """
    utterances: dict[str, Utterance] = {}
    for line, place in _lines(path, encoding):
        match = _UTTERANCE.fullmatch(line)
        if match is None:
            raise InputFileError(f"{place}: expected `TEXT (ID)`, found no id in parentheses at the end.")
        key = match["id"].casefold()
        if key in utterances:
            raise InputFileError(f"{place}: id {match['id']!r} was taken by {utterances[key].place} already.")
        utterances[key] = Utterance(match["id"], _parse(match["text"], place, optional_words), place)
    return list(utterances.values())


def read_stm(
    path: Path, *, optional_words: bool = False, encoding: str = UTF_8, in_order: bool = True
) -> tuple[list[TimedSegment], list[str]]:
    """Read lines `FILE CHANNEL SPEAKER BEGIN END [<LABELS>] TEXT`; returns segments and names of label positions.

    The names come from the file's `;; CATEGORY` lines. Segments of a channel must be `in_order` of time. With
    `optional_words`, words in parentheses may be omitted.
    """
    segments: list[TimedSegment] = []
    latest: dict[tuple[str, str], float] = {}
    for line, place in _lines(path, encoding):
        fields = _BETWEEN_FIELDS.split(line, maxsplit=5)
        if len(fields) < 5:
            raise InputFileError(
                f"{place}: {len(fields)} fields, expected FILE CHANNEL SPEAKER BEGIN END [<LABELS>] TEXT."
            )
        file, channel, speaker = fields[:3]
        begin, end = (_time(text, name, place) for text, name in zip(fields[3:5], ("begin", "end"), strict=True))
        if end < begin:
            raise InputFileError(f"{place}: the segment ends at {end:g}, before it begins at {begin:g}.")
        text = fields[5] if len(fields) > 5 else ""
        match = _LABELS.match(text)
        labels = tuple(match["labels"].split(",")) if match else ()
        text = text[match.end() :] if match else text
        ignored = any(mark in text.casefold() for mark in IGNORED)
        items = () if ignored else _parse(text, place, optional_words)
        segment = TimedSegment(file, channel, speaker, begin, end, labels, items, ignored, place)
        if in_order and begin < latest.get(segment.key, begin):
            raise InputFileError(f"{place}: begins at {begin:g}, before the one above; sort by file, channel and time.")
        latest[segment.key] = begin
        segments.append(segment)
    if not segments:
        raise InputFileError(f"{path} has no segment, expected FILE CHANNEL SPEAKER BEGIN END [<LABELS>] TEXT.")
    positions = max(len(segment.labels) for segment in segments)
    segments = [
        replace(segment, labels=(*segment.labels, *[_NO_LABEL] * (positions - len(segment.labels))))
        for segment in segments
    ]
    return segments, _label_names(read_text(path, encoding=encoding), positions)


def read_ctm(
    path: Path, *, optional_words: bool = False, encoding: str = UTF_8
) -> dict[tuple[str, str], list[TimedItem]]:
    """Read lines `FILE CHANNEL BEGIN DURATION WORD [CONFIDENCE ...]`, by file and channel.

    Words between <ALT_BEGIN>, <ALT> and <ALT_END>, whose times are stars, are alternatives; together they count as
    spoken at the latest middle of any of them. A word `@` stands for no word at all. With `optional_words`, words in
    parentheses may be omitted.
    """
    found: dict[tuple[str, str], list[TimedItem]] = {}
    latest: dict[tuple[str, str], float] = {}
    choice: _OpenChoice | None = None
    for line, place in _lines(path, encoding):
        fields = _BETWEEN_FIELDS.split(line)
        if len(fields) < 5:
            raise InputFileError(f"{place}: {len(fields)} fields, expected FILE CHANNEL BEGIN DURATION WORD.")
        key = (fields[0].casefold(), fields[1].casefold())
        items = found.setdefault(key, [])
        mark = fields[4].casefold()
        if mark in ("<alt_begin>", "<alt>", "<alt_end>"):
            if (mark == "<alt_begin>") != (choice is None):
                raise InputFileError(f"{place}: {fields[4]} where <ALT_BEGIN>, <ALT>, <ALT_END> follow each other.")
            if choice is None:
                choice = _OpenChoice([[]], [[]], 0.0)
            elif mark == "<alt>":
                choice.alternatives.append([])
                choice.confidences.append([])
            else:
                items.append(choice.close(place))
                choice = None
            continue
        begin, duration = (_time(text, name, place) for text, name in ((fields[2], "begin"), (fields[3], "duration")))
        if len(fields) > 5 and fields[5].casefold() != "na" and not _CONFIDENCE.fullmatch(fields[5]):
            raise InputFileError(f"{place}: confidence is {fields[5]!r}, expected a decimal number or NA.")
        if begin < latest.get(key, 0.0) and choice is None:
            raise InputFileError(f"{place}: begins at {begin:g}, before the one above; sort by file, channel and time.")
        is_known = len(fields) > 5 and fields[5].casefold() != "na"
        confidence = float(fields[5]) if is_known else None
        word = read_word(fields[4], optional_words=optional_words, tags=True)
        middle = begin + duration / 2
        if choice is None:
            latest[key] = begin
            items.append(TimedItem(middle, word, place, confidence))
        else:
            choice.add(word, middle, confidence)
    if choice is not None:
        raise InputFileError(f"{path}: <ALT_BEGIN> without <ALT_END>.")
    return found


def cut_words(segments: Sequence[TimedSegment], words: Sequence[TimedItem]) -> list[tuple[TimedItem, ...]]:
    """Words of one channel by segment, ignored segments too: each belongs where its middle lies.

    Words between two segments belong to the later one, those before the first or after the last to that one, as in
    SCTK's sclite (input file formats "stm" and "ctm"). Both sequences are in order of time.
    """
    cut: list[tuple[TimedItem, ...]] = []
    first = 0
    for number, segment in enumerate(segments):
        last = first
        while last < len(words) and (number == len(segments) - 1 or words[last].middle < segment.end):
            last += 1
        cut.append(tuple(words[first:last]))
        first = last
    return cut


def find_overlaps(segments: Sequence[TimedSegment]) -> list[TimedSegment]:
    """Segments of one channel, in order of time, that begin before an earlier one ends."""
    overlapping: list[TimedSegment] = []
    latest = float("-inf")
    for segment in segments:
        if segment.begin < latest:
            overlapping.append(segment)
        latest = max(latest, segment.end)
    return overlapping


def find_strays(segments: Sequence[TimedSegment], words: Sequence[TimedItem]) -> list[TimedItem]:
    """Words of one channel whose middle lies in no segment; `cut_words` assigns them to one all the same."""
    strays: list[TimedItem] = []
    segment = 0
    for word in words:
        while segment < len(segments) - 1 and word.middle >= segments[segment].end:
            segment += 1
        if not segments[segment].begin <= word.middle <= segments[segment].end:
            strays.append(word)
    return strays


def find_words_in_parentheses(items: Items) -> list[Word]:
    """Words that may be omitted, or that are in parentheses where that has no meaning."""
    found: list[Word] = []
    for item in items:
        if isinstance(item, Choice):
            found += [word for each in item.alternatives for word in find_words_in_parentheses(each)]
        elif item.optional or _PARENTHESES.fullmatch(item.text):
            found.append(item)
    return found


def write_items(items: Items, *, in_notation: bool) -> str:
    """Text in the notation of alternatives, or plain if it has none."""
    return render_alternatives(items) if in_notation else " ".join(list_words(items))


@dataclass(slots=True)
class _OpenChoice:
    """Alternatives of a CTM file between <ALT_BEGIN> and <ALT_END>."""

    alternatives: list[list[Word | Choice]]
    confidences: list[list[float | None]]
    middle: float

    def add(self, word: Word | Choice, middle: float, confidence: float | None) -> None:
        self.alternatives[-1].append(word)
        self.confidences[-1] += [confidence] * len(list_words((word,)))
        self.middle = max(self.middle, middle)

    def close(self, place: str) -> TimedItem:
        if len(self.alternatives) < 2:
            raise InputFileError(f"{place}: <ALT_END> after one alternative, expected two or more, separated by <ALT>.")
        choice = Choice(tuple(tuple(words) for words in self.alternatives))
        return TimedItem(self.middle, choice, place, self.confidences)


def _lines(path: Path, encoding: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(split_lines(read_text(path, encoding=encoding)), start=1):
        text = line.strip(_BLANKS)
        if text and not line.startswith(COMMENT):
            yield text, f"{path}, line {number}"


def _parse(text: str, place: str, optional_words: bool) -> Items:
    try:
        return parse_alternatives(text, optional_words=optional_words, tags=True)
    except InputTextError as error:
        raise InputFileError(f"{place}: {error}") from None


def _time(text: str, name: str, place: str) -> float:
    """Seconds in the notation of NIST's tools; `float` also accepts "1_0", "1e400" and digits of other scripts."""
    if not _TIME.fullmatch(text) or float(text) == float("inf"):
        raise InputFileError(
            f"{place}: {name} is {text!r}, expected seconds from 0 as a decimal number, such as 12.34."
        )
    return float(text)


def _label_names(text: str, positions: int) -> list[str]:
    titles: Mapping[str, str] = dict(re.findall(r'^;;\s*CATEGORY\s+"([^"]*)"\s+"([^"]+)"', text, re.MULTILINE))
    return [titles.get(str(position), f"label_{position}") for position in range(positions)]
