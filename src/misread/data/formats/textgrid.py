"""TextGrid files of Praat, long and short.

Source: Praat manual, "TextGrid file formats".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from misread.data.formats.base import Format
from misread.data.formats.marked_text import location_of
from misread.data.formats.timed_text import TimedText, require_times
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text

if TYPE_CHECKING:
    from misread.data.formats.content import Content

# Texts in quotes, where two mean one; flags; numbers; a quote that is never closed. Words and indexes in
# brackets are remarks.
_TOKEN: Final = re.compile(
    r'"((?:[^"]|"")*+)"|<(\w+)>|\[[^\]]*\]|(?<![\w.])(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?!\w)|!.*|(")'
)
_TIERS: Final = ("IntervalTier", "TextTier")


def read_textgrid(path: Path, *, encoding: str = UTF_8) -> list[TimedText]:
    """Read all intervals that have a text; the speaker is the name of the tier. Tiers of points are left out."""
    tokens = _Tokens(path, read_text(path, encoding=encoding))
    if (tokens.text("file type"), tokens.text("object class")) != ("ooTextFile", "TextGrid"):
        raise InputFileError(f'{path}, line 1: expected "ooTextFile" and "TextGrid", as Praat writes them.')
    tokens.number("begin"), tokens.number("end")
    if tokens.flag() != "exists":
        return []
    intervals = []
    for _ in range(tokens.count("number of tiers")):
        kind = tokens.text("class of the tier")
        if kind not in _TIERS:
            raise InputFileError(f"{tokens.location}: class of the tier is {kind!r}, expected {' or '.join(_TIERS)}.")
        name = tokens.text("name of the tier")
        tokens.number("begin"), tokens.number("end")
        for _ in range(tokens.count("number of intervals")):
            start = tokens.number("begin")
            end = tokens.number("end") if kind == "IntervalTier" else start
            location = tokens.location
            text = tokens.text("text")
            if kind == "IntervalTier" and text.strip():
                require_times(start, end, location)
                intervals.append(TimedText(text, location, "", "", name, start, end))
    return sorted(intervals, key=lambda interval: (interval.start, interval.end))


class _Tokens:
    """Values of a file one after the other."""

    def __init__(self, path: Path, content: str) -> None:
        self._path = path
        self._content = content
        self._tokens: Iterator[re.Match[str]] = _TOKEN.finditer(content)
        self._at = 0
        self._line = 1

    @property
    def location(self) -> str:
        return location_of(self._path, self._line)

    def text(self, what: str) -> str:
        match = self._next(what)
        if match[1] is None:
            raise InputFileError(f'{self.location}: {match[0]!r}, expected the {what} in quotes ("...").')
        return match[1].replace('""', '"')

    def number(self, what: str) -> float:
        match = self._next(what)
        if match[3] is None:
            raise InputFileError(f"{self.location}: {match[0]!r}, expected a number, the {what}.")
        return float(match[3])

    def count(self, what: str) -> int:
        number = self.number(what)
        if not number.is_integer() or number < 0:
            raise InputFileError(f"{self.location}: {what} is {number:g}, expected a whole number.")
        return int(number)

    def flag(self) -> str:
        return self._next("<exists>")[2] or ""

    def _next(self, what: str) -> re.Match[str]:
        for match in self._tokens:
            if any(group is not None for group in match.groups()):
                self._line += self._content.count("\n", self._at, match.start())
                self._at = match.start()
                if match[4]:
                    raise InputFileError(f"{self.location}: a text in quotes that never ends; the file is cut short.")
                return match
        self._line += self._content.count("\n", self._at)
        self._at = len(self._content)
        raise InputFileError(f"{self.location}: the file ends where the {what} is expected; it is cut short.")


def is_textgrid(content: Content) -> bool:
    """Whether the name of the file says so: the content may be binary."""
    return content.ending == ".textgrid"


TEXTGRID = Format(
    name="textgrid",
    label="TextGrid",
    kind="segments",
    paired_by="time",
    help="Praat's TextGrid",
    endings=frozenset({".textgrid"}),
    recognise=is_textgrid,
    read=read_textgrid,
)
