"""Content that recognisers of formats look at: the beginning of a file, its lines, and its value as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

from misread.io.text import read_start, split_lines

_COMMENT: Final = ";;"
# Characters in which a first line is looked for.
_HEAD: Final = 1 << 16


class Content:
    """A text and the ending of its file's name, with what several recognisers look at."""

    def __init__(self, text: str, ending: str = "", *, is_whole: bool = True) -> None:
        self.ending = ending
        self.begin = text.lstrip()
        self._text = text if is_whole else text[: text.rfind("\n") + 1]

    @classmethod
    def of_start(cls, path: Path) -> Self:
        """The beginning of a file, whose last line may be cut, for recognising its format."""
        text, is_whole = read_start(path)
        return cls(text, path.suffix.lower(), is_whole=is_whole)

    @cached_property
    def lines(self) -> Sequence[str]:
        """Whole lines that are not blank."""
        return [line for line in split_lines(self._text) if line and not line.isspace()]

    @cached_property
    def entries(self) -> Sequence[str]:
        """Whole lines that are neither blank nor comments."""
        return [line for line in self.lines if not line.startswith(_COMMENT)]

    @cached_property
    def first(self) -> str:
        """The first of the entries, for which a long text is not split; empty if there is none."""
        head = self._text[:_HEAD]
        lines = split_lines(head[: head.rfind("\n") + 1])
        entries = (line for line in lines if line and not line.isspace() and not line.startswith(_COMMENT))
        return next(entries, None) or next(iter(self.entries), "")

    @cached_property
    def value(self) -> dict[str, Any] | list[dict[str, Any]] | None:
        """Value of the text as JSON, if it is JSON."""
        return read_objects(self._text) if self.begin.startswith(("{", "[")) else None

    @property
    def keys(self) -> frozenset[str]:
        """Names in an object of JSON, or in the first of an array."""
        return frozenset(self.value[0] if isinstance(self.value, list) else self.value or {})


def read_objects(text: str) -> dict[str, Any] | list[dict[str, Any]] | None:
    """Named values of JSON, None of anything else; brackets around a number are a footnote."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        return value if value and all(isinstance(entry, dict) for entry in value) else None
    return value if isinstance(value, dict) and value else None
