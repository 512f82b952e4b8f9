"""TextGrid files of Praat: long, short and in order of time.

Source: Praat manual, "TextGrid file formats"; names of tiers of several speakers as the Montreal Forced Aligner writes
them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import permutations
from pathlib import Path
from typing import Final

import numpy as np

from misread.data.formats.account import Account
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.marked_text import location_of
from misread.data.formats.timed_text import TimedText, require_times
from misread.errors import InputFileError, UnknownNameError, setting
from misread.io.text import UTF_8, read_text

# Texts in quotes, where two mean one; flags; numbers; a quote that is never closed. Words and indexes in
# brackets are remarks.
_TOKEN: Final = re.compile(
    r'"((?:[^"]|"")*+)"|<(\w+)>|\[[^\]]*\]|(?<![\w.])(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?!\w)|!.*|(")'
)
# What Praat writes outside of quotes.
_HEADINGS: Final = re.compile(
    r"(?:[\s=:?]++|\[\d*\]|(?:File|type|Object|class|xmin|xmax|tiers|size|item|name|intervals|points|text|mark|number"
    r"|time)\b)*+"
)
_BEGIN: Final = re.compile(
    r"""(?:File type = )?"(?:Praat chronological|ooTextFile\b[^"]*"\s+(?:Object class = )?"TextGrid")"""
)
_INTERVALS: Final = "IntervalTier"
_POINTS: Final = "TextTier"
_CHRONOLOGICAL: Final = "Praat chronological TextGrid text file"
_FILE_TYPES: Final = ("ooTextFile", "ooTextFile short")
_AFTER_SPEAKER: Final = " - "
_SAME_TIME: Final = 0.001
"""Seconds by which boundaries that are meant to be one may differ."""

_SHARE_OF_LEVELS: Final = 0.9


@dataclass(frozen=True, kw_only=True)
class TierSettings:
    """Settings of TextGrid: the name of the tiers that are read, with "*" for any part of it; else all intervals.

    The tiers "Ann - words" and "Bob - words" of several speakers have the name "words", too.
    """

    tier: str = ""


@dataclass(frozen=True, slots=True)
class _Tier:
    """A tier with its class, its name, and the intervals or points that have a text."""

    kind: str
    name: str
    segments: list[TimedText] = field(default_factory=list)

    def read_segment(self, tokens: _Tokens) -> None:
        """Read the next interval or point."""
        start = tokens.number("begin")
        end = tokens.number("end") if self.kind == _INTERVALS else start
        location = tokens.location
        text = tokens.text("text")
        if text.strip():
            require_times(start, end, location)
            self.segments.append(TimedText(text, location, "", "", self.name, start, end))

    @property
    def level(self) -> str:
        """What the tier holds: "words" of the name "Ann - words"."""
        return self.name.rpartition(_AFTER_SPEAKER)[2]

    def has_name(self, tier: str) -> bool:
        """Whether a setting chooses the tier."""
        names = (self.name.casefold(), self.level.casefold())
        return any(fnmatchcase(name, tier.casefold()) for name in names)


def read_textgrid(path: Path, *, tier: str = "", encoding: str = UTF_8) -> list[TimedText]:
    """Read the intervals that have a text; the speaker is the name of the tier, and of "Ann - words" it is "Ann".

    Points are read where `tier` names theirs. Raises UnknownNameError if there is no such tier, and InputFileError if
    tiers that it does not choose from are levels of one text, such as words and phones.
    """
    account = Account(TEXTGRID.label, path)
    tiers = _read_tiers(_Tokens(path, read_text(path, encoding=encoding), account))
    chosen = [other for other in tiers if (other.has_name(tier) if tier else other.kind == _INTERVALS)]
    if tier and not chosen:
        raise UnknownNameError("tier", tier, [other.name for other in tiers], where=str(path))
    if not tier:
        _refuse_levels(path, [other for other in chosen if other.segments])
    for segment in (segment for other in tiers if other not in chosen for segment in other.segments):
        account.leave_out(
            "texts of tiers that are not chosen", segment.text or "", segment.location.removeprefix(f"{path}, ")
        )
    segments = [
        segment._replace(speaker=other.name.rpartition(_AFTER_SPEAKER)[0] or other.name)
        for other in chosen
        for segment in other.segments
    ]
    return sorted(segments, key=lambda segment: (segment.start, segment.end))


def _read_tiers(tokens: _Tokens) -> list[_Tier]:
    """All tiers of a file, in the order of tiers or of times."""
    kind = tokens.text("file type")
    if kind != _CHRONOLOGICAL and (kind not in _FILE_TYPES or tokens.text("object class") != "TextGrid"):
        raise InputFileError(
            f'{tokens.location}: expected "ooTextFile" and "TextGrid", as Praat writes them (a binary file: save it as '
            "text there)."
        )
    tokens.number("begin"), tokens.number("end")
    if kind == _CHRONOLOGICAL:
        tiers = [_read_head(tokens) for _ in range(tokens.count("number of tiers"))]
        while tokens.has_more():
            number = tokens.count("number of the tier")
            if not 0 < number <= len(tiers):
                raise InputFileError(f"{tokens.location}: tier {number}, and there are {len(tiers)}.")
            tiers[number - 1].read_segment(tokens)
        return tiers
    tiers = []
    for _ in range(tokens.count("number of tiers") if tokens.flag() == "exists" else 0):
        tiers.append(_read_head(tokens))
        for _ in range(tokens.count("number of intervals")):
            tiers[-1].read_segment(tokens)
    if tokens.has_more():
        raise InputFileError(
            f"{tokens.location}: more text after the last of {len(tiers)} tiers; correct their number."
        )
    return tiers


def _read_head(tokens: _Tokens) -> _Tier:
    kind = tokens.text("class of the tier")
    if kind not in (_INTERVALS, _POINTS):
        raise InputFileError(f"{tokens.location}: class of the tier is {kind!r}, expected {_INTERVALS} or {_POINTS}.")
    name = tokens.text("name of the tier")
    tokens.number("begin"), tokens.number("end")
    return _Tier(kind, name)


def _refuse_levels(path: Path, tiers: Sequence[_Tier]) -> None:
    """Refuse two tiers if one divides the other further, as levels do and speakers do not."""
    for upper, lower in permutations(tiers, 2):
        if _divides(lower, upper):
            names = ", ".join(other.name for other in tiers)
            raise InputFileError(
                f"{path}: tiers {upper.name!r} and {lower.name!r} have the same boundaries, as levels of one text have "
                f"and speakers have not. Choose by name, {setting('format', f'textgrid(tier={upper.level})')}, or all "
                f"with {setting('format', 'textgrid(tier=*)')}. There are: {names}."
            )


def _divides(lower: _Tier, upper: _Tier) -> bool:
    """Whether intervals of one tier cover those of another, and its boundaries are also theirs."""
    spans, others = (
        np.array([(segment.start, segment.end) for segment in other.segments], np.float64) for other in (upper, lower)
    )
    boundaries = others.ravel()
    covered = np.interp(spans, boundaries, np.repeat(np.cumsum([0, *np.diff(others).ravel()]), 2)[1:-1])
    ends = np.searchsorted(boundaries, spans.ravel() - _SAME_TIME)
    are_shared = np.append(boundaries, np.inf)[ends] <= spans.ravel() + _SAME_TIME
    length = np.diff(spans).sum()
    return bool(are_shared.mean() >= _SHARE_OF_LEVELS and np.diff(covered).sum() >= _SHARE_OF_LEVELS * length)


class _Tokens:
    """Values of a file one after the other."""

    def __init__(self, path: Path, content: str, account: Account) -> None:
        self._path = path
        self._content = content
        self._tokens = (match for match in _TOKEN.finditer(content) if match.lastindex)
        self._ahead: re.Match[str] | None = None
        self._account = account
        self._at = self._end = 0
        self._line = 1

    @property
    def location(self) -> str:
        return location_of(self._path, self._line)

    def has_more(self) -> bool:
        self._ahead = next(self._tokens, None)
        if self._ahead is None:
            self._look_between(len(self._content))
        return self._ahead is not None

    def _look_between(self, start: int) -> None:
        """Account for what is neither a value nor a heading up to a position."""
        if not _HEADINGS.fullmatch(self._content, self._end, start):
            self._account.leave_out("remarks outside of quotes", self._content[self._end : start], self._line)

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
        match, self._ahead = self._ahead or next(self._tokens, None), None
        start = match.start() if match else len(self._content)
        self._line += self._content.count("\n", self._at, start)
        self._look_between(start)
        self._at, self._end = start, match.end() if match else start
        if match is None:
            raise InputFileError(f"{self.location}: the file ends where the {what} is expected; it is cut short.")
        if match[4]:
            raise InputFileError(f"{self.location}: a text in quotes that never ends; the file is cut short.")
        return match


def is_textgrid(content: Content) -> bool:
    """Whether the file begins like one of text."""
    return _BEGIN.match(content.begin) is not None


TEXTGRID = Format(
    name="textgrid",
    label="TextGrid",
    kind="segments",
    paired_by="time",
    help="Praat's TextGrid",
    endings=frozenset({".textgrid"}),
    settings=TierSettings(),
    has_turns=True,
    recognise=is_textgrid,
    read=read_textgrid,
)
