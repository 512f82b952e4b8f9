"""Files of the zoo, what misread reads in them, and what becomes of a word that is planted there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, Literal

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
MARK: Final = "qqmarkqq"
EXCEPTIONS: Final[Sequence[Sequence[str]]] = json.loads((ZOO / "exceptions.json").read_text(encoding="utf-8"))
"""Format, pattern of places, why what is there is no text that is lost, and where that is said."""
LOGS: Final = frozenset({"inspect", "lm_eval"})
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


def is_excepted(form: str, kind: str) -> bool:
    """Whether the table of exceptions has a place of a format, by a pattern."""
    return any(form == listed and fnmatchcase(kind, pattern) for listed, pattern, *_ in EXCEPTIONS)


def look_for_mark(path: Path, row: dict[str, Any], before: Reading) -> tuple[Outcome, bool]:
    """What became of the mark planted in a file, and whether its texts are as before."""
    try:
        after = read_file(path, row)
    except MisreadError:
        return "refused", True
    if any(MARK in text for texts in after.texts.values() for text in texts):
        return "read", False
    named = after.named - before.named >= len(MARK)
    return "named" if named else "lost", after.texts == before.texts
