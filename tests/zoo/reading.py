"""Files of the zoo, what misread reads in them, and what becomes of a word that is planted there."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal

from places import LOGS, MARK, find_places

from misread.data.formats import find_format
from misread.data.formats.account import collecting_accounts, describe_accounts
from misread.data.formats.layout_files import LayoutReader
from misread.data.formats.plain_text import read_plain_text
from misread.data.formats.tables import read_rows
from misread.errors import MisreadError

ZOO: Final = Path(__file__).parent
ROWS: Final[Sequence[dict[str, Any]]] = [
    json.loads(line) for line in (ZOO / "zoo.jsonl").read_text(encoding="utf-8").splitlines()
]
EXCEPTIONS: Final[Sequence[Sequence[str]]] = json.loads((ZOO / "exceptions.json").read_text(encoding="utf-8"))
"""Format, patterns of places, why what is there is no text that is lost, and where that is said."""
PATTERNS: Final = [(form, pattern) for form, patterns, *_ in EXCEPTIONS for pattern in patterns.split()]
READ: Final = [row for row in ROWS if "refused" not in row]
_KINDS: Final = ("lines", "segments", "words", "pages")
_LEVELS_OF_PAGES: Final = frozenset({"page", "region", "line", "word"})

Outcome = Literal["read", "named", "refused", "lost"]


@dataclass(frozen=True)
class Reading:
    """Texts of a file by level, the characters that its account names, and its warnings."""

    texts: dict[str, list[str]]
    named: int
    doubts: list[str]


def name_of(row: dict[str, Any]) -> str:
    """Name of the format of a row, without settings."""
    return str(row["format"]).partition("(")[0]


def read_file(path: Path, row: dict[str, Any]) -> Reading:
    """Read a file at every level of its row."""
    with collecting_accounts() as accounts:
        texts = {level: _read_level(path, row["format"], level) for level in row["texts"]}
    shares = [share for each in accounts.values() for share in (*each.left_out.values(), *each.unknown.values())]
    unknown = any(account.unknown for account in accounts.values())
    doubts = describe_accounts(accounts) if unknown else []
    return Reading(texts, sum(share.characters for share in shares), doubts)


def _read_level(path: Path, form: str, level: str) -> list[str]:
    if form == "table":
        texts = read_rows(path, encoding="utf-8").texts(level)
    elif form == "text":
        texts = [read_plain_text(path, encoding="utf-8")]
    elif form in LOGS:
        entries = find_format(form, kinds=["log"]).read(path, encoding="utf-8").entries
        texts = [getattr(entry, level) for entry in entries]
    elif level in _LEVELS_OF_PAGES:
        record = find_format(f"{form}(level={level})", kinds=_KINDS)
        texts = list(LayoutReader(format=record).read(path)[0].values())
    else:
        texts = [segment.text for segment in find_format(form, kinds=_KINDS).read_segments(path, encoding="utf-8")]
    return join_words(level, texts)


def join_words(level: str, texts: Sequence[str | None]) -> list[str]:
    """Texts with one blank between words; of the level "words" all in one."""
    joined = [" ".join((text or "").split()) for text in texts]
    return [" ".join(joined)] if level == "words" else joined


def expected_texts(row: dict[str, Any]) -> dict[str, list[str]]:
    """Texts that a file must give, by level."""
    return {level: join_words(level, texts) for level, texts in row["texts"].items()}


@cache
def read(file: str) -> Reading:
    """What is read in a file of the zoo."""
    return read_file(ZOO / "files" / file, next(row for row in ROWS if row["file"] == file))


def find_exceptions(row: dict[str, Any], kind: str) -> list[tuple[str, str]]:
    """Format and patterns of the exceptions that a place of a file is listed in."""
    return [entry for entry in PATTERNS if entry[0] == name_of(row) and fnmatchcase(kind, entry[1])]


def plant_marks(row: dict[str, Any], folder: Path, most: int | None = None) -> Iterator[tuple[str, Outcome, bool]]:
    """Plant the mark in every place of a file, or `most` of each kind: kind, outcome, whether the texts are as before.

    Tables and logs in binary have no places.
    """
    source, draw = ZOO / "files" / row["file"], random.Random(row["file"])
    if source.suffix in {".parquet", ".eval"}:
        return
    path = folder / source.name
    places = sorted(find_places(source, name_of(row)), key=lambda place: place[0])
    for kind, group in groupby(places, key=lambda place: place[0]):
        alike = [*group]
        for _, plant in draw.sample(alike, min(most or len(alike), len(alike))):
            path.write_bytes(plant().encode())
            yield kind, *_look_for_mark(path, row, read(row["file"]))


def _look_for_mark(path: Path, row: dict[str, Any], before: Reading) -> tuple[Outcome, bool]:
    """What became of the mark planted in a file, and whether its texts are as before."""
    try:
        after = read_file(path, row)
    except MisreadError:
        return "refused", True
    if any(MARK in text for texts in after.texts.values() for text in texts):
        return "read", False
    named = after.named - before.named >= len(MARK)
    return "named" if named else "lost", after.texts == before.texts
