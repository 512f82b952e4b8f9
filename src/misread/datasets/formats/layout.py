"""Text of a page with its regions, lines and words: what every format with a layout is read into."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

from misread.errors import InputFileError

Level = Literal["page", "region", "line", "word"]
"""What a segment is; a page is a whole file."""

Hyphens = Literal["kept", "joined"]
"""Whether a word that is divided at the end of a line stays as it is printed, or stands whole in its first line."""

OUTSIDE_ORDER: Final = "regions outside of the reading order, read after all others"
NO_SUCH_REGION: Final = "entries of the reading order without an element of that id, passed over"
OTHER_TEXT: Final = "regions whose own text, which is read, has other words than their lines"
EMPTY_REGION: Final = "regions whose own text is empty, read from their lines"
WITHOUT_TEXT: Final = "lines without a text"
ALONE: Final = "halves of divided words without the other half, read as they are printed"
NOTHING: Final = "files without any text"


class Word(NamedTuple):
    """A word; `text` is None if none was written down, and `at` its line in the file."""

    name: str
    text: str | None
    at: int


class Line(NamedTuple):
    """A line of text with its words, where these were asked for."""

    name: str
    text: str | None
    at: int
    words: Sequence[Word] = ()


class Region(NamedTuple):
    """A region; `text` is its own, if it was not read from its lines."""

    name: str
    text: str | None
    at: int
    lines: Sequence[Line] = ()

    @property
    def content(self) -> str | None:
        """Its own text, else that of its lines that have one, joined by line breaks; None if there is none."""
        if self.text is not None:
            return self.text
        texts = [line.text for line in self.lines if line.text is not None]
        return "\n".join(text for text in texts if text) if texts else None


@dataclass(frozen=True)
class Layout:
    """Regions of a file in reading order, and lines of the file with something doubtful, by kind."""

    path: Path
    regions: Sequence[Region]
    doubts: dict[str, list[int]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Texts of its regions that have one, joined by line breaks."""
        return "\n".join(text for region in self.regions if (text := region.content))

    def cut(self, level: Level) -> dict[str, str | None]:
        """Texts of regions, lines or words by their ids; raises InputFileError where one has none or two share one."""
        pieces: Iterable[Region | Line | Word]
        if level == "region":
            pieces = self.regions
            texts = [(region.name, region.content, region.at) for region in self.regions]
        elif level == "line":
            pieces = self._lines()
            texts = [(line.name, line.text, line.at) for line in pieces]
        else:
            texts = [(word.name, word.text, word.at) for line in self._lines() for word in self._words(line)]
        found: dict[str, str | None] = {}
        for name, text, at in texts:
            if not name.strip():
                raise InputFileError(
                    f"{self.path}, line {at}: a {level} without an id, by which it would be paired; choose a level "
                    "whose parts have ids, or --level page."
                )
            if name in found:
                raise InputFileError(f"{self.path}, line {at}: the id {name!r} of a {level} occurs twice in this file.")
            found[name] = text
        return found

    def _lines(self) -> list[Line]:
        for region in self.regions:
            if not region.lines and region.text:
                raise InputFileError(
                    f"{self.path}, line {region.at}: region {region.name!r} has a text and no lines; choose --level "
                    "region or page."
                )
        return [line for region in self.regions for line in region.lines]

    def _words(self, line: Line) -> Sequence[Word]:
        if not line.words and line.text:
            raise InputFileError(
                f"{self.path}, line {line.at}: line {line.name!r} has a text and no words; choose --level line, region "
                "or page."
            )
        return line.words


def make_layout(path: Path, regions: Sequence[Region], doubts: dict[str, list[int]]) -> Layout:
    """A layout whose doubts include lines without text, or that there is no text at all."""
    unread = [line.at for region in regions for line in region.lines if line.text is None]
    layout = Layout(path, regions, {**doubts, **({WITHOUT_TEXT: unread} if unread else {})})
    if not any(region.content for region in regions):
        layout.doubts[NOTHING] = [1]
    return layout


class Doubts:
    """What is doubtful in the files of one side, by kind: how often, and where first."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, layout: Layout) -> None:
        """Count what is doubtful in one more file."""
        for kind, lines in layout.doubts.items():
            number, first = self._found.get(kind, (0, f"{layout.path.name}, line {lines[0]}"))
            self._found[kind] = number + len(lines), first

    def describe(self, side: str) -> list[str]:
        """A whole sentence for each kind."""
        return [f"{side}: {kind}: {number:,} (the first in {first})." for kind, (number, first) in self._found.items()]
