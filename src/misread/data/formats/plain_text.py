"""Reading of plain text, and refusal of other formats, whose source would be scored as if it were text.

The rules are so strict that no ordinary text matches one; a file that does and is meant literally is read `verbatim`.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text, split_lines

_COMMENT: Final = ";;"
# Characters in which a first line is looked for.
_HEAD: Final = 1 << 16
_TAKE_OUT: Final = "take the text out of it first"
_WITH_CTM: Final = "--ref-format stm --hyp-format ctm"
# Keys by which a JSON format is told, of the whole or of its first entry.
_JSON_KEYS: Final = {"seglst": {"session_id", "words"}, "whisper": {"segments", "text"}, "funsd": {"form"}}

_MARKUP: Final = re.compile(
    r"<\?xml\s|<!doctype\s|<(?:[\w.-]+:)?(?:html|head|body|pcgts|alto|tei)[\s>]"
    r"|<[a-z_][\w.:-]*\s[^<>]*\bxmlns(?::[\w.-]+)?\s*=",
    re.IGNORECASE,
)
# The first pattern found names the kind of markup.
_MARKUP_NAMES: Final = {
    "PAGE XML": re.compile(r"<(?:[\w.-]+:)?PcGts[\s>]"),
    "ALTO XML": re.compile(r"<(?:[\w.-]+:)?alto[\s>]"),
    "hOCR": re.compile(r"""\bclass\s*=\s*["']ocrx?_|["']ocr-(?:system|capabilities)["']"""),
    "HTML": re.compile(r"<(?:!doctype\s+)?(?:html|head|body)[\s>]", re.IGNORECASE),
}
_WITH_LAYOUT: Final = {"PAGE XML": "page", "ALTO XML": "alto", "hOCR": "hocr"}
_SUBTITLES: Final = re.compile(r"\d+[ \t]*\n(?:\d+:)?\d\d:\d\d[,.]\d{1,3}[ \t]*-->[ \t]*\d")
_NUMBER: Final = re.compile(r"\d+(?:\.\d*)?|\.\d+")
_NO_TIME: Final = "*"
_UTTERANCE: Final = re.compile(r"(?:.*\s)?\(([^\s()]+)\)\s*")
# Letters and digits, parts, or a number with leading zeros; not a year, as in a list of books.
_UTTERANCE_ID: Final = re.compile(r"(?!\d{4}[a-z]?$)(?=.*\d)(?=.*[A-Za-z_-]|0\d).{3,}")
_COLUMN: Final = re.compile(r"[^\W\d](?:[\w .-]*\w)?")
# The header of a table of texts has at least one of these words in its names.
_COLUMN_WORDS: Final = frozenset(
    {"file", "filename", "gt", "hyp", "hypothesis", "id", "image", "line", "ocr", "page", "path", "prediction", "ref"}
    | {"reference", "segment", "sentence", "speaker", "text", "transcript", "transcription", "truth", "utterance"}
)


class Recognised(NamedTuple):
    """A format for people, and as options call it ("table" for columns); both empty for plain text."""

    label: str = ""
    form: str = ""

    @property
    def instead(self) -> str:
        """What to do with a file of it."""
        if not self.form:
            return _TAKE_OUT
        if self.form == "table":
            return "score it with --table FILE --ref COLUMN --hyp NAME=COLUMN"
        if self.form in _WITH_LAYOUT.values():
            return f"name its format, --format {self.form} (in a data set, format: {self.form})"
        if self.form == "ctm":
            return f"score it with {_WITH_CTM}"
        return f"score it with --format {self.form}{f' (against CTM {_WITH_CTM})' if self.form == 'stm' else ''}"


def read_plain_text(path: Path, *, verbatim: bool = False, encoding: str = UTF_8) -> str:
    """Read a file of plain text; another format raises InputFileError, unless `verbatim`."""
    text = read_text(path, encoding=encoding)
    if verbatim:
        return text
    found = recognise(text, path.suffix.lower())
    if found.label:
        raise InputFileError(
            f"{path} is {found.label}, not plain text, and its source would be scored: {found.instead}, or use "
            "--verbatim (verbatim: true in a data set) if it is meant literally."
        )
    return text


def recognise(text: str, suffix: str) -> Recognised:
    """The format of a text that can be of no other, by its content and, where that leaves a doubt, by its suffix."""
    begin = text.lstrip()
    if _MARKUP.match(begin, _find_end_of_comments(begin)):
        name = next((name for name, pattern in _MARKUP_NAMES.items() if pattern.search(begin)), "XML")
        return Recognised(name, _WITH_LAYOUT.get(name, ""))
    if not _may_hold_records(begin[:_HEAD], suffix):
        return Recognised()
    lines = [line for line in split_lines(text) if line and not line.isspace()]
    if begin.startswith(("{", "[")):
        value = _read_objects(text)
        entry = value[0] if isinstance(value, list) else value or {}
        # A document may stand in one line, as Whisper writes it, and is a line of JSON Lines then.
        if form := next((name for name, keys in _JSON_KEYS.items() if keys <= entry.keys()), ""):
            return Recognised("JSON", form)
        if all(_read_objects(line) for line in lines):
            return Recognised("JSON Lines", "table")
        if value:
            return Recognised("JSON")
    if _SUBTITLES.match(begin.replace("\r\n", "\n") if "\r" in begin[:100] else begin):
        return Recognised("SRT", "srt")
    if lines and re.match(r"WEBVTT(?:\s|$)", lines[0]) and "-->" in text:
        return Recognised("WebVTT", "webvtt")
    entries = [line for line in lines if not line.startswith(_COMMENT)]
    rules: Iterable[tuple[str, Callable[[Sequence[str], bool], bool], str]] = (
        ("NLP", _has_tokens, "nlp"),
        ("STM", _has_timed_segments, "stm"),
        ("CTM", _has_timed_words, "ctm"),
        ("TRN", _has_utterances, "trn"),
        ("CSV", partial(_has_rows, delimiter=","), "table"),
        ("CSV", partial(_has_rows, delimiter=";"), "table"),
        ("TSV", partial(_has_rows, delimiter="\t"), "table"),
    )
    for label, fits, form in rules:
        if entries and fits(entries, suffix == f".{label.lower()}"):
            return Recognised(label, form)
    return Recognised()


def _may_hold_records(head: str, suffix: str) -> bool:
    """Whether the text may consist of records, by its first line: most do not, and need not be split twice."""
    whole = split_lines(head[: head.rfind("\n") + 1])
    first = next((line for line in whole if line and not line.isspace() and not line.startswith(_COMMENT)), None)
    if first is None:
        return True
    if first.startswith(("{", "[", "WEBVTT")) or first.strip().isdecimal():
        return True
    if any(fits([first], True) for fits in (_has_tokens, _has_timed_segments, _has_timed_words, _has_utterances)):
        return True
    return any(_names_columns(first, suffix in (".csv", ".tsv"), delimiter) for delimiter in ",;\t")


def _find_end_of_comments(text: str) -> int:
    """Index of what follows the markup comments at the start of a text."""
    place = 0
    while text.startswith("<!--", place) and (end := text.find("-->", place)) >= 0:
        place = end + 3
        while place < len(text) and text[place].isspace():
            place += 1
    return place


def _read_objects(text: str) -> dict[str, Any] | list[dict[str, Any]] | None:
    """Named values of JSON, None of anything else; brackets around a number are a footnote."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        return value if value and all(isinstance(each, dict) for each in value) else None
    return value if isinstance(value, dict) and value else None


def _has_tokens(lines: Sequence[str], is_named: bool) -> bool:
    columns = lines[0].split("|")
    if "token" not in columns or len(columns) < 2 or len(lines) < (1 if is_named else 2):
        return False
    return all(line.count("|") == len(columns) - 1 for line in lines)


def _has_timed_segments(lines: Sequence[str], is_named: bool) -> bool:
    files = set()
    for line in lines:
        parts = line.split(maxsplit=5)
        if len(parts) < 5 or len(parts[1]) != 1 or not _are_numbers(parts[3:5]):
            return False
        if _NUMBER.fullmatch(parts[2]) or float(parts[3]) > float(parts[4]):
            return False
        files.add(parts[0])
    # Each row of a printed table has its own name, but a recording has several segments.
    return is_named or len(lines) > len(files)


def _has_timed_words(lines: Sequence[str], is_named: bool) -> bool:
    files = set()
    for line in lines:
        parts = line.split()
        times = [part for part in parts[2:4] if part != _NO_TIME]
        if not (5 <= len(parts) <= 8 and len(parts[1]) == 1 and _are_numbers(times)):
            return False
        files.add(parts[0])
    return is_named or len(lines) > 2 * len(files)


def _has_utterances(lines: Sequence[str], is_named: bool) -> bool:
    found = set()
    for line in lines:
        match = _UTTERANCE.fullmatch(line)
        if match is None or not (is_named or _UTTERANCE_ID.fullmatch(match[1])):
            return False
        found.add(match[1])
    return len(found) == len(lines) and len(lines) > (0 if is_named else 1)


def _has_rows(lines: Sequence[str], is_named: bool, delimiter: str) -> bool:
    if len(lines) < 2 or not _names_columns(lines[0], is_named, delimiter):
        return False
    columns = lines[0].count(delimiter) + 1
    try:
        rows = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
        return all(len(row) == columns for row in rows)
    except csv.Error:
        return False


def _names_columns(line: str, is_named: bool, delimiter: str) -> bool:
    """Whether it could be the header of a table."""
    header = [name.strip('"') for name in line.split(delimiter)]
    if len(header) < 2 or len({*header}) < len(header):
        return False
    words = {word for name in header for word in re.split(r"[\W_]+", name.lower())}
    return is_named or bool(words & _COLUMN_WORDS and all(map(_COLUMN.fullmatch, header)))


def _are_numbers(parts: Iterable[str]) -> bool:
    return all(map(_NUMBER.fullmatch, parts))
