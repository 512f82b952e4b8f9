"""Subtitles: WebVTT and SRT.

Source: W3C, "WebVTT: The Web Video Text Tracks Format", sections 4 and 6; SRT as SubRip writes it.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Final

from misread.data.formats.base import Format
from misread.data.formats.marked_text import location_of
from misread.data.formats.timed_text import TimedText, require_times
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text

if TYPE_CHECKING:
    from misread.data.formats.content import Content

_SUBTITLES: Final = re.compile(r"\d+[ \t]*\r?\n(?:\d+:)?\d\d:\d\d[,.]\d{1,3}[ \t]*-->[ \t]*\d")

_TIMES: Final = re.compile(
    r"\s*(?:(\d{1,9}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,9}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})(?:\s.*)?"
)
_VOICE: Final = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]*)>")
_TAG: Final = re.compile(r"<[^<>]*>")
_STYLE_OF_SRT: Final = re.compile(r"</?(?:i|b|u|s|font)(?:\s[^<>]*)?>|\{\\[^{}]*\}", re.IGNORECASE)
_NOT_CUES: Final = ("NOTE", "STYLE", "REGION")
_LONGEST_SHOWN: Final = 60


def read_webvtt(path: Path, *, encoding: str = UTF_8) -> list[TimedText]:
    """Read the cues of a WebVTT file: text without tags and with characters for entities; a voice is the speaker."""
    lines = _split(read_text(path, encoding=encoding))
    if not lines or not re.match(r"WEBVTT(?:[ \t]|$)", lines[0]):
        raise InputFileError(f"{path}, line 1: expected WEBVTT, the first line of every such file.")
    cues = []
    for line, block in _blocks(lines):
        if line == 1 or (block[0].split(maxsplit=1)[0] in _NOT_CUES and "-->" not in block[0]):
            continue
        cue = _read_cue(path, line, block)
        voice = _VOICE.search(cue.text or "")
        text = html.unescape(_TAG.sub("", cue.text or ""))
        cues.append(cue._replace(text=text, speaker=html.unescape(voice[1]).strip() if voice else ""))
    return cues


def read_srt(path: Path, *, encoding: str = UTF_8) -> list[TimedText]:
    r"""Read the subtitles of an SRT file, without marks of style (<i>, <font>, {\an8})."""
    blocks = _blocks(_split(read_text(path, encoding=encoding)))
    cues = [_read_cue(path, line, block) for line, block in blocks]
    return [cue._replace(text=_STYLE_OF_SRT.sub("", cue.text or "")) for cue in cues]


def _split(text: str) -> list[str]:
    # In subtitles a carriage return alone ends a line, too.
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _blocks(lines: list[str]) -> list[tuple[int, list[str]]]:
    """Runs of lines that are not blank, with the number of the first."""
    blocks: list[tuple[int, list[str]]] = []
    is_open = False
    for number, line in enumerate(lines, start=1):
        if not line.strip(" \t"):
            is_open = False
        elif is_open:
            blocks[-1][1].append(line)
        else:
            blocks.append((number, [line]))
            is_open = True
    return blocks


def _read_cue(path: Path, first_line: int, block: list[str]) -> TimedText:
    """A cue: its id, if there is one, its times, and its lines as one text."""
    at = next((row for row, line in enumerate(block[:2]) if "-->" in line), None)
    match = _TIMES.fullmatch(block[at]) if at is not None else None
    if at is None or match is None:
        excerpt = shorten(block[at or 0], _LONGEST_SHOWN, placeholder=" ...")
        raise InputFileError(
            f"{location_of(path, first_line + (at or 0))}: {excerpt!r}, expected times such as "
            "00:00:01.000 --> 00:00:02.500."
        )
    parts = [int(part or 0) for part in match.groups()]
    times = [
        3600 * parts[first] + 60 * parts[first + 1] + parts[first + 2] + int(match[first + 4].ljust(3, "0")) / 1000
        for first in (0, 4)
    ]
    location = location_of(path, first_line + at)
    require_times(times[0], times[1], location)
    return TimedText("\n".join(block[at + 1 :]), location, "", "", "", times[0], times[1])


def is_webvtt(content: Content) -> bool:
    """Whether it begins with WEBVTT and has times."""
    return re.match(r"WEBVTT(?:\s|$)", content.first) is not None and "-->" in content.begin


def is_srt(content: Content) -> bool:
    """Whether it begins with a number and times."""
    return _SUBTITLES.match(content.begin) is not None


WEBVTT = Format(
    name="webvtt",
    label="WebVTT",
    kind="segments",
    paired_by="time",
    help="subtitles in WebVTT",
    endings=frozenset({".vtt"}),
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
    recognise=is_srt,
    read=read_srt,
)
