"""Content that recognisers of formats look at: the beginning of a file, its lines, and its value as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

from misread.io.text import read_start, split_lines, take_start

_COMMENT: Final = ";;"
# Characters in which lines are looked for.
_HEAD: Final = 1 << 16
_END: Final = 100
_DECODER: Final = json.JSONDecoder()
# A bracket, a comma, or a string, which may be cut.
_TOKEN: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[][{},]', re.DOTALL)


class Content:
    """The beginning of a text and the ending of its file's name, with what several recognisers look at."""

    def __init__(self, text: str, ending: str = "", *, is_whole: bool = True) -> None:
        self.ending = ending
        start = take_start(text)
        self.begin, self.end = start.lstrip(), text[-_END:].rstrip()
        head = start[:_HEAD] if "\n" in start[:_HEAD] else start
        self._text = head if is_whole and len(head) == len(text) else head[: head.rfind("\n") + 1]

    @classmethod
    def of_start(cls, path: Path) -> Self:
        """The beginning of a file, whose last line may be cut, for recognising its format."""
        text, is_whole = read_start(path)
        return cls(text, path.suffix.lower(), is_whole=is_whole)

    def beginnings(self) -> Iterator[Content]:
        """Of long JSON in no lines its first characters, in which nearly all formats show; then the content itself."""
        if len(self.begin) > _HEAD and self.begin.startswith(("{", "[")) and "\n{" not in self.begin[:_HEAD]:
            yield Content(self.begin[:_HEAD], self.ending, is_whole=False)
        yield self

    @cached_property
    def lines(self) -> Sequence[str]:
        """Whole lines that are not blank."""
        return [line for line in split_lines(self._text) if line and not line.isspace()]

    @cached_property
    def entries(self) -> Sequence[str]:
        """Whole lines that are neither blank nor comments."""
        return [line for line in self.lines if not line.startswith(_COMMENT)]

    @property
    def first(self) -> str:
        """The first of the entries; empty if there is none."""
        return next(iter(self.entries), "")

    @cached_property
    def value(self) -> dict[str, Any] | list[Any] | None:
        """Objects or arrays of JSON with their whole parts; brackets around a number are a footnote, and None."""
        if not self.begin.startswith(("{", "[")):
            return None
        try:
            value, end = _DECODER.raw_decode(self.begin)
        except (ValueError, RecursionError):
            value, end = read_value(_close(self.begin)), len(self.begin)
        are_parts = isinstance(value, dict) or (
            isinstance(value, list) and all(isinstance(entry, dict | list | None) for entry in value)
        )
        return value if value and are_parts and not self.begin[end:].strip() else None

    @property
    def keys(self) -> frozenset[str]:
        """Names in an object of JSON, or in the first of an array."""
        first = self.value[0] if isinstance(self.value, list) else self.value
        return frozenset(first if isinstance(first, dict) else ())


def read_value(text: str) -> Any:
    """Value of JSON, None of anything else."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _close(text: str) -> str:
    """The beginning of JSON up to its last comma, with the brackets that are open there closed."""
    opened: list[str] = []
    end, closing = 0, ""
    for token in _TOKEN.finditer(text):
        if token[0] in "{[":
            opened.append("}" if token[0] == "{" else "]")
        elif token[0] in "}]":
            opened = opened[:-1]
        elif token[0] == ",":
            end, closing = token.start(), "".join(reversed(opened))
    return text[:end] + closing
