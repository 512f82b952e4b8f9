"""Texts of NIST's transcripts, with alternatives where they have marks, and the lines of their files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from misread.data.base import digest_segments
from misread.data.formats.account import Account
from misread.data.formats.blank_fields import bytes_of, has_one_blank, read_numbers
from misread.data.segment_table import SegmentTable, TextFacts
from misread.errors import InputFileError, InputTextError
from misread.io.text import split_lines
from misread.text.alternatives import (
    Choice,
    Items,
    Word,
    has_choices,
    list_words,
    parse_alternatives,
    render_alternatives,
)
from misread.text.arrow import ArrowTexts
from misread.text.words import join_words
from misread.types import FloatArray, IntArray

if TYPE_CHECKING:
    import pyarrow as pa

MarkedText = str | Items
"""A text as its parts, or, where no character of it could be a mark, as it is with one space between its words."""

Marked = TypeVar("Marked", bound="MarkedText | None")

BLANKS: Final = " \t"
"""Separators of fields; other white space, such as a no-break space, is part of a field."""

COMMENT: Final = ";;"

_TAG: Final = re.compile(r"(?<=[^\s;\\]);\S+")
_MARK_BYTES: Final = np.isin(np.arange(256), list(b"(){}@;\\"))
_TIME: Final = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_PARENTHESES: Final = re.compile(r"\(.+\)", re.DOTALL)


def entries(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are neither blank nor comments (`;;`), stripped of blanks, with their numbers."""
    for number, line in enumerate(split_lines(text), start=1):
        stripped = line.strip(BLANKS)
        if stripped and not line.startswith(COMMENT):
            yield number, stripped


def leave_out_unread(account: Account, content: str) -> None:
    """Name comments, and what follows a semicolon in a word, as sclite leaves both out."""
    line, seen, at = 1, 0, content.find(";")
    while at >= 0:
        line, seen = line + content.count("\n", seen, at), at
        start, end = content.rfind("\n", 0, at) + 1, content.find("\n", at)
        text, at = content[start : end if end >= 0 else None], content.find(";", end) if end >= 0 else -1
        if text.startswith(COMMENT):
            account.leave_out("comments", text.lstrip("; "), line)
        else:
            for tag in _TAG.findall(text):
                account.leave_out("tags behind semicolons", tag, line)


def location_of(path: Path, line: int) -> str:
    """File and line, for messages."""
    return f"{path}, line {line}"


def read_marked(text: str, path: Path, line: int, *, optional_words: bool) -> MarkedText:
    """Read a text, whose notation is that of `parse_alternatives` with tags; errors name file and line."""
    if not has_marks(text):
        return join_words(text)
    try:
        return parse_alternatives(text, optional_words=optional_words, tags=True)
    except InputTextError as error:
        raise InputFileError(f"{location_of(path, line)}: {error}") from None


def has_marks(text: str) -> bool:
    """Whether a text has characters that may have a meaning of their own."""
    # Several searches for one character are faster than one for a class of characters.
    return "(" in text or "{" in text or ";" in text or "@" in text or "\\" in text or "}" in text


def find_words_in_parentheses(text: MarkedText) -> list[Word]:
    """Words that may be omitted, and words in parentheses that have no special meaning."""
    if isinstance(text, str):
        return []
    words: list[Word] = []
    for item in text:
        if isinstance(item, Choice):
            words += [word for alternative in item.alternatives for word in find_words_in_parentheses(alternative)]
        elif item.optional or _PARENTHESES.fullmatch(item.text):
            words.append(item)
    return words


def write_text(text: MarkedText, *, in_notation: bool) -> str:
    """The text in the notation of alternatives, or plain if it has none."""
    if isinstance(text, str):
        return text
    return render_alternatives(text) if in_notation else " ".join(list_words(text))


def split_alternatives(text: MarkedText) -> tuple[str, Items]:
    """The text without notation, of alternatives the first; and its parts, if it has alternatives."""
    return write_text(text, in_notation=False), text if isinstance(text, tuple) and has_choices(text) else ()


def read_texts(
    column: pa.Array, path: Path, lines: IntArray, *, optional_words: bool, only_blanks: bool
) -> Sequence[MarkedText]:
    """Texts of a column as `read_marked` reads each; `only_blanks` says that no other white space occurs."""
    if only_blanks and _is_plain(column):
        return ArrowTexts.of(column)
    return [
        read_marked(text, path, line, optional_words=optional_words)
        for text, line in zip(column.to_pylist(), lines.tolist(), strict=True)
    ]


def _is_plain(texts: pa.Array) -> bool:
    """Whether texts, which begin and end with words, have no mark, and one blank between words."""
    return not _MARK_BYTES[bytes_of(texts)].any() and has_one_blank(texts)


def read_times(columns: Mapping[str, pa.Array], path: Path, lines: IntArray) -> list[FloatArray]:
    """Columns of seconds from 0, as decimal numbers, by what they are called; names the first that is not one."""
    read = [read_numbers(column) for column in columns.values()]
    seconds = [numbers for numbers in read if numbers is not None]
    if len(seconds) == len(read):
        return seconds
    texts = [column.to_pylist() for column in columns.values()]
    rows = (
        [read_time(text, name, path, line) for text, name in zip(row, columns, strict=True)]
        for *row, line in zip(*texts, lines.tolist(), strict=True)
    )
    return [np.array(column, np.float64) for column in zip(*rows, strict=True)]


def read_time(text: str, name: str, path: Path, line: int) -> float:
    """Seconds from 0, as a decimal number."""
    if _TIME.fullmatch(text):
        seconds = float(text)
        if seconds != float("inf"):
            return seconds
    raise InputFileError(
        f"{location_of(path, line)}: {name} is {text!r}, expected seconds from 0 as a decimal number, such as 12.34."
    )


def in_one_notation(
    name: str,
    ids: Sequence[str],
    references: Sequence[MarkedText],
    hypotheses: Mapping[str, Sequence[MarkedText | None]],
) -> SegmentTable:
    """Texts of all systems in one notation, so that their errors are counted alike."""
    alternatives = ""
    if any(map(_have_choices, hypotheses.values())):
        alternatives = "both"
    elif _have_choices(references):
        alternatives = "references"
    written = _write(references, in_notation=bool(alternatives))
    return SegmentTable(
        name=name,
        digest=digest_segments(ids, written),
        segment_id=ids,
        references=written,
        hypotheses={system: _write(texts, in_notation=alternatives == "both") for system, texts in hypotheses.items()},
        facts=TextFacts(alternatives=alternatives),
    )


def _have_choices(texts: Sequence[MarkedText | None]) -> bool:
    return not isinstance(texts, ArrowTexts) and any(isinstance(text, tuple) and has_choices(text) for text in texts)


def _write(texts: Sequence[Marked], *, in_notation: bool) -> Sequence[Any]:
    if isinstance(texts, ArrowTexts):
        return texts
    return [write_text(text, in_notation=in_notation) if isinstance(text, tuple) else text for text in texts]
