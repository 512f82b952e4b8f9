"""Segments written as other formats: the content of files, or why a format cannot hold it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from misread.data.formats.marked_text import BLANKS, COMMENT
from misread.data.formats.stm import IGNORED
from misread.data.formats.timed_text import TimedText
from misread.errors import InputFileError
from misread.text.alternatives import Choice, Item, Word, render_alternatives
from misread.text.words import split_words

_ID: Final = re.compile(rf"[^(){BLANKS}\n\r]+")
_FIELD: Final = re.compile(rf"(?!{COMMENT})[^{BLANKS}\n\r]+")
_IGNORED: Final = re.compile("|".join(IGNORED), re.IGNORECASE)
_NO_SPEAKER: Final = "unknown"
_NO_CHANNEL: Final = "1"


def write_trn(segments: Sequence[TimedText], ids: Sequence[str]) -> str:
    """Lines `TEXT (ID)`; what would have a meaning of its own there is escaped."""
    seen: dict[str, str] = {}
    for segment, key in zip(segments, ids, strict=True):
        _require(_ID, key, "id", segment, "TRN has ids without blanks and parentheses")
        if (folded := key.casefold()) in seen:
            raise InputFileError(
                f"{segment.place}: ids {seen[folded]!r} and {key!r} differ by case alone, which TRN ignores."
            )
        seen[folded] = key
    return "".join(f"{_mark(segment)} ({key})\n".lstrip(" ") for segment, key in zip(segments, ids, strict=True))


def write_stm(segments: Sequence[TimedText], ids: Sequence[str]) -> str:  # noqa: ARG001 - one form for all formats
    """Lines `FILE CHANNEL SPEAKER BEGIN END [<LABELS>] TEXT`, in order of time."""
    lines = []
    for segment in _in_order(segments):
        document, channel = _recording(segment, "STM")
        begin, end = _times(segment, "STM")
        speaker = segment.speaker or _NO_SPEAKER
        _require(_FIELD, speaker, "speaker", segment, "STM has speakers without blanks")
        if any(re.search(rf"[<>,{BLANKS}\n\r]", label) for label in segment.labels):
            raise InputFileError(f"{segment.place}: labels are {segment.labels!r}; STM has none with <, > or blanks.")
        labels = [f"<{','.join(segment.labels)}>"] if segment.labels else []
        text = IGNORED[0] if segment.ignored else _escape_for_stm(_mark(segment))
        lines.append(" ".join([document, channel, speaker, _seconds(begin), _seconds(end), *labels, text]).rstrip(" "))
    return "".join(f"{line}\n" for line in lines)


def write_ctm(segments: Sequence[TimedText], ids: Sequence[str]) -> str:  # noqa: ARG001
    """Lines `FILE CHANNEL BEGIN DURATION WORD`; words share the time of their segment evenly."""
    lines = []
    for segment in _in_order(segments):
        if segment.ignored:
            continue
        document, channel = _recording(segment, "CTM")
        begin, end = _times(segment, "CTM")
        items = segment.items or tuple(map(Word, split_words(segment.text or "")))
        step = (end - begin) / max(len(items), 1)
        for place, item in enumerate(items):
            where = f"{document} {channel}"
            start = f"{_seconds(round(begin + place * step, 6))} {_seconds(round(step, 6))}"
            lines += _words_of_ctm(item, where, start, segment)
    return "".join(f"{line}\n" for line in lines)


def _mark(segment: TimedText) -> str:
    """The text in NIST's notation, with one blank between words."""
    items = segment.items or tuple(map(Word, split_words(segment.text or "")))
    # A semicolon would begin a tag, here and in the files of NIST alone.
    return render_alternatives(items).replace(";", "\\;")


def _escape_for_stm(text: str) -> str:
    """A text that neither begins with labels nor is to be ignored."""
    text = _IGNORED.sub(lambda mark: f"{mark[0][0]}\\{mark[0][1:]}", text)
    return f"\\{text}" if text.startswith("<") else text


def _words_of_ctm(item: Item, where: str, start: str, segment: TimedText) -> list[str]:
    if isinstance(item, Word):
        return [f"{where} {start} {_word_of_ctm(item, segment)}"]
    ways = []
    for way in item.alternatives:
        if any(isinstance(each, Choice) for each in way):
            raise InputFileError(f"{segment.place}: alternatives within alternatives, which CTM cannot hold.")
        words = way or (Word("@"),)
        written = [_word_of_ctm(each, segment) if way else "@" for each in words]
        ways.append([f"{where} {start} {word}" for word in written])
    if len(ways) == 1:
        return ways[0]
    marks = ["<ALT_BEGIN>", *["<ALT>"] * (len(ways) - 1)]
    lines = [line for mark, way in zip(marks, ways, strict=True) for line in (f"{where} * * {mark}", *way)]
    return [*lines, f"{where} * * <ALT_END>"]


def _word_of_ctm(word: Item, segment: TimedText) -> str:
    written = _mark(segment._replace(items=(word,)))
    return f"\\{written}" if written.startswith("<") else written


def _in_order(segments: Sequence[TimedText]) -> list[TimedText]:
    return sorted(segments, key=lambda each: (each.document.casefold(), each.channel.casefold(), each.begin or 0.0))


def _recording(segment: TimedText, form: str) -> tuple[str, str]:
    if not segment.document:
        raise InputFileError(f"{segment.place}: no recording, which {form} needs; name it with --recording.")
    channel = segment.channel or _NO_CHANNEL
    for name, value in (("recording", segment.document), ("channel", channel)):
        _require(_FIELD, value, name, segment, f"{form} has names without blanks")
    return segment.document, channel


def _times(segment: TimedText, form: str) -> tuple[float, float]:
    if segment.begin is None or segment.end is None:
        raise InputFileError(f"{segment.place}: no times, which {form} needs.")
    return segment.begin, segment.end


def _seconds(value: float) -> str:
    return np.format_float_positional(value, trim="-")


def _require(pattern: re.Pattern[str], value: str, what: str, segment: TimedText, rule: str) -> None:
    if not pattern.fullmatch(value):
        raise InputFileError(f"{segment.place}: {what} is {value!r}; {rule}.")


WRITERS: Final[Mapping[str, Callable[[Sequence[TimedText], Sequence[str]], str]]] = {
    "trn": write_trn,
    "stm": write_stm,
    "ctm": write_ctm,
}
"""Content of a file by format."""
