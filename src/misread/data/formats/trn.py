"""TRN files of NIST: a text with an id after it on every line."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, overload

from misread.data.formats.marked_text import BLANKS, MarkedText, entries, place_of, read_marked
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text
from misread.text.alternatives import Items

_UTTERANCE: Final = re.compile(rf"(.*)\(([^(){BLANKS}]+)\)")


class Utterance(NamedTuple):
    """A text with its id and its place."""

    utterance_id: str
    text: MarkedText
    path: Path
    line: int

    @property
    def place(self) -> str:
        """File and line, for messages."""
        return place_of(self.path, self.line)


@dataclass(frozen=True, slots=True)
class Utterances(Sequence[Utterance]):
    """Utterances of one file as columns."""

    path: Path
    ids: Sequence[str]
    texts: Sequence[MarkedText]
    lines: Sequence[int]
    rows: Mapping[str, int]  # by id without case

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> Utterance: ...
    @overload
    def __getitem__(self, index: slice) -> list[Utterance]: ...
    def __getitem__(self, index: int | slice) -> Utterance | list[Utterance]:
        if isinstance(index, slice):
            return [self[row] for row in range(len(self))[index]]
        return Utterance(self.ids[index], self.texts[index], self.path, self.lines[index])

    def marked(self) -> Iterator[tuple[Items, str]]:
        """Texts with marks, and their places."""
        for text, line in zip(self.texts, self.lines, strict=True):
            if isinstance(text, tuple):
                yield text, place_of(self.path, line)


def read_trn(path: Path, *, optional_words: bool = False, encoding: str = UTF_8) -> Utterances:
    """Read lines `TEXT (ID)`, with alternatives; blank lines and those that begin with ;; are skipped.

    Ids must be distinct without case. With `optional_words`, words in parentheses may be omitted.
    """
    ids: list[str] = []
    texts: list[MarkedText] = []
    lines = array("q")
    rows: dict[str, int] = {}
    for line, entry in entries(read_text(path, encoding=encoding)):
        match = _UTTERANCE.fullmatch(entry)
        if match is None:
            raise InputFileError(
                f"{place_of(path, line)}: expected `TEXT (ID)`, found no id in parentheses at the end."
            )
        text, utterance_id = match.groups()
        row = rows.setdefault(utterance_id.casefold(), len(ids))
        if row < len(ids):
            raise InputFileError(
                f"{place_of(path, line)}: id {utterance_id!r} was taken by {place_of(path, lines[row])} already."
            )
        ids.append(utterance_id)
        texts.append(read_marked(text, path, line, optional_words=optional_words))
        lines.append(line)
    return Utterances(path, ids, texts, lines, rows)
