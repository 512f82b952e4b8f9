"""Files of the zoo, and what misread reads in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from misread.data.formats import find_format
from misread.data.formats.layout_files import LayoutReader
from misread.data.formats.plain_text import read_plain_text
from misread.data.formats.tables import read_rows

ZOO: Final = Path(__file__).parent
ROWS: Final[Sequence[dict[str, Any]]] = [
    json.loads(line) for line in (ZOO / "zoo.jsonl").read_text(encoding="utf-8").splitlines()
]
_KINDS: Final = ("lines", "segments", "words", "pages")


def read_level(path: Path, form: str, level: str) -> list[str]:
    """Texts of a file at a level, or of a column of a table, with one blank between words."""
    if form == "table":
        texts = read_rows(path, encoding="utf-8").texts(level)
    elif form == "text":
        texts = [read_plain_text(path, encoding="utf-8")]
    elif level in {"page", "region", "line", "word"}:
        record = find_format(f"{form}(level={level})", kinds=_KINDS)
        texts = list(LayoutReader(format=record).read(path)[0].values())
    else:
        texts = [segment.text for segment in find_format(form, kinds=_KINDS).read_segments(path, encoding="utf-8")]
    joined = [" ".join((text or "").split()) for text in texts]
    return [" ".join(joined)] if level == "words" else joined


def expected_texts(row: dict[str, Any], level: str) -> list[str]:
    """Texts that a file must give at a level, with one blank between words."""
    joined = [" ".join(text.split()) for text in row["texts"][level]]
    return [" ".join(joined)] if level == "words" else joined
