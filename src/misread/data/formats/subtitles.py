"""Subtitles: WebVTT and SRT.

WebVTT is read as the parser of its specification reads it, valid or not. SRT has no specification: a cue is what
players show, all lines between its times and the number of the next.

Source: W3C, "WebVTT: The Web Video Text Tracks Format", sections 6.1 to 6.4; the demuxer `srtdec.c` of FFmpeg.
"""

import html
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from textwrap import shorten
from typing import Final

from misread.data.formats.account import Account
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.marked_text import location_of
from misread.data.formats.rolling_captions import CaptionSettings, Repeats, take_once
from misread.data.formats.timed_text import TimedText, require_times
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text

_ARROW: Final = "-->"
_TIME: Final = r"(?:(\d{1,9}):)?(\d{1,2}):(\d\d?)[.,](\d{1,3})"
_TIMES: Final = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(.*)")
_SETTINGS: Final = re.compile(r"(?:\s+\w+:\S+)*\s*")
# Times with another arrow, or in another form.
_WRONG_TIMES: Final = re.compile(r"\s*-?\d+:\d+[\d:.,]*\s*(?:(-->)|[^\w\s]{1,3}\s*-?\d+:\d+[\d:.,]*\s*$)")
_SUBTITLES: Final = re.compile(
    rf"(?:\d+[ \t]*\r*\n\s*)?{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t]+\w+:\S+)*[ \t]*\r*(?:\n|$)"
)
_LINE_END: Final = re.compile(r"\r*\n|\r")
_VOICE: Final = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]*)>")
_TAG: Final = re.compile(r"<[^<>]*>")
# Classes, styles, voices, languages, ruby and times are tags.
_OTHER_TAG: Final = re.compile(r"<(?!/?(?:c|i|b|u|ruby|rt|v|lang)(?:[.\s/>])|/?>|[\d:.]+>|[!-])[^<>]*>")
_RUBY: Final = re.compile(r"<ruby[.\s>].*?(?:</ruby>|\Z)", re.DOTALL)
_ANNOTATION: Final = re.compile(r"<rt[.\s>][^<]*")
# Also those of HTML and WebVTT, which converters leave.
_STYLE_OF_SRT: Final = re.compile(
    r"</?(?:i|b|u|s|font|em|strong|span|c|v|lang|ruby)(?:[.\s][^<>]*)?>|\{\\[^{}]*\}|\{/?[bius]\}", re.IGNORECASE
)
_ENTITY: Final = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+);")
_BREAK_OF_SRT: Final = re.compile(r"<br ?/?>|\\N")
_IS_NO_TEXT: Final = re.compile(r"\s*\d*")  # the name of a cue behind a line that only looks empty
_NO_CUE: Final = re.compile(r"NOTE(?:[ \t]|$)|(?:STYLE|REGION)[ \t]*$")
_LONGEST_SHOWN: Final = 60
_LONGEST_NUMBER: Final = 9


def read_webvtt(path: Path, *, repeats: Repeats = "keep", encoding: str = UTF_8) -> list[TimedText]:
    """Read the cues of a WebVTT file: text without tags and with characters for entities; a voice is the speaker.

    Several voices of a cue are as many segments. With `repeats` "drop" a cue has no text that the one before has.
    """
    lines = _split(read_text(path, encoding=encoding))
    if not re.match(r"WEBVTT(?:[ \t]|$)", lines[0]):
        raise InputFileError(f"{path}, line 1: expected WEBVTT, the first line of every such file.")
    account, cues, blocks = Account(WEBVTT.label, path), list[TimedText](), list(_find_blocks(lines))
    if header := "\n".join(lines[: blocks[0][0] if blocks else None]).removeprefix("WEBVTT").strip():
        account.leave_out("headers", header, 1)
    for first, times, end in blocks:
        if times is not None:
            cues += _voices(_leave_out_annotations(_read_cue(path, lines, times, end), account, times + 1))
            if first < times and not lines[first].strip().isdecimal():
                account.leave_out("names of cues", lines[first], first + 1)
        elif _NO_CUE.match(lines[first]):
            account.leave_out("comments and styles", "\n".join(lines[first:end]), first + 1)
        elif text := next((row for row in range(first, end) if not _IS_NO_TEXT.fullmatch(lines[row])), None):
            # The parser of the specification drops it, which would lose a text without a word.
            raise _expected_times(path, text, lines[text])
    for row, line in enumerate(lines if any(map(_OTHER_TAG.search, lines)) else (), start=1):
        for tag in _OTHER_TAG.findall(line):
            account.doubt("tags that WebVTT does not have", tag, row)
    return take_once(cues) if repeats == "drop" else cues


def _find_blocks(lines: Sequence[str]) -> Iterator[tuple[int, int | None, int]]:
    """Blocks of section 6.1: the first row, the row of the times, None where there is no cue, and the row behind.

    Only an empty line, or one with an arrow, ends a block.
    """
    row = next((row for row, line in enumerate(lines) if row and (not line or _ARROW in line)), len(lines))
    while row < len(lines):
        first, times = row, None
        if _ARROW in lines[row]:
            times = row
        elif lines[row] and row + 1 < len(lines) and _ARROW in lines[row + 1]:
            times = row + 1
        row = first if times is None else times + 1
        while row < len(lines) and lines[row] and _ARROW not in lines[row]:
            row += 1
        if row > first:
            yield first, times, row
        row += row < len(lines) and not lines[row]


def _leave_out_annotations(cue: TimedText, account: Account, line: int) -> TimedText:
    """A cue without the annotations of ruby that has a text of its own; outside of ruby their tags mean nothing."""

    def take_base(ruby: re.Match[str]) -> str:
        base = _ANNOTATION.sub("", ruby[0])
        if not _TAG.sub("", base).strip():
            return ruby[0]
        for annotation in _ANNOTATION.findall(ruby[0]):
            account.leave_out("annotations of ruby", annotation.partition(">")[2], line)
        return base

    return cue._replace(text=_RUBY.sub(take_base, cue.text)) if cue.text and "<rt" in cue.text else cue


def _voices(cue: TimedText) -> Iterator[TimedText]:
    """The text of each voice, or the whole where there is none; any text before the first voice is of that one."""
    text = cue.text or ""
    if "<v" not in text:
        yield cue if "<" not in text and "&" not in text else cue._replace(text=html.unescape(_TAG.sub("", text)))
        return
    before, *spans = _VOICE.split(text)
    names = [html.unescape(name).strip() for name in spans[::2]] or [""]
    said = [before + "".join(spans[1:2]), *spans[3::2]]
    for name, parts in groupby(zip(names, said, strict=True), key=itemgetter(0)):
        spoken = html.unescape(_TAG.sub("", "".join(part for _, part in parts)))
        yield cue._replace(text=spoken if len({*names}) == 1 else spoken.strip(), speaker=name)


def read_srt(path: Path, *, repeats: Repeats = "keep", encoding: str = UTF_8) -> list[TimedText]:
    r"""Read the subtitles of an SRT file, without marks of style (<i>, <font>, {\an8}).

    With `repeats` "drop" a subtitle has no text that the one before has.
    """
    lines = _split(read_text(path, encoding=encoding))
    times = [row for row, line in enumerate(lines) if _ARROW in line and _TIMES.fullmatch(line)]
    _require_right_times(path, lines, times)
    starts = [*_find_starts(lines, times), len(lines)]
    cues = [_read_cue(path, lines, row, end) for row, end in zip(times, starts[1:], strict=True)]
    cues = [
        cue._replace(
            text=_ENTITY.sub(lambda at: html.unescape(at[0]), _STYLE_OF_SRT.sub("", _BREAK_OF_SRT.sub("\n", cue.text)))
        )
        if cue.text and any(mark in cue.text for mark in "<{\\&")
        else cue
        for cue in cues
    ]
    return take_once(cues) if repeats == "drop" else cues


def _find_starts(lines: Sequence[str], times: Sequence[int]) -> Iterator[int]:
    """Row of the number of each subtitle, or of its times if it has none: a text may be a number, too."""
    before, number = -1, 0
    for row in times:
        above = row - 1
        while above > before and not lines[above].strip():
            above -= 1
        text = lines[above].strip() if above > before else ""
        start = row
        if text.isdecimal() and len(text) <= _LONGEST_NUMBER:
            has_blank_above = not above or not lines[above - 1].strip()
            if int(text) == number + 1 or (above == row - 1 and has_blank_above):
                start, number = above, int(text)
        yield start
        before = row


def _require_right_times(path: Path, lines: Sequence[str], times: Sequence[int]) -> None:
    """Refuse a file without times, and a line that has times in another form where times are expected."""
    known, above = frozenset(times), ""
    for row, line in enumerate(lines):
        wrong = _WRONG_TIMES.match(line) if ":" in line and row not in known else None
        if wrong and (wrong[1] or above.isdecimal() or (not above and ">" in line)):
            raise _expected_times(path, row, line)
        above = line.strip()
    # Before the first times there may be a number.
    until = next(_find_starts(lines, times), len(lines))
    first = next((row for row, line in enumerate(lines[:until]) if line.strip()), None)
    if first is not None:
        raise _expected_times(path, first, lines[first])


def _expected_times(path: Path, row: int, line: str) -> InputFileError:
    excerpt = shorten(line, _LONGEST_SHOWN, placeholder=" ...")
    return InputFileError(
        f"{location_of(path, row + 1)}: {excerpt!r}, expected times such as 00:00:01.000 --> 00:00:02.500."
    )


def _split(text: str) -> list[str]:
    # In subtitles a carriage return alone ends a line, too; tools that convert line ends twice leave several.
    return (_LINE_END.sub("\n", text) if "\r" in text else text).split("\n")


def _read_cue(path: Path, lines: Sequence[str], row: int, end: int) -> TimedText:
    """The cue with its times in a row, and as text the lines up to another that are not blank."""
    match = _TIMES.fullmatch(lines[row])
    if match is None or (match[9] and not _SETTINGS.fullmatch(match[9])):
        raise _expected_times(path, row, lines[row])
    start, stop = (
        3600 * int(hours or 0) + 60 * int(minutes) + int(seconds) + int(fraction.ljust(3, "0")) / 1000
        for hours, minutes, seconds, fraction in (match.group(1, 2, 3, 4), match.group(5, 6, 7, 8))
    )
    location = location_of(path, row + 1)
    require_times(start, stop, location)
    text = "\n".join(line for line in lines[row + 1 : end] if line and not line.isspace())
    return TimedText(text, location, "", "", "", start, stop)


def is_webvtt(content: Content) -> bool:
    """Whether it begins with WEBVTT and has times."""
    return re.match(r"WEBVTT(?:\s|$)", content.first) is not None and _ARROW in content.begin


def is_srt(content: Content) -> bool:
    """Whether it begins with times, which may have a number above."""
    return _SUBTITLES.match(content.begin) is not None


WEBVTT = Format(
    name="webvtt",
    label="WebVTT",
    kind="segments",
    paired_by="time",
    help="subtitles in WebVTT",
    endings=frozenset({".vtt"}),
    settings=CaptionSettings(),
    has_turns=True,
    recognise=is_webvtt,
    read=read_webvtt,
)

SRT = Format(
    name="srt",
    label="SRT",
    kind="segments",
    paired_by="time",
    help="subtitles in SRT",
    endings=frozenset({".srt"}),
    settings=CaptionSettings(),
    recognise=is_srt,
    read=read_srt,
)
