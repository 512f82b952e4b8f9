"""Text of a page with its regions, lines and words: what every format with a layout is read into."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, Self, cast

from misread.data.formats.account import Account, count_characters
from misread.data.formats.base import Level
from misread.errors import InputFileError
from misread.text.words import split_words

OUTSIDE_REGIONS: Final = "lines of text outside of regions, read after all others"
ALTERNATIVES: Final = "other readings of texts, left out"
OUTSIDE_ORDER: Final = "regions outside of the reading order, read after all others"
NO_SUCH_REGION: Final = "entries of the reading order that name no region, passed over"
WITHOUT_TEXT: Final = "lines without a text"
ALONE: Final = "halves of divided words without the other half, read as they are printed"
NOTHING: Final = "files without any text"


Confidence = float | list[float] | None
"""How sure a system is of a text, from 0 to 1: of all of it, or of each of its words; None if that is not known."""


class Word(NamedTuple):
    """A word; `text` is None if none was written down, and `at` its line in the file."""

    name: str
    text: str | None
    at: int
    confidence: Confidence = None


class Line(NamedTuple):
    """A line of text with its words, where these were asked for."""

    name: str
    text: str | None
    at: int
    words: Sequence[Word] = ()
    confidence: Confidence = None

    @classmethod
    def of_text(cls, name: str, text: str, at: int, words: bool) -> Self:
        """A line whose words, where these are needed, lie between blanks and are numbered."""
        inside = [Word(f"{name}.{number}", word, at) for number, word in enumerate(text.split(), start=1)]
        return cls(name, text, at, inside if words else ())


class Region(NamedTuple):
    """A region; `text` is its own, if it was not read from its lines."""

    name: str
    text: str | None
    at: int
    lines: Sequence[Line] = ()
    own_confidence: Confidence = None

    @property
    def content(self) -> str | None:
        """Its own text, else that of its lines that have one, joined by line breaks; None if there is none."""
        if self.text is not None:
            return self.text
        texts = [line.text for line in self.lines if line.text is not None]
        return "\n".join(text for text in texts if text) if texts else None

    @property
    def confidence(self) -> Confidence:
        """Confidence of its own text, else of its lines."""
        if self.text is not None:
            return self.own_confidence
        return join_confidences((line.text, line.confidence) for line in self.lines)


@dataclass(frozen=True)
class Layout:
    """Regions of a file in reading order, and the account of its text."""

    path: Path
    regions: Sequence[Region]
    account: Account

    @property
    def text(self) -> str:
        """Texts of its regions that have one, joined by line breaks."""
        return "\n".join(text for region in self.regions if (text := region.content))

    @property
    def confidence(self) -> Confidence:
        """Confidence of the text of all regions."""
        return join_confidences((region.content, region.confidence) for region in self.regions)

    def cut(self, level: Level) -> dict[str, str | None]:
        """Texts of regions, lines or words by their ids; raises InputFileError where one has none or two share one."""
        texts: dict[str, str | None] = {}
        for piece in self.parts(level):
            name, at = piece.name, piece.at
            if not name.strip():
                raise InputFileError(
                    f"{self.path}, line {at}: a {level} without an id, by which it would be paired; choose a level "
                    "whose parts have ids, or page."
                )
            if name in texts:
                raise InputFileError(f"{self.path}, line {at}: the id {name!r} of a {level} occurs twice in this file.")
            texts[name] = piece.content if isinstance(piece, Region) else piece.text
        return texts

    def parts(self, level: Level) -> Sequence[Region | Line | Word]:
        """Regions, lines or words; raises InputFileError if something with a text has none."""
        if level == "region":
            return self.regions
        lines = self._lines()
        return lines if level == "line" else [word for line in lines for word in self._words(line)]

    def _lines(self) -> list[Line]:
        for region in self.regions:
            if not region.lines and region.text:
                raise InputFileError(
                    f"{self.path}, line {region.at}: region {region.name!r} has a text and no lines; choose the level "
                    "region or page."
                )
        return [line for region in self.regions for line in region.lines]

    def _words(self, line: Line) -> Sequence[Word]:
        if not line.words and line.text:
            raise InputFileError(
                f"{self.path}, line {line.at}: line {line.name!r} has a text and no words; choose the level line, "
                "region or page."
            )
        return line.words


def join_confidences(parts: Iterable[tuple[str | None, Confidence]]) -> Confidence:
    """Confidences of the words of several texts; None if one of these has none."""
    texts: list[str] = []
    confidences: list[Confidence] = []
    for text, confidence in parts:
        if text:
            texts.append(text)
            confidences.append(confidence)
    return spread_confidences(texts, confidences)


def spread_confidences(texts: Sequence[str], confidences: Sequence[Confidence]) -> Confidence:
    """As `join_confidences`, for texts that are not empty."""
    if None in confidences:
        return None
    # Most often every text is a word, and to find that out of all at once is several times as fast.
    are_words = split_words(" ".join(texts)) == texts
    if are_words and list not in map(type, confidences):
        return cast("list[float]", [*confidences]) or None
    values: list[float] = []
    for text, confidence in zip(texts, confidences, strict=True):
        if isinstance(confidence, list):
            values += confidence
        elif confidence is not None:
            values += [confidence] * len(split_words(text))
    return values or None


@lru_cache(maxsize=1 << 12)
def read_confidence(written: str | None, most: float = 1.0) -> float | None:
    """Scale a confidence from 0 to `most` to the range 0 to 1; None if it is missing or not such a number."""
    try:
        number = float(written or "nan") / most
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


def make_layout(path: Path, regions: Sequence[Region], account: Account) -> Layout:
    """A layout whose account is closed, with lines without text, or that there is no text at all."""
    for region in regions:
        for line in region.lines:
            if line.text is None:
                account.leave_out(WITHOUT_TEXT, "", line.at)
    layout = Layout(path, regions, account)
    account.read = count_characters(layout.text)
    if not account.read:
        account.leave_out(NOTHING, "", 1)
    return layout
