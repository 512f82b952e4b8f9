"""JSON of Whisper's family: segments with times, and words with times where they are written.

Sources: the writers of openai-whisper 20250625, WhisperX 3.8 and stable-ts 2.19; segments of faster-whisper 1.2 as
objects, before 1.1 as arrays; whisper.cpp 1.7 (`-oj`, `-ojf`: transcription, with offsets in milliseconds); chunks of
the speech recognition of transformers 4.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from misread.data.formats.account import Account, silent
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.timed_text import TimedText, entry_of, read_name, read_seconds, require_times, take
from misread.errors import InputFileError
from misread.io.json_files import decode_json, is_number
from misread.io.text import UTF_8, read_text

_EXPECTED: Final = "segments, each with start, end and text"
_LISTS: Final = ("segments", "transcription", "chunks")
_NO_TEXT: Final = {
    **silent(
        "language speaker start end offsets timestamp timestamps id seek temperature score probability confidence type"
    ),
    **silent("avg_logprob compression_ratio no_speech_prob model params systeminfo task usage"),
    "tokens": "tokens that make up words",
    "ori_dict": "results before they were changed",
}
_READ: Final = silent("segments.text transcription.text chunks.text")


@dataclass(frozen=True, kw_only=True)
class WhisperSettings:
    """Settings of Whisper's family: whether every word, where it has a time, is a segment."""

    words: bool = False


def read_whisper(path: Path, *, words: bool = False, encoding: str = UTF_8) -> list[TimedText]:
    """Read the segments, or words, of a transcript, without the blank that most begin with."""
    whole = content = decode_json(read_text(path, encoding=encoding), path, with_nan=True)
    if not isinstance(content, list):
        name = next((name for name in _LISTS if name in content), _LISTS[0]) if isinstance(content, dict) else ""
        content = take(content, name, list, str(path), expected=_EXPECTED)
    segments: list[TimedText] = []
    for number, entry in enumerate(content, start=1):
        location = entry_of(path, number)
        segment = _by_name(entry) if isinstance(entry, list) else entry
        read = _read(segment, take(segment, "text", str, location, expected="start, end and text"), location)
        segments += _words(segment, read) if words else [read]
    Account(WHISPER.label, path).add_json(
        whole, (segment.text or "" for segment in segments), {**_NO_TEXT, **({} if words else _READ)}
    )
    return segments


def _words(segment: Mapping[str, Any], whole: TimedText) -> Iterator[TimedText]:
    """Words of a segment; without a time where the recognizer found none, as of numerals in WhisperX."""
    listed = segment.get("words")
    if not listed and whole.text:
        raise InputFileError(f"{whole.location}: no words, which whisper(words=true) reads; leave the setting out.")
    for number, entry in enumerate(listed or (), start=1):
        location = f"{whole.location}, word {number}"
        word = dict(zip(("start", "end", "word"), entry, strict=False)) if isinstance(entry, list) else entry
        text = take(word, "word", str, location, expected="word, start and end")
        if is_number(word.get("start")):
            yield _read({"speaker": whole.speaker, **word}, text, location)
        else:
            yield TimedText(text.strip(), location, speaker=whole.speaker)


def _read(entry: Mapping[str, Any], text: str, location: str) -> TimedText:
    """A segment or word; times are seconds, or milliseconds as `offsets`."""
    unit = 1.0
    times: Mapping[str, Any] = entry
    if "offsets" in entry:
        offsets = take(entry, "offsets", dict, location, expected="offsets from and to")
        times, unit = {"start": offsets.get("from"), "end": offsets.get("to")}, 1000.0
    elif "timestamp" in entry:
        times = dict(zip(("start", "end"), take(entry, "timestamp", list, location, expected="two"), strict=False))
    start = read_seconds(times.get("start"), "start", location) / unit
    # Of the last chunk transformers may not know the end.
    is_open = "timestamp" in entry and times.get("end", start) is None
    end = None if is_open else read_seconds(times.get("end"), "end", location) / unit
    require_times(start, start if end is None else end, location)
    return TimedText(text.strip(), location, "", "", read_name(entry.get("speaker"), "speaker", location), start, end)


def _by_name(entry: list[Any]) -> dict[str, Any]:
    """Names of what an array holds: times precede the text, and words are the last list."""
    at = next((number for number, value in enumerate(entry) if isinstance(value, str)), 0)
    words = [value for value in entry[at:] if isinstance(value, list) and value and isinstance(value[0], list)]
    return (
        {"start": entry[at - 2], "end": entry[at - 1], "text": entry[at], "words": (words or [[]])[-1]}
        if at > 1
        else {}
    )


def is_whisper(content: Content) -> bool:
    """Whether it is JSON whose segments have a text and times, or with the other keys of Whisper and none."""
    value = content.value
    listed = next((value[name] for name in _LISTS if name in value), None) if isinstance(value, dict) else value
    first = listed[0] if isinstance(listed, list) and listed else None
    if isinstance(value, dict) and listed == []:
        return bool({"text", "language", "word_segments", "result"} & value.keys())
    segment = _by_name(first) if isinstance(first, list) else first
    times = segment.get("timestamp") if isinstance(segment, dict) else None
    return (
        isinstance(segment, dict)
        and "text" in segment
        and bool(
            {"start", "end"} <= segment.keys()
            or "offsets" in segment
            or (isinstance(times, list) and times and is_number(times[0]))
        )
    )


WHISPER = Format(
    name="whisper",
    label="JSON of Whisper",
    kind="segments",
    paired_by="time",
    help="JSON of Whisper, faster-whisper, WhisperX, stable-ts, whisper.cpp; `words=true` reads words",
    settings=WhisperSettings(),
    recognise=is_whisper,
    read=read_whisper,
)
